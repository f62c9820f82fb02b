import { describe, expect, test } from 'vitest';
import type { OutboxEvent } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import { shardOf } from '../../../../src/webhooks/shards/shard.ts';
import { createOutbox, type OutboxPage } from '../../../../src/webhooks/worker/memory/outbox.ts';
import { accountLane, outboxEvent } from '../../../support/lanes.ts';

const served = [3, 1, 5];
const all = [{ shard: 1 }, { shard: 3 }, { shard: 5 }];
const nothing: OutboxPage = { ranges: [], limit: 512, of: 'woken' };

/** Events that end with one of account `b` in shard 3. */
const events = (count: number): readonly OutboxEvent[] =>
  Array.from({ length: count }, (_, index) => outboxEvent(String(index), { accountId: 'b', shard: 3 }));

const world = () => {
  const clock = { now: 0 };
  return { clock, outbox: createOutbox(() => clock.now, 250) };
};

describe('a round over all accounts', () => {
  test('starts when a full read is due, from the first account', () => {
    const { outbox } = world();
    expect(outbox.next(served, true)).toEqual({ ranges: all, limit: 512, of: 'all' });
  });

  test('goes on after a full page where that ended, also when no full read is due', () => {
    const { outbox } = world();
    outbox.note(outbox.next(served, true), events(512));
    const rest = [{ shard: 3, after: 'b' }, { shard: 5 }, { shard: 1 }];
    expect(outbox.next(served, false)).toMatchObject({ of: 'all', ranges: expect.arrayContaining(rest) });
    expect(outbox.next(served, false).ranges[0]).toEqual(rest[0]);
  });

  test('goes on after the last dispatched event of a page, when the others were left', () => {
    const { outbox } = world();
    const page = outbox.next(served, true);
    outbox.note(page, [...events(5), outboxEvent('last', { accountId: 'z', shard: 5 })]);
    outbox.cut(page, events(5));
    expect(outbox.next(served, false)).toMatchObject({
      of: 'all',
      ranges: [{ shard: 3, after: 'b' }, { shard: 5 }, {}, {}],
    });
  });

  test('ends with a page that is not full', () => {
    const { outbox } = world();
    outbox.note(outbox.next(served, true), events(512));
    outbox.note(outbox.next(served, false), events(511));
    expect(outbox.next(served, false)).toEqual(nothing);
    expect(outbox.next(served, true).ranges).toEqual(all);
  });
});

describe('shards with new events', () => {
  test('are read once, if they are served', () => {
    const { outbox } = world();
    outbox.wake([5, 7]);
    outbox.wake([1]);
    expect(outbox.next(served, false)).toEqual({ ranges: [{ shard: 1 }, { shard: 5 }], limit: 512, of: 'woken' });
    expect(outbox.next(served, false)).toEqual(nothing);
  });

  test('are part of a read of all', () => {
    const { outbox } = world();
    outbox.wake([5]);
    outbox.next(served, true);
    expect(outbox.next(served, false)).toEqual(nothing);
  });

  test('start a round when some of their events were left', () => {
    const { outbox } = world();
    outbox.wake([3]);
    const page = outbox.next(served, false);
    outbox.note(page, events(5));
    outbox.cut(page, events(1));
    expect(outbox.next(served, false)).toEqual({ ranges: all, limit: 512, of: 'all' });
  });

  test('start a round when they fill a page; it starts from the first account', () => {
    const { outbox } = world();
    outbox.wake([3]);
    outbox.note(outbox.next(served, false), events(512));
    expect(outbox.next(served, false)).toEqual({ ranges: all, limit: 512, of: 'all' });
  });
});

describe('accounts that are not busy', () => {
  const accountIn = (accountId: string, inFlight: number) =>
    Object.assign(accountLane(accountId, [{ id: 'one' }]), { inFlight });

  test('are read alone, 64 events at a time', () => {
    const { outbox } = world();
    const [busy, idle] = [accountIn('acc_busy', 1), accountIn('acc_idle', 0)];
    const shard = shardOf('acc_busy');
    expect(outbox.nextIdle([shard], [busy, idle])).toEqual({
      ranges: [
        { shard, before: 'acc_busy' },
        { shard, after: 'acc_busy' },
      ],
      limit: 64,
      of: 'idle',
    });
  });

  test('have a round of their own', () => {
    const { outbox } = world();
    outbox.note(outbox.nextIdle(served, []), events(64));
    expect(outbox.nextIdle(served, []).ranges[0]).toEqual({ shard: 3, after: 'b' });
    expect(outbox.next(served, false)).toEqual(nothing);
    expect(outbox.next(served, true).ranges).toEqual(all);
  });

  test('go on after the last dispatched event of a page, when the others were left', () => {
    const { outbox } = world();
    const page = outbox.nextIdle(served, []);
    outbox.note(page, [...events(5), outboxEvent('last', { accountId: 'z', shard: 5 })]);
    outbox.cut(page, events(5));
    expect(outbox.nextIdle(served, []).ranges[0]).toEqual({ shard: 3, after: 'b' });
    expect(outbox.next(served, false)).toEqual(nothing);
  });

  test('are read at once as long as pages are full, at most 8 of them; then at the interval', () => {
    const { clock, outbox } = world();
    const read = (count: number) => {
      outbox.note(outbox.nextIdle(served, []), events(count));
      return outbox.idleIn();
    };
    expect(outbox.idleIn()).toBe(0);
    expect(Array.from({ length: 8 }, () => read(64))).toEqual([0, 0, 0, 0, 0, 0, 0, 250]);
    clock.now = 249;
    expect(outbox.idleIn()).toBe(1);
    clock.now = 250;
    expect(outbox.idleIn()).toBe(0);
    expect([read(64), read(63)]).toEqual([0, 250]);
    clock.now = 500;
    expect(Array.from({ length: 8 }, () => read(64))).toEqual([0, 0, 0, 0, 0, 0, 0, 250]);
  });
});
