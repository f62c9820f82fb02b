import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, second } from '@partnerkit/core';
import {
  type EventDispatch,
  type NewEvent,
  type PropagatedEvent,
  type Storage,
  shardOf,
} from '@partnerkit/core/adapter';
import { listen } from '../shards/waking.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  dispatchAll,
  eventsOf,
  markSettled,
  publish,
  readOutbox,
  takeShards,
  worker,
} from '../support/acts.ts';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { child, event, inShardOf, ours, theirs } from '../support/records.ts';
import { eventIdsOf, findEvent } from '../support/stored.ts';

const everywhere = allShards.map((shard) => ({ shard }));
const read = ({ parents }: Storage<object>, ranges = everywhere, limit = 1_000): Promise<readonly PropagatedEvent[]> =>
  parents.readPropagated(ranges, limit);

/** Commits events and dispatches them with a parent that may be interested; the worker owns the shards. */
const dispatch = async (
  storage: Storage<object>,
  published: readonly NewEvent[],
  change: Partial<EventDispatch> = {},
): Promise<readonly PropagatedEvent[]> => {
  await publish(storage, published);
  await dispatchAll(storage, () => ({ propagates: true, ...change }));
  return read(storage);
};

/** Makes copies for the given parent, or for none. */
const propagate = (
  { parents }: Storage<object>,
  events: readonly PropagatedEvent[],
  parentId?: string,
): Promise<'stored' | 'fenced'> =>
  parents.propagate(
    worker,
    events.map((each) => (parentId === undefined ? each : { ...each, parentId })),
  );

/** A case of our child. Nothing may appear in the outbox or the events of the other account. */
const owned =
  (act: (storage: Storage<object>, fixture: StorageFixture) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { storage } = fixture;
    await takeShards(storage);
    await act(storage, fixture);
    deepStrictEqual(await eventIdsOf(storage, theirs), []);
  };

const cases: Cases<StorageFixture> = {
  'events that propagate are read in the order of the ranges, of accounts, and of dispatch': owned(async (storage) => {
    const accounts = ['acc_A', 'acc_a', 'acc_ｱ', 'acc_😀'].map((begin) => inShardOf(child, begin));
    const [first, second_, third, last] = accounts;
    ok(first && second_ && third && last);
    const published = [...accounts, ours, ...accounts, ours].map((accountId) => event({ accountId })).toReversed();
    for (const from of [0, 4, 8]) await dispatch(storage, published.slice(from, from + 4));
    await dispatch(storage, [event({ accountId: first })], { propagates: false });
    const of = (...accountIds: readonly string[]): readonly string[] =>
      accountIds.flatMap((id) => published.filter(({ accountId }) => accountId === id).map((each) => each.id));
    const shard = shardOf(child);
    deepStrictEqual(eventsOf(await read(storage, [{ shard }])), of(...accounts));
    const around = [{ shard, after: third }, { shard: shardOf(ours) }, { shard, before: second_ }];
    const all = await read(storage, around);
    deepStrictEqual(eventsOf(all), of(last, ours, first));
    for (const limit of [1, 3]) deepStrictEqual(await read(storage, around, limit), all.slice(0, limit));
    deepStrictEqual(
      all.map(({ position: _position, ...rest }) => rest),
      eventsOf(all).map((eventId) => {
        const { accountId = '', objectName, type } = published.find(({ id }) => id === eventId) ?? {};
        return { shard: shardOf(accountId), accountId, eventId, objectName, type };
      }),
    );
  }),
  'a copy is its event in the outbox of the parent': owned(async (storage) => {
    const happened = event({
      accountId: child,
      traceContext: 'trace',
      idempotencyKey: 'key',
      occurredAt: 1_735_689_600_500,
    });
    const waiting = await dispatch(storage, [happened], { timestamp: 1_735_689_777 });
    const before = await findEvent(storage, child, happened.id);
    strictEqual(await propagate(storage, waiting, ours), 'stored');
    const [copy, ...others] = await readOutbox(storage);
    ok(copy && others.length === 0);
    const { idempotencyKey: _key, ...rest } = happened;
    const expected = { ...rest, accountId: ours, origin: child, occurredAt: 1_735_689_777 * second };
    const { position: _position, storedAt: _storedAt, shard, ...found } = copy;
    deepStrictEqual([found, shard], [expected, shardOf(ours)]);
    deepStrictEqual(await findEvent(storage, ours, happened.id), expected);
    deepStrictEqual(await findEvent(storage, child, happened.id), before);
    deepStrictEqual(await read(storage), []);
  }),
  'copies are added in the given order; events without a parent get none': owned(async (storage) => {
    const waiting = await dispatch(
      storage,
      [1, 2, 3, 4].map(() => event({ accountId: child })),
    );
    const [a, b, c, d] = waiting;
    ok(a && b && c && d);
    await storage.parents.propagate(
      worker,
      [d, b, a].map((each) => (each === b ? each : { ...each, parentId: ours })),
    );
    deepStrictEqual(await read(storage), [c]);
    deepStrictEqual(
      (await readOutbox(storage)).map(({ id }) => id),
      [d.eventId, a.eventId],
    );
  }),
  'an event that is propagated repeatedly, or by many at once, has one copy': owned(async (storage) => {
    const [first, second_] = await dispatch(storage, [event({ accountId: child }), event({ accountId: child })]);
    ok(first && second_);
    await race(() => propagate(storage, [first], ours));
    await propagate(storage, [first, second_], ours);
    const copies = async () => (await readOutbox(storage)).map(({ id }) => id);
    deepStrictEqual(await copies(), [first.eventId, second_.eventId]);
    await dispatchAll(storage);
    await propagate(storage, [first, second_], ours);
    deepStrictEqual(await copies(), []);
  }),
  'an event with a pending propagation is not pruned': owned(async (storage, fixture) => {
    const limits = { held: 14 * day, deleted: day, events: 30 * day, limit: 1_000 };
    const waiting = await dispatch(storage, [event({ accountId: child })]);
    await fixture.elapse(31 * day);
    await markSettled(fixture);
    await storage.log.prune(allShards, limits);
    deepStrictEqual(await eventIdsOf(storage, child), eventsOf(waiting));
    await propagate(storage, waiting);
    await storage.log.prune(allShards, limits);
    deepStrictEqual(await eventIdsOf(storage, child), []);
  }),
  'copies wake watchers': owned(async (storage) => {
    const waiting = await dispatch(storage, [event({ accountId: child })]);
    const { stop, events } = await listen(storage);
    await propagate(storage, waiting, ours);
    await events(ours);
    stop();
  }),
};

/** Tests the obligations of a `ParentPropagation`. */
export const parentPropagationContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
