import { isHalfOpen, pausedUntil, takesUrgent } from '../../delivery-rules/breaker.ts';
import { type DurationMs, second } from '../../runtime/time.ts';
import { type AccountLane, type EndpointLane, type LoadedDelivery, readyCount } from './in-hand.ts';
import type { Schedule } from './schedule.ts';

/** Maximum number of deliveries of one endpoint in memory. */
const maxReadyOfEndpoint = 1_000;
/** Above this number in all, an endpoint has at most `leastReadyOfEndpoint`. */
const maxReady = 10_000;
const leastReadyOfEndpoint = 16;
/** A delivery that has waited this long in memory goes to the store, because it holds back the watermark. */
const maxWait: DurationMs = 5 * second;
/** Interval of {@link Overflow.sweep}. */
const sweepEvery: DurationMs = second;

/** What {@link createOverflow} calls. @internal */
export interface OverflowDeps {
  readonly schedule: Schedule;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Writes a delivery to the store's queue. */
  readonly queue: (delivery: LoadedDelivery) => void;
  /** Records that the store has queued deliveries of the endpoint. */
  readonly noteQueue: (lane: EndpointLane) => void;
}

/** Decides which deliveries wait in memory and which in the store. @internal */
export interface Overflow {
  /** Whether the endpoint may receive now. */
  isOpen(lane: EndpointLane): boolean;
  /** Whether deliveries wait in memory up to its limit. */
  isFull(): boolean;
  /** Whether memory has capacity for one more delivery of the endpoint, beside `planned` ones. */
  accepts(lane: EndpointLane, planned?: number): boolean;
  /** Whether memory has capacity for one more urgent delivery of the endpoint. */
  acceptsUrgent(lane: EndpointLane): boolean;
  /** The endpoint may not receive for now: its deliveries in memory go to the store, except urgent ones. */
  close(lane: EndpointLane): void;
  /** The endpoint was read: it may receive, or its pause is not over yet. */
  open(lane: EndpointLane): void;
  /** Lists endpoints whose pause is over. */
  reopen(): void;
  /** Moves deliveries that have waited too long to the store, at most once a second. Returns whether it ran. */
  sweep(accounts: Iterable<AccountLane>): boolean;
}

/** Creates the overflow of a session. @internal */
export const createOverflow = ({ schedule, now, queue, noteQueue }: OverflowDeps): Overflow => {
  const paused = new Set<EndpointLane>();
  let sweptAt = now();

  const isPaused = ({ health }: EndpointLane): boolean => health !== undefined && pausedUntil(health) > now();

  const isOpen = (lane: EndpointLane): boolean =>
    lane.endpoint.state === 'enabled' && !lane.isGone && !isHalfOpen(lane.health) && !isPaused(lane);

  const isFull = (): boolean => schedule.ready() >= maxReady;

  const isOpenToUrgent = ({ endpoint, isGone, health }: EndpointLane): boolean =>
    endpoint.state === 'enabled' && !isGone && takesUrgent(health, now());

  const spill = (lane: EndpointLane): void => {
    for (const delivery of schedule.takeReady(lane))
      if (delivery.isUrgent && delivery.stored === 'scheduled' && isOpenToUrgent(lane)) schedule.add(delivery);
      else queue(delivery);
    if (!lane.isGone && (lane.queueing > 0 || lane.queue !== 'none')) noteQueue(lane);
  };

  const close = (lane: EndpointLane): void => {
    spill(lane);
    if (lane.endpoint.state === 'enabled' && !lane.isGone) paused.add(lane);
  };

  const hasWaited = ({ ready, head }: EndpointLane): boolean => {
    const before = now() - maxWait;
    return ready.some(({ stored, since }, at) => at >= head && stored === 'fresh' && since < before);
  };

  return {
    isOpen,
    isFull,
    accepts: (lane, planned = 0) => {
      const limit = isFull() ? leastReadyOfEndpoint : maxReadyOfEndpoint;
      return isOpen(lane) && lane.queue !== 'some' && readyCount(lane) + planned < limit;
    },
    acceptsUrgent: (lane) => isOpenToUrgent(lane) && readyCount(lane) < leastReadyOfEndpoint,
    close,
    open: (lane) => {
      // A clock of the storage that was set back lengthens the pause that is read.
      if (isPaused(lane)) close(lane);
      else schedule.relist(lane);
    },
    reopen: () => {
      for (const lane of paused) {
        if (lane.endpoint.state === 'enabled' && !lane.isGone && isPaused(lane)) continue;
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
