import type { DeliveryKey } from '../delivery-ports/delivery-id.ts';
import type {
  DeliveryStore,
  PendingDelivery,
  QueueRead,
  ShardedKey,
  StoreState,
} from '../delivery-ports/delivery-store.ts';
import { availableCapacity, isHalfOpen } from '../delivery-rules/breaker.ts';
import { callPort } from '../runtime/call-port.ts';
import { type EndpointLane, type LoadedDelivery, readyCount } from './memory/in-hand.ts';
import type { Lanes } from './memory/lanes.ts';
import type { Schedule } from './memory/schedule.ts';
import type { Settler } from './settler.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** What {@link createReading} calls. @internal */
export interface ReadingDeps {
  readonly store: Pick<DeliveryStore, 'readDue' | 'readQueued' | 'readEndpoints'>;
  readonly errors: WorkerErrors;
  readonly lanes: Lanes;
  readonly schedule: Schedule;
  readonly settler: Settler;
  readonly now: () => number;
  readonly perEndpoint: number;
  readonly served: () => readonly number[];
  readonly onState: (state: StoreState) => void;
  /** Whether memory has capacity for more deliveries. */
  readonly hasRoom: () => boolean;
  /** Whether memory has capacity for one more delivery of the endpoint. */
  readonly accepts: (lane: EndpointLane) => boolean;
  /** Whether memory has capacity for one more urgent delivery of the endpoint. */
  readonly acceptsUrgent: (lane: EndpointLane) => boolean;
}

/** Loads pending deliveries from the store into memory. @internal */
export interface Reading {
  /** Reads the endpoints of accounts, and of all that changed. Resolves to whether all accounts are known. */
  load(accountIds: Iterable<string>): Promise<boolean>;
  /** Reads due deliveries. Resolves to their number. */
  readDue(): Promise<number>;
  /** Whether the last `readDue` reached its limit. */
  hasMoreDue(): boolean;
  /** Reads queues of endpoints that have capacity. Resolves to the number of deliveries. */
  readQueues(): Promise<number>;
  /** Records that the store has queued deliveries of the endpoint. */
  noteQueue(lane: EndpointLane): void;
  /** Shards are served from now on: their accounts with queued deliveries are read next. */
  serve(shards: readonly number[]): void;
  /** A delivery is settled or dropped: it may be read again. */
  forget(delivery: LoadedDelivery): void;
}

const dueLimit = 256;
const queueLimit = 64;
/** Maximum number of queues per read. */
const maxQueues = 64;
const maxAccounts = 500;
/** Maximum number of shards per read of all their accounts with queued deliveries: each call has a time limit. */
const maxShards = 32;

