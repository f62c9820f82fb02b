import type { availableCapacity } from '../../delivery-rules/breaker.ts';
import { type AccountLane, type EndpointLane, isEnabled, type LoadedDelivery, type Pace, readyCount } from './lane.ts';

/** The limits of a schedule. */
export interface ScheduleDeps {
  /** Maximum number of attempts in flight. */
  readonly concurrency: number;
  /** Maximum number in flight to one endpoint. */
  readonly perEndpoint: number;
  /** Maximum number in flight for one account. */
  readonly perAccount: number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** How many more deliveries of an endpoint may be in flight. */
  readonly availableCapacity: typeof availableCapacity;
}

/**
 * Decides which delivery is sent next: round-robin over accounts, and over the endpoints of an account.
 *
 * Endpoints whose last attempt timed out, and those that have not ended one yet, have one attempt each. Together they
 * have at most three quarters of `concurrency`, of which those that timed out take no more than half. An account with
 * none in flight may try an endpoint beyond that.
 */
export interface Schedule {
  /** Adds a delivery that waits for capacity. Urgent ones come before the others of their endpoint. */
  add(delivery: LoadedDelivery): void;
  /** Takes the next delivery that may be sent and counts it as in flight; `undefined` for none. */
  next(): LoadedDelivery | undefined;
  /** An attempt of the endpoint ended, with which its pace is this. */
  complete(lane: EndpointLane, pace: Pace): void;
  /** The endpoint may have capacity again. */
  relist(lane: EndpointLane): void;
  /** Removes the waiting deliveries of an endpoint. */
  takeReady(lane: EndpointLane): readonly LoadedDelivery[];
  /** Deliveries that may be sent as soon as `concurrency` allows, counted to `limit`. */
  runnable(limit: number): number;
  /** Deliveries that wait in memory. */
  ready(): number;
  /** Attempts in flight. */
  inFlight(): number;
}

/** What endpoints of one pace may use of `concurrency`. */
interface Share {
  /** No attempt to one of them begins while so many are in flight to endpoints that are not prompt. */
  readonly max: number;
  /** Those that wait until fewer are. */
  readonly postponed: Set<EndpointLane>;
}

/** Creates the schedule of a session. */
export const createSchedule = ({ concurrency, now, availableCapacity, ...caps }: ScheduleDeps): Schedule => {
  /** A cap that `concurrency` reaches first limits nothing: such deliveries may be sent as soon as that allows. */
  const capOf = (cap: number): number => (cap < concurrency ? cap : Number.POSITIVE_INFINITY);
  const perEndpoint = capOf(caps.perEndpoint);
  const perAccount = capOf(caps.perAccount);
  const ring: AccountLane[] = [];
  let ready = 0;
  let inFlight = 0;
  /** Attempts in flight to endpoints of which the last attempt did not end in time, or none has ended. */
  let unproven = 0;
  const shareOf = (part: number): Share => ({
    max: Math.max(1, Math.floor(part * concurrency)),
    postponed: new Set(),
  });
  const shares: Readonly<Record<Pace, Share>> = {
    hanging: shareOf(1 / 2),
    untried: shareOf(3 / 4),
    prompt: shareOf(Number.POSITIVE_INFINITY),
  };

  const hasCapacity = (lane: EndpointLane): boolean => {
    const perLane = lane.pace === 'prompt' ? perEndpoint : 1;
    const isUrgent = lane.ready[lane.head]?.isUrgent;
    const load = { inFlight: lane.inFlight, perEndpoint: perLane, now: now(), isUrgent };
    if (!isEnabled(lane) || availableCapacity(lane.health, load) <= 0) return false;
    const isFirst = lane.pace === 'untried' && lane.account.inFlight === 0;
    const { max, postponed } = shares[lane.pace];
    const isPostponed = !isFirst && unproven >= max;
    if (isPostponed) postponed.add(lane);
    return !isPostponed;
  };

  const list = (lane: EndpointLane): void => {
    const { account } = lane;
    if (!lane.isListed && lane.head < lane.ready.length && hasCapacity(lane)) {
      lane.isListed = true;
      account.ring.push(lane);
    }
    if (!account.isListed && !account.isStale && account.ring.length > 0 && account.inFlight < perAccount) {
      account.isListed = true;
      ring.push(account);
    }
  };

  const take = (lane: EndpointLane): LoadedDelivery => {
    const delivery = lane.ready[lane.head] as LoadedDelivery;
    lane.head++;
    // Remove sent deliveries in blocks: shift() would move the whole array each time.
    if (lane.head === lane.ready.length || lane.head === 512) {
      lane.ready.splice(0, lane.head);
      lane.head = 0;
    }
    ready--;
    return delivery;
  };

  const listPostponed = (): void => {
    for (const { max, postponed } of Object.values(shares)) {
      if (unproven >= max) continue;
      const lanes = [...postponed];
      postponed.clear();
      for (const lane of lanes) list(lane);
    }
  };

  /** The next endpoint of an account with capacity; its state may have changed since it was listed. */
  const nextLane = (account: AccountLane): EndpointLane | undefined => {
    for (let lane = account.ring.shift(); lane; lane = account.ring.shift()) {
      lane.isListed = false;
      if (lane.head < lane.ready.length && hasCapacity(lane)) return lane;
    }
    return undefined;
  };

  return {
    add: (delivery) => {
      const { ready: others, head } = delivery.lane;
      const at = delivery.isUrgent ? others.findIndex((each, index) => index >= head && !each.isUrgent) : -1;
      if (at < 0) others.push(delivery);
      else others.splice(at, 0, delivery);
      ready++;
      list(delivery.lane);
    },
    next: () => {
      if (inFlight >= concurrency) return undefined;
      for (let account = ring.shift(); account; account = ring.shift()) {
        account.isListed = false;
        const lane = account.isStale ? undefined : nextLane(account);
        if (!lane) continue;
        const delivery = take(lane);
        lane.inFlight++;
        if (lane.pace !== 'prompt') unproven++;
        account.inFlight++;
        inFlight++;
        list(lane);
        return delivery;
      }
      return undefined;
    },
    complete: (lane, pace) => {
      if (lane.pace !== 'prompt') unproven -= lane.inFlight;
      lane.inFlight--;
      lane.account.inFlight--;
      inFlight--;
      lane.pace = pace;
      if (pace !== 'prompt') unproven += lane.inFlight;
      listPostponed();
      // It may try one more endpoint, whatever else is in flight.
      if (lane.account.inFlight === 0 && shares.untried.postponed.size > 0)
        for (const each of lane.account.lanes) list(each);
      list(lane);
    },
    relist: list,
    takeReady: (lane) => {
      const taken = lane.ready.splice(0).slice(lane.head);
      lane.head = 0;
      ready -= taken.length;
      return taken;
    },
    runnable: (limit) => {
      let count = 0;
      let left = shares.untried.max - unproven;
      for (const account of ring) {
        for (const lane of account.ring) {
          if (lane.pace === 'prompt') count += readyCount(lane);
          else if (left-- > 0) count++;
        }
        if (count >= limit) return limit;
      }
      return count;
    },
    ready: () => ready,
    inFlight: () => inFlight,
  };
};
