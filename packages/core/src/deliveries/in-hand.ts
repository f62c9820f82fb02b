import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NewEvent } from '../events/event.ts';
import type { EpochSeconds } from '../runtime/time.ts';
import type { ShardedKey } from './delivery-store.ts';
import type { Health } from './health.ts';
import type { Batch } from './marks.ts';

/** A dispatched event, shared by its deliveries. @internal */
export interface EventInHand {
  readonly event: NewEvent;
  readonly timestamp: EpochSeconds;
  /** Made when it is first needed. */
  body: string | undefined;
}

/** A delivery that a worker holds in memory. @internal */
export interface DeliveryInHand extends ShardedKey {
  readonly lane: EndpointLane;
  readonly event: EventInHand;
  /** Attempts that count. */
  readonly attempts: number;
  /** The largest number in its log. */
  readonly logged: number;
  /** A worker that died may have made an attempt. */
  readonly wasAbandoned: boolean;
  /** How the store has it: `fresh`, by its event alone; or pending, in this state. */
  readonly stored: 'fresh' | 'scheduled' | 'queued';
  /** Of a fresh one: with which others it was stamped. */
  readonly batch: Batch | undefined;
  /** When it came into memory, by the monotonic clock. */
  readonly since: number;
}

/** An endpoint and its deliveries in the memory of its shard's owner. @internal */
export interface EndpointLane {
  readonly account: AccountLane;
  endpoint: Endpoint;
  health: Health | undefined;
  /** Deliveries that wait for capacity; the first stands at `head`. */
  readonly ready: DeliveryInHand[];
  head: number;
  inFlight: number;
  /** It stands in the ring of its account. */
  isListed: boolean;
  /** What the store has queued for it: replays are served after all others. */
  queue: 'none' | 'replays' | 'some';
  /** Deliveries on their way to the queue of the store. */
  queueing: number;
  /** It was deleted, or its shard is no longer owned. */
  isGone: boolean;
}

/** An account and its endpoints in the memory of its shard's owner. @internal */
export interface AccountLane {
  readonly accountId: string;
  readonly shard: number;
  lanes: readonly EndpointLane[];
  /** Those of its endpoints that have deliveries and capacity, in turn. */
  readonly ring: EndpointLane[];
  inFlight: number;
  /** It stands in the ring of accounts. */
  isListed: boolean;
  /** The version of its shard at which its endpoints were read. */
  version: number;
  /** Its endpoints have changed since: nothing is sent before they are read again. */
  isStale: boolean;
}

/** How many deliveries wait in memory for capacity. @internal */
export const readyCount = ({ ready, head }: EndpointLane): number => ready.length - head;
