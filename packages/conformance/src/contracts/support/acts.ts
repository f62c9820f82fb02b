import { ok, strictEqual } from 'node:assert';
import { day, type EpochMs } from '@partnerkit/core';
import {
  type DeliveryKey,
  type EventDispatch,
  type LoggedAttempt,
  type NewEvent,
  nextTimestamp,
  type OutboxEvent,
  type PendingChange,
  type SendOutcome,
  type Settlement,
  type SettleOutcome,
  type ShardedKey,
  type ShardRange,
  type Storage,
  shardCount,
  shardOf,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { event } from './records.ts';

/** The worker that a case controls. */
export const worker = 'worker-1';
/** Longer than any case takes. */
export const lease = 2_000 * day;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);
const everywhere: readonly ShardRange[] = allShards.map((shard) => ({ shard }));

export const answered = (status: number): SendOutcome => ({
  kind: 'answered',
  status,
  body: `said ${status}`,
  durationMs: 12,
});

/** Similar events. */
export const events = (count: number, change: Partial<NewEvent> = {}): readonly NewEvent[] =>
  Array.from({ length: count }, () => event(change));

/** Commits events in a transaction. */
export const publish = (storage: Storage<object>, published: readonly NewEvent[]) =>
  storage.transaction((tx) => storage.events.append(tx, published));

export const readOutbox = async (
  { deliveries }: Pick<Storage<object>, 'deliveries'>,
  ranges: readonly ShardRange[] = everywhere,
  limit = 1_000,
): Promise<readonly OutboxEvent[]> => (await deliveries.readOutbox(ranges, limit, 0)).events;

/** An event as core dispatches it. */
export const dispatched = (read: OutboxEvent, change: Partial<EventDispatch> = {}): EventDispatch => ({
  event: read,
  timestamp: nextTimestamp(read.occurredAt ?? read.storedAt, read.storedAt, read.lastTimestamp),
  endpointIds: [],
  propagates: false,
  ...change,
});

let passing = 0;

/** Dispatches everything that was committed: by a worker that joins and leaves, or by `worker`, the owner. */
export const dispatchAll = async (
  storage: Storage<object>,
  change: (event: OutboxEvent) => Partial<EventDispatch> = () => ({}),
  notBefore: EpochMs = 0,
): Promise<readonly EventDispatch[]> => {
  const all: EventDispatch[] = [];
  const joined = `passing-${passing++}`;
  await storage.shards.join(joined, lease);
  const acquired = await storage.shards.acquire(joined, shardCount);
  const isOwner = acquired !== 'fenced' && acquired.length > 0;
  for (let read = await readOutbox(storage); read.length > 0; read = await readOutbox(storage)) {
    const timestamps = new Map<string, number>();
    const batch = read.map((each) => {
      const object = `${each.accountId} ${each.objectId}`;
      const last = timestamps.get(object) ?? each.lastTimestamp;
      const made = dispatched(last === undefined ? each : { ...each, lastTimestamp: last }, change(each));
      timestamps.set(object, made.timestamp);
      return { ...made, event: each };
    });
    strictEqual(await storage.deliveries.dispatch(isOwner ? joined : worker, batch, [], notBefore), 'stored');
    all.push(...batch);
  }
  await storage.shards.leave(joined);
  return all;
};

/** Makes a worker the owner of all free shards. */
export const takeShards = async ({ shards, deliveries }: Storage<object>, workerId = worker): Promise<void> => {
  await shards.join(workerId, lease);
  const acquired = await shards.acquire(workerId, shardCount);
  ok(acquired !== 'fenced' && (await deliveries.recover(workerId, acquired)) === 'stored');
};

/** Stores a watermark of all shards of the worker, by default up to now. */
export const markSettled = async ({ storage, storeNow }: StorageFixture, watermark?: EpochMs): Promise<void> => {
  const beat = {
    shards: allShards,
    watermark: watermark ?? Math.ceil(await storeNow()) + 1,
    settlement: 0,
    isStopping: false,
  };
  ok((await storage.shards.heartbeat(worker, lease, beat)) !== 'fenced');
};

/** Lets a month pass, and prunes the events with their attempts. */
export const dropEvents = async (fixture: StorageFixture): Promise<void> => {
  await fixture.elapse(31 * day);
  await markSettled(fixture);
  const never = 1_000 * day;
  const limits = { held: never, deleted: never, events: 30 * day, limit: 100 };
  await fixture.storage.log.prune(allShards, limits);
};

export const keyOf = ({ accountId, id }: NewEvent, endpointId: string, replay = 0): ShardedKey => ({
  shard: shardOf(accountId),
  accountId,
  eventId: id,
  endpointId,
  replay,
});

export const logged = (
  { accountId, eventId, endpointId, replay }: DeliveryKey,
  number: number,
  outcome: SendOutcome,
  state?: LoggedAttempt['state'],
): LoggedAttempt => ({
  ...{ accountId, eventId, endpointId, replay, number, outcome },
  ...(state === undefined ? {} : { state }),
});

export const pending = (key: ShardedKey, change: Partial<PendingChange> = {}): PendingChange => ({
  ...key,
  state: 'queued',
  dueIn: 0,
  attempts: 0,
  logged: 0,
  ...change,
});

let settlements = 0;

/** A settlement with the next number. */
export const settlementOf = (part: Partial<Settlement>): Settlement => ({
  number: ++settlements,
  after: 0,
  ...{ attempts: [], pending: [], queued: [], finished: [], health: [], transitions: [] },
  ...part,
});

export const settle = async (storage: Storage<object>, part: Partial<Settlement>): Promise<SettleOutcome> => {
  const settled = await storage.deliveries.settle(worker, settlementOf(part), 0);
  ok(settled !== 'fenced', 'the worker is there');
  return settled;
};

/** The event ids of deliveries. */
export const eventsOf = (deliveries: readonly { readonly eventId: string }[]): readonly string[] =>
  deliveries.map(({ eventId }) => eventId);