/** Creates the reader of a session. @internal */
export const createReading = (deps: ReadingDeps): Reading => {
  const { store, errors, lanes, schedule, settler, now, perEndpoint, served, onState } = deps;
  const { hasRoom, accepts, acceptsUrgent } = deps;
  /** Pending deliveries in memory or not yet stored, with their keys for `except`. */
  const inHand = new Map<LoadedDelivery, DeliveryKey>();
  const queues = new Set<EndpointLane>();
  const accountsOf = new Set<number>();
  let hasMoreDue = false;

  const read = async (accountIds: readonly string[], queuedIn: readonly number[]): Promise<boolean> => {
    const writes = settler.queueWrites();
    const state = await errors.orElse(
      'read',
      callPort(() => store.readEndpoints(accountIds, queuedIn)),
      undefined,
    );
    if (!state) return false;
    onState(state);
    lanes.learn(accountIds, state, state.endpoints, writes === settler.queueWrites());
    for (const accountId of new Set(state.endpoints.map(({ endpoint }) => endpoint.accountId)))
      for (const lane of lanes.get(accountId)?.lanes ?? []) if (lane.queue !== 'none') queues.add(lane);
    return true;
  };

  const load: Reading['load'] = async (accountIds) => {
    const { accountIds: stale, shards } = lanes.outdated();
    for (const shard of shards) accountsOf.add(shard);
    const wanted = new Set(stale);
    for (const accountId of accountIds) {
      const account = lanes.get(accountId);
      if (!account || account.isStale) wanted.add(accountId);
    }
    const own = new Set(served());
    for (const shard of accountsOf) if (!own.has(shard)) accountsOf.delete(shard);
    const queuedIn = [...accountsOf];
    const all = [...wanted];
    const reads = Math.max(Math.ceil(all.length / maxAccounts), Math.ceil(queuedIn.length / maxShards));
    for (let at = 0; at < reads; at++) {
      const ofShards = queuedIn.slice(at * maxShards, (at + 1) * maxShards);
      if (!(await read(all.slice(at * maxAccounts, (at + 1) * maxAccounts), ofShards))) return false;
      for (const shard of ofShards) accountsOf.delete(shard);
    }
    return true;
  };

  const inHandOf = (delivery: PendingDelivery, lane: EndpointLane, stored: 'scheduled' | 'queued'): LoadedDelivery => {
    const { shard, accountId, eventId, endpointId, replay, event, attempts, logged, wasAbandoned, isUrgent } = delivery;
    return {
      ...{ shard, accountId, eventId, endpointId, replay, attempts, logged, wasAbandoned, isUrgent, lane, stored },
      event: { event, timestamp: event.timestamp, body: event.body },
      batch: undefined,
      since: now(),
    };
  };

  const laneOf = ({ accountId, endpointId }: ShardedKey): EndpointLane | undefined =>
    lanes.get(accountId)?.lanes.find(({ endpoint }) => endpoint.id === endpointId);

  const keep = (delivery: LoadedDelivery): void => {
    const { accountId, eventId, endpointId, replay } = delivery;
    inHand.set(delivery, { accountId, eventId, endpointId, replay });
    if (delivery.stored === 'scheduled' && !(delivery.isUrgent ? acceptsUrgent : accepts)(delivery.lane)) {
      settler.queue(delivery);
      queues.add(delivery.lane);
    } else schedule.add(delivery);
  };

  /** While half-open, reads by attempts: the probe is the delivery with the most attempts. */
  const readOf = (lane: EndpointLane): QueueRead | undefined => {
    const { account, endpoint, health } = lane;
    const waiting = readyCount(lane);
    const isProbe = isHalfOpen(health);
    // Without room, an endpoint gets one delivery into memory: its account takes turns.
    const isNarrow = isProbe || lane.hasTimedOut || !hasRoom();
    if (endpoint.state !== 'enabled' || account.isStale || waiting >= (isNarrow ? 1 : perEndpoint)) return undefined;
    // A delivery being written to the queue may have more attempts.
    if (isProbe && lane.queueing > 0) return undefined;
    if (lane.queue === 'replays' && waiting + lane.inFlight >= perEndpoint) return undefined;
    if (availableCapacity(health, lane.inFlight, perEndpoint, now()) <= 0) return undefined;
    const { shard, accountId } = account;
    const which = { shard, accountId, endpointId: endpoint.id };
    return isProbe
      ? { ...which, limit: 1, order: 'attempts' }
      : { ...which, limit: isNarrow ? 1 : queueLimit, order: 'due' };
  };

  const noteRead = (lane: EndpointLane, found: readonly LoadedDelivery[], limit: number, isExact: boolean): void => {
    const last = found.at(-1);
    if (found.length < limit && isExact && lane.queueing === 0) {
      lane.queue = 'none';
      queues.delete(lane);
    } else if (isExact && last && last.replay > 0 && last.attempts === 0) lane.queue = 'replays';
  };

  return {
    load,
    readDue: async () => {
      const due = await errors.orElse(
        'read',
        callPort(() => store.readDue(served(), dueLimit, [...inHand.values()])),
        undefined,
      );
      if (!due) return 0;
      onState(due);
      hasMoreDue = due.deliveries.length >= dueLimit;
      if (!(await load(due.deliveries.map(({ accountId }) => accountId)))) return 0;
      for (const delivery of due.deliveries) {
        const lane = laneOf(delivery);
        // Its endpoint is deleted: it expires with the next pruning.
        if (lane) keep(inHandOf(delivery, lane, 'scheduled'));
        else settler.queueKey(delivery);
      }
      return due.deliveries.length;
    },
    hasMoreDue: () => hasMoreDue,
    readQueues: async () => {
      const wanted = new Map<EndpointLane, QueueRead>();
      for (const lane of queues) {
        if (lane.queue === 'none' || lane.isGone) queues.delete(lane);
        const queueRead = lane.isGone ? undefined : readOf(lane);
        if (queueRead && lane.queue !== 'none') wanted.set(lane, queueRead);
        if (wanted.size === maxQueues) break;
      }
      if (wanted.size === 0) return 0;
      const writes = settler.queueWrites();
      const except = [...inHand].flatMap(([{ lane }, key]) => (wanted.has(lane) ? [key] : []));
      const queued = await errors.orElse(
        'read',
        callPort(() => store.readQueued([...wanted.values()], except)),
        undefined,
      );
      if (!queued) return 0;
      onState(queued);
      const isExact = writes === settler.queueWrites();
      const found = new Map<EndpointLane, LoadedDelivery[]>([...wanted.keys()].map((lane) => [lane, []]));
      for (const delivery of queued.deliveries) {
        const lane = laneOf(delivery);
        if (lane) found.get(lane)?.push(inHandOf(delivery, lane, 'queued'));
      }
      for (const [lane, deliveries] of found) {
        // Move it to the end: queues are read round-robin.
        queues.delete(lane);
        queues.add(lane);
        noteRead(lane, deliveries, wanted.get(lane)?.limit ?? 0, isExact);
        for (const delivery of deliveries) keep(delivery);
      }
      return queued.deliveries.length;
    },
    noteQueue: (lane) => {
      lane.queue = 'some';
      queues.add(lane);
    },
    serve: (shards) => {
      for (const shard of shards) accountsOf.add(shard);
    },
    forget: (delivery) => {
      inHand.delete(delivery);
    },
  };
};
