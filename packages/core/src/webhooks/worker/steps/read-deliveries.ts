import type { PendingDelivery, QueueRead } from '../../deliveries/delivery-store.ts';
import { isHalfOpen } from '../../delivery-rules/breaker.ts';
import { type EndpointLane, isBusy, isEnabled, type LoadedDelivery, readyCount } from '../memory/lane.ts';
import { callStore, type Did, hasFailed, nothing, type StepContext, type StepFailure } from './step.ts';

const dueLimit = 256;
const queueLimit = 64;
/** Maximum number of queues per read. */
const maxQueues = 64;

/** Due deliveries. */
export interface ReadDue extends Did {
  readonly deliveries: readonly PendingDelivery[];
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

/** Reads due deliveries. */
export const readDue = async (context: StepContext): Promise<ReadDue | StepFailure> => {
  const { memory, stores } = context;
  const due = await callStore(context, 'read', () =>
    stores.deliveries.readDue(memory.shards.served(), dueLimit, memory.pendingKeys(), memory.accounts.knownVersion()),
  );
  if (hasFailed(due)) return due;
  memory.observe(due);
  const { deliveries } = due;
  return { did: deliveries.length, deliveries, hasMore: deliveries.length >= dueLimit };
};

/** Takes due deliveries into memory. Their accounts are in memory. */
export const keepDue = ({ memory }: StepContext, deliveries: readonly PendingDelivery[]): void => {
  for (const delivery of deliveries) {
    const loaded = memory.load(delivery, 'scheduled');
    if (loaded) memory.keep(loaded);
    else memory.queueKey(delivery);
  }
};

/** While half-open, reads by attempts: the probe is the delivery with the most attempts. */
const queueReadOf = ({ memory, rules, perEndpoint, now }: StepContext, lane: EndpointLane): QueueRead | undefined => {
  const { account, endpoint, health } = lane;
  const waiting = readyCount(lane);
  const isProbe = isHalfOpen(health);
  // Without room, an endpoint gets one delivery into memory: its account takes turns.
  const isNarrow = isProbe || lane.pace === 'hanging' || !memory.hasRoom();
  if (!isEnabled(lane) || account.isStale || waiting >= (isNarrow ? 1 : perEndpoint)) return undefined;
  // A delivery being written to the queue may have more attempts.
  if (isProbe && lane.queueing > 0) return undefined;
  if (lane.queue === 'replays' && waiting + lane.inFlight >= perEndpoint) return undefined;
  if (rules.availableCapacity(health, { inFlight: lane.inFlight, perEndpoint, now: now() }) <= 0) return undefined;
  const { shard, accountId } = account;
  const which = { shard, accountId, endpointId: endpoint.id };
  return isProbe
    ? { ...which, limit: 1, order: 'attempts' }
    : { ...which, limit: isNarrow ? 1 : queueLimit, order: 'due' };
};

/** The queues to read: first of accounts that wait for nothing else, so that no backlog of others delays them. */
const planReads = (context: StepContext): ReadonlyMap<EndpointLane, QueueRead> => {
  const { queues } = context.memory;
  const wanted = new Map<EndpointLane, QueueRead>();
  for (const ofBusy of [false, true]) {
    for (const lane of queues.all()) {
      if (wanted.size === maxQueues) return wanted;
      if (lane.queue === 'none' || lane.isGone) queues.forget(lane);
      else if (isBusy(lane.account) === ofBusy) {
        const read = queueReadOf(context, lane);
        if (read) wanted.set(lane, read);
      }
    }
  }
  return wanted;
};

/** Reads queues of endpoints that have capacity. */
export const readQueues = async (context: StepContext): Promise<Did | StepFailure> => {
  const { memory, stores } = context;
  const wanted = planReads(context);
  if (wanted.size === 0) return nothing;
  const writes = memory.queues.writes();
  const queued = await callStore(context, 'read', () =>
    stores.deliveries.readQueued([...wanted.values()], memory.pendingKeys(wanted), memory.accounts.knownVersion()),
  );
  if (hasFailed(queued)) return queued;
  memory.observe(queued);
  const isExact = writes === memory.queues.writes();
  const found = new Map<EndpointLane, LoadedDelivery[]>([...wanted.keys()].map((lane) => [lane, []]));
  for (const delivery of queued.deliveries) {
    const loaded = memory.load(delivery, 'queued');
    if (loaded) found.get(loaded.lane)?.push(loaded);
  }
  for (const [lane, deliveries] of found) {
    memory.queues.noteRead(lane, deliveries, wanted.get(lane)?.limit ?? 0, isExact);
    for (const delivery of deliveries) memory.keep(delivery);
  }
  return { did: queued.deliveries.length };
};
