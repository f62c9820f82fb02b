import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day } from '@partnerkit/core';
import {
  type Endpoint,
  type NewEvent,
  type PendingDelivery,
  type QueueRead,
  type Settlement,
  type SettleOutcome,
  type ShardedKey,
  shardOf,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  answered,
  dispatchAll,
  events,
  keyOf,
  logged,
  pending,
  publish,
  settle,
  takeShards,
} from './acts.ts';
import { endpoint, ours, theirs } from './records.ts';
import { stored } from './stored.ts';

interface Few<T> {
  readonly 1: readonly [T];
  readonly 2: readonly [T, T];
  readonly 3: readonly [T, T, T];
  readonly 4: readonly [T, T, T, T];
}
/** A tuple of the requested number of keys. */
type Keys<N extends number> = N extends keyof Few<unknown> ? Few<ShardedKey>[N] : readonly ShardedKey[];

/** A storage whose shards all belong to `worker`. */
export interface World extends StorageFixture {
  /** Our endpoint; it selects `payed`. */
  readonly endpoint: Endpoint;
  /** Commits our events and dispatches them to our endpoint. Resolves to their deliveries. */
  deliver<N extends number>(count: N, change?: Partial<NewEvent>): Promise<Keys<N>>;
  /** Like `deliver`, and queues the deliveries. */
  enqueue<N extends number>(count: N): Promise<Keys<N>>;
  /** Like `deliver`, and settles the deliveries as delivered. */
  complete<N extends number>(count: N, change?: Partial<NewEvent>): Promise<Keys<N>>;
  settle(part: Partial<Settlement>): Promise<SettleOutcome>;
  /** Due scheduled deliveries of all shards. */
  due(): Promise<readonly PendingDelivery[]>;
  /** Queued deliveries of our endpoint. */
  queued(change?: Partial<QueueRead>): Promise<readonly PendingDelivery[]>;
  /** Changes our stored endpoint. */
  change(change: Partial<Endpoint>): Promise<void>;
}

/** A world in a storage whose shards belong to `worker`. */
export const open = async (fixture: StorageFixture): Promise<World> => {
  const { storage } = fixture;
  const { endpoints, deliveries } = storage;
  const own = endpoint();
  await endpoints.insertEndpoint(own, 20);
  const queue: QueueRead = { shard: shardOf(ours), accountId: ours, endpointId: own.id, limit: 100, order: 'due' };
  const deliver = async <N extends number>(count: N, change?: Partial<NewEvent>): Promise<Keys<N>> => {
    const published = events(count, change);
    await publish(storage, published);
    await dispatchAll(storage, () => ({ endpointIds: [own.id] }));
    return published.map((each) => keyOf(each, own.id)) as readonly ShardedKey[] as Keys<N>;
  };
  return {
    ...fixture,
    endpoint: own,
    deliver,
    enqueue: async (count) => {
      const keys = await deliver(count);
      await settle(storage, { pending: keys.map((key) => pending(key)) });
      return keys;
    },
    complete: async (count, change) => {
      const keys = await deliver(count, change);
      await settle(storage, { attempts: keys.map((key) => logged(key, 1, answered(200), 'delivered')) });
      return keys;
    },
    settle: (part) => settle(storage, part),
    due: async () => (await deliveries.readDue(allShards, 100, [], 0)).deliveries,
    queued: async (change = {}) => (await deliveries.readQueued([{ ...queue, ...change }], [], 0)).deliveries,
    change: async (change) => {
      const found = await endpoints.findEndpoint(ours, own.id);
      ok(found, 'the endpoint is there');
      strictEqual(await endpoints.replaceEndpoint({ ...found, ...change }), true);
    },
  };
};

/**
 * A case of our deliveries. The other account has two: one queued, and one that was attempted and is due in years. No
 * case may change them.
 */
export const beside =
  (act: (world: World) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { storage } = fixture;
    await takeShards(storage);
    const other = endpoint({ accountId: theirs });
    await storage.endpoints.insertEndpoint(other, 20);
    await publish(storage, events(2, { accountId: theirs }));
    const made = await dispatchAll(storage, () => ({ endpointIds: [other.id] }));
    const [queued, retried] = made.map((each) => keyOf(each.event, other.id)) as [ShardedKey, ShardedKey];
    const later = { state: 'scheduled', dueIn: 1_000 * day, attempts: 1, logged: 1 } as const;
    await settle(storage, {
      attempts: [logged(retried, 1, answered(500))],
      pending: [pending(queued), pending(retried, later)],
    });
    const before = await stored(storage, theirs);
    await act(await open(fixture));
    deepStrictEqual(await stored(storage, theirs), before);
  };
