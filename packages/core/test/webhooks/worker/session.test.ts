import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PortTimeout } from '../../../src/base/runtime/port-limit.ts';
import { hour, second } from '../../../src/base/runtime/time.ts';
import type { HeartbeatInput } from '../../../src/webhooks/shards/shard-store.ts';
import { settled, start } from '../../support/clock.ts';
import { historyRuns } from '../../support/runs.ts';
import { alone, type BeatAnswer, joinedSession, stored } from '../../support/session.ts';

const down = new Error('down');
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));
const beatsAt = (beats: readonly (readonly [number, HeartbeatInput])[]) => beats.map(([at]) => at);

describe('outcomes', () => {
  test('while one batch is stored, the next one collects', async () => {
    const gates: (() => void)[] = [];
    const { batches, send, finish } = await joinedSession({
      settle: () => new Promise((resolve) => gates.push(() => resolve(stored))),
    });
    await send('a');
    await finish('a');
    await send('b', 'c');
    await finish('b', 'c');
    expect(batches()).toEqual([['a']]);
    gates[0]?.();
    await settled();
    expect(batches()).toEqual([['a'], ['b', 'c']]);
  });

  test('while attempts are in flight, wait up to 20 ms for others', async () => {
    const { clock, batches, send, finish } = await joinedSession();
    await send('a', 'b', 'c', 'in flight');
    for (const ids of [['a', 'b'], ['c']]) {
      await finish(...ids);
      await clock.advance(19);
      expect(batches()).not.toContainEqual(ids);
      await clock.advance(1);
      expect(batches()).toContainEqual(ids);
    }
  });

  test('are stored at once when there are 256, or nothing is in flight', async () => {
    const { batches, send, finish } = await joinedSession();
    const ids = many(256);
    await send(...ids, 'a', 'b');
    await finish(...ids.slice(0, 255));
    expect(batches()).toEqual([]);
    await finish('255');
    expect(batches()).toEqual([ids]);
    await finish('a');
    expect(batches()).toEqual([ids]);
    await finish('b');
    expect(batches()).toEqual([ids, ['a', 'b']]);
  });

  test('are each stored once, in the order in which attempts ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), fc.boolean(), async (pauses, staysBusy) => {
        const { clock, batches, send, finish, session, end } = await joinedSession({
          settle: async (settlement) => {
            for (let tick = 0; tick < settlement.attempts.length; tick++) await Promise.resolve();
            return stored;
          },
        });
        const ids = many(pauses.length);
        await send(...ids, ...(staysBusy ? ['last'] : []));
        for (const [index, pause] of pauses.entries()) {
          void finish(String(index));
          for (let tick = 0; tick < pause; tick++) await Promise.resolve();
        }
        const ending = end();
        await finish('last');
        await clock.advance(second);
        await ending;
        expect(session.memory.unsettled.isEmpty()).toBe(true);
        expect(batches().flat()).toEqual(staysBusy ? [...ids, 'last'] : ids);
      }),
      historyRuns,
    );
  });
});

describe('a storage that refuses outcomes', () => {
  const refusing = () => joinedSession({ settle: () => Promise.reject(down) });

  test('is called every second with the same batch, and each error is reported', async () => {
    const answers = [down, down, down];
    const { clock, send, finish, settlements, batches, errors, session } = await joinedSession({
      settle: async () => {
        const failure = answers.pop();
        if (failure) throw failure;
        return stored;
      },
    });
    await send('a', 'b');
    await finish('a', 'b');
    await clock.advance(second - 1);
    expect(settlements).toHaveLength(1);
    await clock.advance(2 * second + 1);
    expect(batches()).toEqual(Array(4).fill(['a', 'b']));
    expect(new Set(settlements).size).toBe(1);
    expect(errors).toEqual(Array(3).fill(['settle', down]));
    expect([session.memory.unsettled.isEmpty(), session.memory.hasDropped()]).toEqual([true, false]);
  });

  test('is called for a lease after the worker stopped; then outcomes are dropped, and shards stay unreleased', async () => {
    const { clock, send, finish, settlements, session, end, ends } = await refusing();
    await send('a');
    await finish('a');
    await clock.advance(4 * second);
    const ending = end();
    await clock.advance(20 * second);
    expect([settlements.length, session.memory.hasDropped()]).toEqual([25, false]);
    await clock.advance(second);
    await ending;
    expect([settlements.length, session.memory.hasDropped(), ends]).toEqual([25, true, []]);
  });

  test('is called once more after a long pause, before outcomes are dropped', async () => {
    const { clock, send, finish, batches, session, end } = await refusing();
    await send('a', 'b');
    const ending = end();
    await settled();
    clock.set(start + hour);
    await finish('a', 'b');
    await ending;
    expect([batches(), session.memory.hasDropped()]).toEqual([[['a', 'b']], true]);
  });

  test('is not called again once it told that the row of the worker was deleted', async () => {
    const made = await joinedSession({ settle: async () => 'fenced' });
    const { clock, send, finish, batches, session, errors, end, ends } = made;
    await send('a', 'b');
    await finish('a');
    await clock.advance(20);
    await finish('b');
    expect([session.ended(), session.memory.hasDropped(), errors.length]).toEqual(['fenced', true, 1]);
    await end();
    expect([batches(), ends]).toEqual([[['a']], []]);
  });

  test('ends the session when a write may have taken effect; the same batch is stored again', async () => {
    const answers = [new PortTimeout('storage.deliveries.settle', 1_000, 'write')];
    const { clock, send, finish, batches, session, end, ends } = await joinedSession({
      settle: async () => {
        const failure = answers.pop();
        if (failure) throw failure;
        return stored;
      },
    });
    await send('a');
    await finish('a');
    expect(session.ended()).toBe('lost');
    await clock.advance(second);
    await end();
    expect([batches(), ends]).toEqual([[['a'], ['a']], ['leave']]);
  });
});

