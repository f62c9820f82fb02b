import { availableCapacity } from './health.ts';
import { type AccountLane, type DeliveryInHand, type EndpointLane, readyCount } from './in-hand.ts';

/** @internal */
export interface ScheduleDeps {
  /** How many attempts may be in flight. */
  readonly concurrency: number;
  readonly perEndpoint: number;
  readonly perAccount: number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/** Who is sent next: accounts take turns, and so do the endpoints of an account. @internal */
export interface Schedule {
  add(delivery: DeliveryInHand): void;
  /** Takes the next delivery that may be sent, and counts it as in flight; `undefined` when there is none. */
  next(): DeliveryInHand | undefined;
  /** An attempt of the endpoint ended. */
  land(lane: EndpointLane): void;
  /** The endpoint may have capacity again. */
  relist(lane: EndpointLane): void;
  /** Takes out what waits for an endpoint. */
  takeReady(lane: EndpointLane): readonly DeliveryInHand[];
  /** How many deliveries may be sent as soon as there is a slot, counted to `limit`. */
  runnable(limit: number): number;
  /** How many wait in memory, whether they may be sent or not. */
  ready(): number;
  inFlight(): number;
}

/** @internal */
export const createSchedule = ({ concurrency, perEndpoint, perAccount, now }: ScheduleDeps): Schedule => {
  const ring: AccountLane[] = [];
  let ready = 0;
  let inFlight = 0;

  const hasCapacity = (lane: EndpointLane): boolean =>
    lane.endpoint.state === 'enabled' && availableCapacity(lane.health, lane.inFlight, perEndpoint, now()) > 0;

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

  const take = (lane: EndpointLane): DeliveryInHand => {
    const delivery = lane.ready[lane.head] as DeliveryInHand;
    lane.head++;
    // What was sent is let go in pieces: shifting each would move all.
    if (lane.head === lane.ready.length || lane.head === 512) {
      lane.ready.splice(0, lane.head);
      lane.head = 0;
    }
    ready--;
    return delivery;
  };

  /** The next endpoint of an account that may be sent to still; the state may have changed since it was listed. */
  const nextLane = (account: AccountLane): EndpointLane | undefined => {
    for (let lane = account.ring.shift(); lane; lane = account.ring.shift()) {
      lane.isListed = false;
      if (lane.head < lane.ready.length && hasCapacity(lane)) return lane;
    }
    return undefined;
  };

  return {
    add: (delivery) => {
      delivery.lane.ready.push(delivery);
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
        account.inFlight++;
        inFlight++;
        list(lane);
        return delivery;
      }
      return undefined;
    },
    land: (lane) => {
      lane.inFlight--;
      lane.account.inFlight--;
      inFlight--;
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
      for (const account of ring) {
        for (const lane of account.ring) count += readyCount(lane);
        if (count >= limit) return limit;
      }
      return count;
    },
    ready: () => ready,
    inFlight: () => inFlight,
  };
};
