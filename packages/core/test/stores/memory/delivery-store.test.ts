import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type {
  EventDispatch,
  OutboxEvent,
  PendingChange,
  Settlement,
  ShardRange,
} from '../../../src/webhooks/deliveries/delivery-store.ts';
import type { NewEvent } from '../../../src/webhooks/events/event.ts';
import { shardCount, shardOf } from '../../../src/webhooks/shards/shard.ts';
import type { ShardWake } from '../../../src/webhooks/shards/shard-store.ts';
import { start, testClock } from '../../support/clock.ts';
import { runs } from '../../support/runs.ts';

const minute = 60_000;
let made = 0;
const event = (accountId: string, change: Partial<NewEvent> = {}): NewEvent => ({
  id: `event ${made++}`,
  accountId,
  objectName: 'RequestPayment',
  objectId: 'p',
  type: 'payed',
  bodyTail: ',"data":{"id":"p"}}',
  ...change,
});

const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const { deliveries, shards, events } = storage;
  await shards.join('w', minute);
  await shards.acquire('w', shardCount);
  const everywhere: readonly ShardRange[] = Array.from({ length: shardCount }, (_, shard) => ({ shard }));
  const publish = (...published: readonly NewEvent[]) => storage.transaction((tx) => events.append(tx, published));
  const outbox = async () => (await deliveries.readOutbox(everywhere, 1_000, 0)).events;
  const dispatched = (each: OutboxEvent, timestamp: number, endpointIds: readonly string[] = []): EventDispatch => ({
    event: each,
    timestamp,
    endpointIds,
    propagates: false,
  });
  const change = (each: NewEvent, dueIn: number, state: PendingChange['state'] = 'scheduled'): PendingChange => ({
    ...{ shard: shardOf(each.accountId), accountId: each.accountId, eventId: each.id, endpointId: 'e', replay: 0 },
    ...{ state, dueIn, attempts: 0, logged: 0 },
  });
  return { clock, storage, deliveries, publish, outbox, dispatched, change };
};

describe('dispatch', () => {
  test('a used timestamp rejects the whole call, within a call and between two', async () => {
    const { deliveries, publish, outbox, dispatched } = await world();
    await publish(event('a'), event('b'), event('a'), event('a', { objectId: 'q' }));
    const ofAccount = async (accountId: string) => (await outbox()).filter((each) => each.accountId === accountId);
    const [first, second, other] = (await ofAccount('a')) as [OutboxEvent, OutboxEvent, OutboxEvent];
    const [foreign] = (await ofAccount('b')) as [OutboxEvent];
    const clash = [other, foreign, first, second].map((each) => dispatched(each, 7));
    await expect(deliveries.dispatch('w', clash, [], 0)).rejects.toThrow('timestamp');
    expect((await outbox()).map(({ lastTimestamp }) => lastTimestamp)).toEqual(Array(4).fill(undefined));
    expect(await deliveries.dispatch('w', clash.slice(0, 3), [], 0)).toBe('stored');
    await expect(deliveries.dispatch('w', clash.slice(3), [], 0)).rejects.toThrow('timestamp');
    expect((await outbox()).map(({ id, lastTimestamp }) => [id, lastTimestamp])).toEqual([[second.id, 7]]);
    // Below the last one, and free.
    expect(await deliveries.dispatch('w', [dispatched(second, 3)], [], 0)).toBe('stored');
    await publish(event('a'));
    expect((await outbox())[0]?.lastTimestamp).toBe(7);
  });

  test('an event is dispatched at notBefore while the clock is behind it', async () => {
    const { clock, deliveries, publish, outbox, dispatched } = await world();
    await publish(event('a'));
    clock.set(start - minute);
    const events = (await outbox()).map((each) => dispatched(each, 1, ['e']));
    await deliveries.dispatch('w', events, [], start + 0.5);
    const shard = shardOf('a');
    expect(await deliveries.recover('w', [{ shard, watermark: start + 2, wasAbandoned: false }])).toBe('stored');
    const queue = { shard, accountId: 'a', endpointId: 'e', limit: 9, order: 'due' } as const;
    expect((await deliveries.readQueued([queue], [], 0)).deliveries).toEqual([]);
    await deliveries.recover('w', [{ shard, watermark: start + 1, wasAbandoned: false }]);
    expect((await deliveries.readQueued([queue], [], 0)).deliveries).toHaveLength(1);
  });
});

