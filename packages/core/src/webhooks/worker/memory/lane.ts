import type { EpochSeconds } from '../../../base/runtime/time.ts';
import type { ShardedKey } from '../../deliveries/delivery-store.ts';
import type { Health } from '../../delivery-rules/breaker.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Batch } from './watermark.ts';

/** A dispatched event, shared by its deliveries. */
export interface LoadedEvent {
  readonly event: NewEvent;
  /** Its `timestamp`. */
  readonly timestamp: EpochSeconds;
  /** The serialized body, created on first use. */
  body: string | undefined;
  /** The bodies in other envelopes, by name, created on first use. */
  otherBodies: Map<string, string> | undefined;
}

/** A delivery in a worker's memory. */
export interface LoadedDelivery extends ShardedKey {
  /** Its endpoint. */
  readonly lane: EndpointLane;
  /** Its event. */
  readonly event: LoadedEvent;
  /** Attempts that count. */
  readonly attempts: number;
  /** The largest number in its log. */
  readonly logged: number;
  /** Whether a dead worker may have made an attempt. */
  readonly wasAbandoned: boolean;
  /** Whether it is sent while the breaker pauses its endpoint. */
  readonly isUrgent: boolean;
  /** How the store has it: `fresh`, by its event alone; otherwise its pending state. */
  readonly stored: 'fresh' | 'scheduled' | 'queued';
  /** Fresh deliveries: the batch in which they were dispatched. */
  readonly batch: Batch | undefined;
  /** When it came into memory, by the monotonic clock. */
  readonly since: number;
}

/**
 * How fast a receiver ends attempts: `untried`, none has ended yet; `prompt`, the last one ended before its deadline;
 * `hanging`, it timed out.
 */
export type Pace = 'untried' | 'prompt' | 'hanging';

/**
 * An endpoint and its deliveries in the memory of its shard's owner. Each field is written by one part of the memory.
 */
export interface EndpointLane {
  /** Its account. */
  readonly account: AccountLane;
  /** `accounts`: the endpoint as last read. */
  endpoint: Endpoint;
  /** `accounts`: its failures. */
  health: Health | undefined;
  /** `accounts`: whether the host pauses sending to it. */
  isSendingPaused: boolean;
  /** `accounts`: whether it was deleted, or its shard is no longer owned. */
  isGone: boolean;
  /** `schedule`: deliveries that wait for capacity; the first is at `head`. */
  readonly ready: LoadedDelivery[];
  /** `schedule`: the index of the first ready delivery. */
  head: number;
  /** `schedule`: attempts in flight. */
  inFlight: number;
  /** `schedule`: how its last attempt ended. */
  pace: Pace;
  /** `schedule`: whether it is in the ring of its account. */
  isListed: boolean;
  /** `queues`: what the store has queued for it; `replays` are served last. */
  queue: 'none' | 'replays' | 'some';
  /** `queues`: deliveries being written to the store's queue. */
  queueing: number;
}

/** An account and its endpoints in the memory of its shard's owner. Each field is written by one part of the memory. */
export interface AccountLane {
  readonly accountId: string;
  /** Its shard. */
  readonly shard: number;
  /** `accounts`: its endpoints. */
  lanes: readonly EndpointLane[];
  /** `accounts`: the endpoint version of its shard when its endpoints were read. */
  version: number;
  /** `accounts`: whether its endpoints have changed since; nothing is sent before they are read again. */
  isStale: boolean;
  /** `schedule`: its endpoints with deliveries and capacity, served round-robin. */
  readonly ring: EndpointLane[];
  /** `schedule`: attempts in flight. */
  inFlight: number;
  /** `schedule`: whether it is in the ring of accounts. */
  isListed: boolean;
}

/** Whether an account has attempts in flight or deliveries that take turns. */
export const isBusy = ({ inFlight, ring }: AccountLane): boolean => inFlight > 0 || ring.length > 0;

/** Whether anything may be sent to it, as far as its state and the host's pauses say. */
export const isEnabled = ({ endpoint, isSendingPaused }: EndpointLane): boolean =>
  endpoint.state === 'enabled' && !isSendingPaused;

/** Deliveries in memory that wait for capacity. */
export const readyCount = ({ ready, head }: EndpointLane): number => ready.length - head;
