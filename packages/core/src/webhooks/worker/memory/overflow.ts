import { type DurationMs, second } from '../../../base/runtime/time.ts';
import { isHalfOpen, pausedUntil, takesUrgent } from '../../delivery-rules/breaker.ts';
import { type AccountLane, type EndpointLane, isEnabled, type LoadedDelivery, readyCount } from './lane.ts';
import { pageSize } from './outbox.ts';
import type { Queues } from './queues.ts';
import type { Schedule } from './schedule.ts';
import type { Shards } from './shards.ts';
import type { Unsettled } from './unsettled.ts';

/** Above this number in all, an endpoint has at most `leastReadyOfEndpoint`. */
const maxReady = 10_000;
const leastReadyOfEndpoint = 16;
/** A dispatch may add this number, however many wait: those that memory does not take go to the store's queues. */
const leastOfDispatch = pageSize;
/** A delivery that has waited this long in memory goes to the store, because it holds back the watermark. */
const maxWait: DurationMs = 5 * second;
/** Interval of {@link Overflow.sweep}. */
const sweepEvery: DurationMs = second;

/** The parts of the memory that {@link createOverflow} uses. */
export interface OverflowDeps {
  readonly schedule: Schedule;
  readonly queues: Queues;
  readonly unsettled: Unsettled;
  readonly shards: Shards;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Maximum number of deliveries of one endpoint in memory. */
  readonly maxReadyOfEndpoint: number;
}

/** Decides which deliveries wait in memory and which in the store. */
export interface Overflow {
  /** Whether deliveries wait in memory up to its limit. */
  isFull(): boolean;
  /** Number of deliveries that one dispatch may add, to memory and to the store's queues. */
  maxDeliveries(): number;
  /** Whether memory has capacity for one more delivery of the endpoint, beside `planned` ones. */
  accepts(lane: EndpointLane, planned?: number): boolean;
  /** Takes a dispatched delivery, or one that was read, into memory; or writes it to the store's queue. */
  add(delivery: LoadedDelivery): void;
  /** The endpoint may not receive for now: its deliveries in memory go to the store, except urgent ones. */
  close(lane: EndpointLane): void;
  /** The endpoint was read: it may receive, or its pause is not over yet. */
  open(lane: EndpointLane): void;
  /** Lists endpoints whose pause is over. */
  reopen(): void;
  /** Moves deliveries that have waited too long to the store, at most once a second. Returns whether it ran. */
  sweep(accounts: Iterable<AccountLane>): boolean;
}

/** Creates the overflow of a memory. */
export const createOverflow = (deps: OverflowDeps): Overflow => {
  const { schedule, queues, unsettled, shards, now, maxReadyOfEndpoint } = deps;
  const paused = new Set<EndpointLane>();
  let sweptAt = now();

  const isPaused = ({ health }: EndpointLane): boolean => health !== undefined && pausedUntil(health) > now();

  const isOpen = (lane: EndpointLane): boolean =>
    isEnabled(lane) && !lane.isGone && !isHalfOpen(lane.health) && !isPaused(lane);

  const isOpenToUrgent = (lane: EndpointLane): boolean =>
    isEnabled(lane) && !lane.isGone && takesUrgent(lane.health, now());

  const isFull = (): boolean => schedule.ready() >= maxReady;

  const accepts = (lane: EndpointLane, planned = 0): boolean => {
    const limit = isFull() ? leastReadyOfEndpoint : maxReadyOfEndpoint;
    return isOpen(lane) && lane.queue !== 'some' && readyCount(lane) + planned < limit;
  };

  const queue = (delivery: LoadedDelivery): void => {
    shards.use(delivery.shard);
    queues.writing(delivery.lane);
    unsettled.add({ delivery });
  };

  const queueAndNote = (delivery: LoadedDelivery): void => {
    queue(delivery);
    if (!delivery.lane.isGone) queues.note(delivery.lane);
  };

  /** Whether memory takes a delivery. One that was read from a queue was chosen by its capacity then. */
  const takes = ({ stored, isUrgent, lane }: LoadedDelivery): boolean => {
    if (stored === 'queued') return true;
    // It was planned when its endpoint had capacity; the endpoint may have been closed since.
    if (stored === 'fresh') return isOpen(lane);
    return isUrgent ? isOpenToUrgent(lane) && readyCount(lane) < leastReadyOfEndpoint : accepts(lane);
  };

  const spill = (lane: EndpointLane): void => {
    for (const delivery of schedule.takeReady(lane))
      if (delivery.isUrgent && delivery.stored === 'scheduled' && isOpenToUrgent(lane)) schedule.add(delivery);
      else queue(delivery);
    if (!lane.isGone && (lane.queueing > 0 || lane.queue !== 'none')) queues.note(lane);
  };

  const close = (lane: EndpointLane): void => {
    spill(lane);
    if (isEnabled(lane) && !lane.isGone) paused.add(lane);
  };

  const hasWaited = ({ ready, head }: EndpointLane): boolean => {
    const before = now() - maxWait;
    return ready.some(({ stored, since }, at) => at >= head && stored === 'fresh' && since < before);
  };

  return {
    isFull,
    maxDeliveries: () => Math.max(maxReady - schedule.ready(), leastOfDispatch),
    accepts,
    add: (delivery) => {
      if (takes(delivery)) schedule.add(delivery);
      else queueAndNote(delivery);
    },
    close,
    open: (lane) => {
      // A clock of the storage that was set back lengthens the pause that is read.
      if (isPaused(lane)) close(lane);
      else schedule.relist(lane);
    },
    reopen: () => {
      for (const lane of paused) {
        if (isEnabled(lane) && !lane.isGone && isPaused(lane)) continue;
        paused.delete(lane);
        schedule.relist(lane);
      }
    },
    sweep: (accounts) => {
      if (now() - sweptAt < sweepEvery) return false;
      sweptAt = now();
      for (const { lanes } of accounts) for (const lane of lanes) if (hasWaited(lane)) spill(lane);
      return true;
    },
  };
};
