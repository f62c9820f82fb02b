import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { DisabledBy } from '../endpoints/endpoint.ts';

/**
 * A worker as its store knows it.
 * @public
 */
export interface StoredWorker {
  /** Its id: a UUIDv7 of the time at which it joined. */
  readonly id: string;
  /** Number of shards that it owns. */
  readonly shards: number;
  /** It waits for its attempts in flight, and acquires no shards. */
  readonly isStopping: boolean;
  /** Rest of its lease, in milliseconds; 0: it has expired, and the shards have no owner. */
  readonly leaseLeft: DurationMs;
}

/**
 * An endpoint whose deliveries are not made.
 * @public
 */
export interface TroubledEndpoint {
  /** The account of the endpoint. */
  readonly accountId: string;
  readonly endpointId: string;
  /** Number of attempts that failed in a row; 0: it does not fail, or is disabled. */
  readonly failures: number;
  /** When the first of them ended. Absent: it does not fail. */
  readonly failingSince?: EpochMs;
  /** Until when nothing is sent. Absent: it is not paused. */
  readonly pausedUntil?: EpochMs;
  /** Why it is disabled. Absent: it is enabled. */
  readonly disabledBy?: DisabledBy;
  /** Its stored deliveries that wait or are held, counted to 1,000 (`maxCountedOfEndpoint`). */
  readonly unfinished: number;
  /** Age of the oldest due one of them, in milliseconds. Absent: none is due. */
  readonly oldestDue?: DurationMs;
}

/**
 * A table of the store, by the estimates of the database.
 * @public
 */
export interface TableSize {
  /** The name of the table. */
  readonly name: string;
  /** Estimated number of rows. */
  readonly rows: number;
  /** Size with its indexes, in bytes. */
  readonly bytes: number;
}

/**
 * What a store knows of its health, as of one moment.
 * @public
 */
export interface HealthSnapshot {
  /** The time of the store's clock. */
  readonly now: EpochMs;
  /** Age of the oldest event that is not dispatched, in milliseconds. Absent: there is none. */
  readonly oldestUndispatched?: DurationMs;
  /** The workers, in the order of their ids; those with an expired lease until another worker removes them. */
  readonly workers: readonly StoredWorker[];
  /** Number of shards that no worker with a lease owns. */
  readonly freeShards: number;
  /** Number of endpoints that fail, counted to 10,000 (`maxCounted`). */
  readonly failingEndpoints: number;
  /** The worst endpoints of all accounts, at most 10. */
  readonly endpoints: readonly TroubledEndpoint[];
  /** The largest tables, largest first. Absent: the store does not know their sizes cheaply. */
  readonly tables?: readonly TableSize[];
}

/** Upper limit of `TroubledEndpoint.unfinished`. @public */
export const maxCountedOfEndpoint = 1_000;

/** Maximum number of `HealthSnapshot.endpoints`. @public */
export const maxTroubled = 10;
