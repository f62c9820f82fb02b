import { type DurationMs, second } from '../runtime/time.ts';
import { isHalfOpen, pausedUntil } from './health.ts';
import { type AccountLane, type DeliveryInHand, type EndpointLane, readyCount } from './in-hand.ts';
import type { Schedule } from './schedule.ts';

/** What one endpoint may have in memory; and while there is too much in all. */
const maxReadyOfEndpoint = 1_000;
const maxReady = 10_000;
const leastReadyOfEndpoint = 16;
/** A delivery that has waited in memory for so long goes to the store: it would keep the mark of its shard. */
const maxWait: DurationMs = 5 * second;
/** How often it is looked for. */
const sweepEvery: DurationMs = second;

/** @internal */
export interface OverflowDeps {
  readonly schedule: Schedule;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Hands a delivery to the queue of the store. */
  readonly queue: (delivery: DeliveryInHand) => void;
  /** The store has queued deliveries of the endpoint. */
  readonly noteQueue: (lane: EndpointLane) => void;
}

/** Which deliveries wait in memory, and which in the store. @internal */
export interface Overflow {
  /** The endpoint may be sent to now. */
  isOpen(lane: EndpointLane): boolean;
  /** The endpoint keeps one more delivery in memory, beside those that are planned. */
  accepts(lane: EndpointLane, planned?: number): boolean;
  /** The endpoint may not be sent to for now: what it has in memory goes to the store. */
  close(lane: EndpointLane): void;
  /** Endpoints whose pause is over may be sent to again. */
  reopen(): void;
  /** What has waited for too long goes to the store. Looks once a second at most, and says whether it did. */
  sweep(accounts: Iterable<AccountLane>): boolean;
}

/** @internal */
export const createOverflow = ({ schedule, now, queue, noteQueue }: OverflowDeps): Overflow => {
  const paused = new Set<EndpointLane>();
  let sweptAt = now();

  const isPaused = ({ health }: EndpointLane): boolean => health !== undefined && pausedUntil(health) > now();

  const isOpen = (lane: EndpointLane): boolean =>
    lane.endpoint.state === 'enabled' && !lane.isGone && !isHalfOpen(lane.health) && !isPaused(lane);

  const spill = (lane: EndpointLane): void => {
    for (const delivery of schedule.takeReady(lane)) queue(delivery);
    if (!lane.isGone && (lane.queueing > 0 || lane.queue !== 'none')) noteQueue(lane);
  };

  const hasWaited = ({ ready, head }: EndpointLane): boolean => {
    const before = now() - maxWait;
    return ready.some(({ stored, since }, at) => at >= head && stored === 'fresh' && since < before);
  };

  return {
    isOpen,
    accepts: (lane, planned = 0) => {
      const limit = schedule.ready() < maxReady ? maxReadyOfEndpoint : leastReadyOfEndpoint;
      return isOpen(lane) && lane.queue !== 'some' && readyCount(lane) + planned < limit;
    },
    close: (lane) => {
      spill(lane);
      if (lane.endpoint.state === 'enabled' && !lane.isGone) paused.add(lane);
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