describe('the lease', () => {
  test('golden: is renewed every tenth of it, every fifth time with the watermark of the served shards', async () => {
    const { clock, beats, session, end } = await joinedSession();
    await session.cycle('woken');
    await clock.advance(12 * second);
    expect(beatsAt(beats)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000]);
    expect(beats.map(([, { shards }]) => shards.length)).toEqual([0, 0, 0, 0, 0, 128, 0]);
    expect(beats.map(([, { isStopping }]) => isStopping)).toEqual(Array(7).fill(false));
    await end();
    expect(clock.sleepers()).toBe(0);
  });

  test('is renewed again a second after a renewal that failed, until it is over and longer', async () => {
    const answers = [alone, ...Array(30).fill(down)];
    const { clock, beats, session, errors, end } = await joinedSession({
      heartbeat: async () => {
        const answer = answers.shift() ?? alone;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    await clock.advance(20 * second);
    expect(beatsAt(beats)).toEqual([0, ...Array.from({ length: 19 }, (_, index) => (index + 2) * second)]);
    expect(errors).toEqual(Array(19).fill(['heartbeat', down]));
    expect([session.memory.shards.leaseLeft(), session.ended()]).toEqual([0, undefined]);
    await clock.advance(12 * second);
    expect(session.memory.shards.leaseLeft()).toBe(20 * second);
    await end();
  });

  test('is renewed a moment after the lease of another worker ends, and at once when workers changed', async () => {
    const answers: BeatAnswer[] = [{ workers: 2, freeShards: 0, nextExpiryIn: 1_500 }];
    const { clock, beats, session, end } = await joinedSession({ heartbeat: async () => answers.shift() ?? alone });
    await clock.advance(2 * second);
    expect(beatsAt(beats)).toEqual([0, 1_510]);
    session.wake({ kind: 'events', shards: [3] });
    await settled();
    expect(beats).toHaveLength(2);
    session.wake({ kind: 'members' });
    await settled();
    expect(beatsAt(beats)).toEqual([0, 1_510, 2_000]);
    await end();
  });

  test('of a worker whose row was deleted is renewed no more; that is reported once', async () => {
    const answers: (BeatAnswer | 'fenced')[] = [alone, 'fenced'];
    const { clock, beats, session, errors, end, ends } = await joinedSession({
      heartbeat: async () => answers.shift() ?? alone,
    });
    await clock.advance(60 * second);
    expect([beatsAt(beats), session.ended()]).toEqual([[0, 2_000], 'fenced']);
    expect(errors).toEqual([['heartbeat', expect.objectContaining({ name: 'WorkerFenced' })]]);
    await end();
    expect([beats.length, ends, clock.sleepers()]).toEqual([2, [], 0]);
  });
});

describe('a session that stops', () => {
  test('stores the watermark of its shards, then leaves', async () => {
    const { beats, session, settlements, end, ends } = await joinedSession();
    await session.cycle('woken');
    await end();
    expect(beats.map(([, { shards, isStopping }]) => [shards.length, isStopping])).toEqual([
      [0, false],
      [128, true],
    ]);
    expect([ends, settlements, session.ended()]).toEqual([['leave'], [], 'stopped']);
  });

  test('releases shards with nothing in flight at once, and leaves once the outcomes of the others are stored', async () => {
    const { clock, beats, session, send, finish, batches, end, ends } = await joinedSession();
    await send('a');
    const ending = end();
    await clock.advance(second);
    expect([ends, beats.at(-1)?.[1].shards.length]).toEqual([['release 127'], 128]);
    expect(session.memory.shards.served()).toEqual([]);
    await finish('a');
    await ending;
    expect([batches(), ends.at(-1)]).toEqual([[['a']], 'leave']);
  });

  test('ends after the outcomes that came while a batch was stored are stored too', async () => {
    const gates: (() => void)[] = [];
    const { send, finish, batches, end } = await joinedSession({
      settle: () => new Promise((resolve) => gates.push(() => resolve(stored))),
    });
    await send('a');
    await finish('a');
    await send('b');
    await finish('b');
    const ending = end();
    for (let index = 0; index < 2; index++) {
      await settled();
      gates[index]?.();
    }
    await ending;
    expect(batches()).toEqual([['a'], ['b']]);
  });

  test('keeps abandoned shards that it could not recover: its successor acquires them as abandoned', async () => {
    const abandoned = [{ shard: 3, watermark: 0, wasAbandoned: true }];
    const { session, end, ends } = await joinedSession({
      acquire: async () => abandoned,
      recover: async () => {
        throw new Error('down');
      },
    });
    await session.cycle('woken');
    await end();
    expect(ends).toEqual([]);
  });

  test('starts nothing more', async () => {
    const { session, send, end } = await joinedSession();
    session.stop();
    await send('a');
    expect([session.memory.flights.started(), session.memory.schedule.ready()]).toEqual([0, 1]);
    await end();
  });
});