describe('readOutbox', () => {
  test('reads accounts in the order of their UTF-8 bytes, after any reads and dispatches', async () => {
    // U+FF5E comes before U+1F3E1 in UTF-8, and after its surrogates in UTF-16.
    const ids = ['a', 'aa', 'b', 'é', '\uff5e', '\u{1f3e1}', '\u{1f3e1}b'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ account: fc.constantFrom(...ids), dispatches: fc.boolean() }), { maxLength: 40 }),
        fc.option(fc.constantFrom(...ids), { nil: undefined }),
        fc.option(fc.constantFrom(...ids), { nil: undefined }),
        fc.integer({ min: 1, max: 12 }),
        async (steps, after, before, limit) => {
          const { deliveries, publish, outbox, dispatched } = await world();
          let waiting: NewEvent[] = [];
          for (const [index, { account, dispatches }] of steps.entries()) {
            const published = event(account, { objectId: String(index) });
            await publish(published);
            waiting.push(published);
            if (!dispatches) continue;
            const some = (await outbox()).filter((_, at) => at % 2 === index % 2);
            await deliveries.dispatch(
              'w',
              some.map((each) => dispatched(each, 1)),
              [],
              0,
            );
            const gone = new Set(some.map(({ id }) => id));
            waiting = waiting.filter(({ id }) => !gone.has(id));
          }
          const bytes = (each: NewEvent) => Buffer.from(each.accountId);
          const range = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
          for (const shard of new Set(ids.map(shardOf))) {
            const expected = waiting
              .filter(({ accountId }) => shardOf(accountId) === shard)
              .filter((each) => after === undefined || Buffer.compare(bytes(each), Buffer.from(after)) > 0)
              .filter((each) => before === undefined || Buffer.compare(bytes(each), Buffer.from(before)) < 0)
              .sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
            const { events } = await deliveries.readOutbox([{ shard, ...range }], limit, 0);
            expect(events.map(({ id }) => id)).toEqual(expected.slice(0, limit).map(({ id }) => id));
          }
        },
      ),
      runs,
    );
  });
});

test('due deliveries are read in order, after any rescheduling, queueing and finishing', async () => {
  const step = fc.record({
    which: fc.nat({ max: 29 }),
    act: fc.constantFrom('schedule' as const, 'queue' as const, 'requeue' as const, 'finish' as const),
    dueIn: fc.integer({ min: -50, max: 50 }),
    attempts: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), async (steps, limit) => {
      const { deliveries, publish, outbox, dispatched, change } = await world();
      await publish(...Array.from({ length: 30 }, (_, index) => event('a', { objectId: String(index) })));
      const all = await outbox();
      await deliveries.dispatch(
        'w',
        all.map((each) => dispatched(each, 1)),
        [],
        0,
      );
      const model = new Map<number, { state: string; dueIn: number; attempts: number }>();
      for (const [index, { which, act, dueIn, attempts }] of steps.entries()) {
        const none = { attempts: [], pending: [], queued: [], finished: [], health: [], transitions: [] };
        const settle = (part: Partial<Settlement>) =>
          deliveries.settle('w', { number: index + 1, after: 0, ...none, ...part }, 0);
        const key = change(all[which] as NewEvent, dueIn, act === 'queue' ? 'queued' : 'scheduled');
        const known = model.get(which);
        if (act === 'finish') {
          await settle({ finished: [key] });
          model.delete(which);
        } else if (act === 'requeue') {
          await settle({ queued: [key] });
          if (known) known.state = 'queued';
        } else {
          await settle({ pending: [{ ...key, attempts }] });
          model.set(which, { state: key.state, dueIn, attempts });
        }
      }
      const ordered = (state: string, by: 'due' | 'attempts') =>
        [...model]
          .filter(([, each]) => each.state === state)
          .sort(([i, a], [j, b]) => (by === 'due' ? 0 : b.attempts - a.attempts) || a.dueIn - b.dueIn || i - j)
          .filter(([, { dueIn }]) => state === 'queued' || dueIn <= 0)
          .map(([which]) => all[which]?.id)
          .slice(0, limit);
      const shard = shardOf('a');
      const ids = (read: { readonly deliveries: readonly { readonly eventId: string }[] }) =>
        read.deliveries.map(({ eventId }) => eventId);
      expect(ids(await deliveries.readDue([shard], limit, [], 0))).toEqual(ordered('scheduled', 'due'));
      for (const order of ['due', 'attempts'] as const) {
        const queue = { shard, accountId: 'a', endpointId: 'e', limit, order };
        expect(ids(await deliveries.readQueued([queue], [], 0))).toEqual(ordered('queued', order));
      }
    }),
    runs,
  );
});

test('watchers are called once within the commit, with all shards', async () => {
  const { storage, publish } = await world();
  const wakes: ShardWake[] = [];
  const stop = await storage.shards.watch((wake) => wakes.push(wake));
  await storage.transaction(async (tx) => {
    await storage.events.append(tx, [event('a'), event('a'), event('b')]);
    expect(wakes).toEqual([]);
  });
  expect(wakes).toMatchObject([{ kind: 'events', shards: [shardOf('a'), shardOf('b')] }]);
  expect(wakes.map((wake) => wake.kind === 'events' && wake.announced?.map(({ accountId }) => accountId))).toEqual([
    ['a', 'a', 'b'],
  ]);
  await storage.transaction(async () => undefined);
  expect(wakes).toHaveLength(1);
  // What is not announced is read, and with it all that its transaction published.
  await storage.transaction(async (tx) => {
    await storage.events.append(tx, [event('a')]);
    await storage.events.append(tx, [event('b', { onlyTo: 'e' })]);
  });
  expect(wakes.at(-1)).toEqual({ kind: 'events', shards: [shardOf('a'), shardOf('b')] });
  stop();
  await publish(event('a'));
  expect(wakes).toHaveLength(2);
});
