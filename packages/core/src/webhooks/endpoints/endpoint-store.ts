import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { DisabledBy, Endpoint } from './endpoint.ts';

/**
 * Number of endpoints that hold a value sealed with one key.
 * @public
 */
export interface SealingKeyCount {
  /** The id of the sealing key. */
  readonly keyId: string;
  /** Number of endpoints. */
  readonly endpoints: number;
}

/**
 * Number of endpoints with one profile.
 * @public
 */
export interface ProfileCount {
  /** The name of the profile. */
  readonly profile: string;
  /** Number of endpoints. */
  readonly endpoints: number;
}

/**
 * What a store counts for one sealing key.
 * @public
 */
export interface StoredSealingKeyCount extends SealingKeyCount {
  /** Any one of these endpoints. */
  readonly sample: Endpoint;
}

/**
 * The failures of an endpoint, by the store's clock. An endpoint that works has no such record.
 * @public
 */
export interface EndpointHealth {
  readonly endpointId: string;
  /** Failed attempts since the last success. 0 for a disabled endpoint. */
  readonly failures: number;
  /** When the first of these attempts ended. */
  readonly failingSince?: EpochMs;
  /**
   * Until then the breaker is open, or the receiver's `Retry-After` has not passed. The breaker lets test events and
   * deliveries that were sent again through.
   */
  readonly pausedUntil?: EpochMs;
  /** Why the endpoint is disabled. */
  readonly disabledBy?: DisabledBy;
  /** Since when the endpoint is disabled. */
  readonly disabledSince?: EpochMs;
  /** Since when the host pauses sending to it: `kit.sending.pause`. Absent of a pull endpoint. */
  readonly sendingPausedSince?: EpochMs;
}

/**
 * Port: endpoints.
 *
 * - Every change of an endpoint, by `DeliveryStore.settle` too, raises the endpoint version of its account's shard in
 *   the same transaction (`StoreState`).
 * - It also records the new state of the endpoint with its time, for `DeliveryLog.readExplainSnapshot`.
 * - A change costs the same for any number of deliveries: their rows stay as they are.
 * - With `audit`, a call that makes its change writes this entry, too, in the same transaction (see `AuditStore`).
 * - Deliveries of an endpoint that is not enabled count as held, and those of a deleted endpoint as expired.
 * @public
 */
export interface EndpointStore<Tx extends object = object> {
  /**
   * Stores a new endpoint.
   *
   * - Returns `false` when the account already has `max` endpoints; exact under simultaneous calls.
   * - Rejects when the id exists.
   * - With `tx`, joins this transaction, which ends soon after.
   */
  insertEndpoint(endpoint: Endpoint, max: number, tx?: Tx, audit?: NewAuditEntry): Promise<boolean>;
  /** Reads an endpoint of an account; `undefined` when there is none. */
  findEndpoint(accountId: string, endpointId: string): Promise<Endpoint | undefined>;
  /** Reads the health of those of the given endpoints that fail, are disabled or paused; the order is free. */
  readHealth(accountId: string, endpointIds: readonly string[]): Promise<readonly EndpointHealth[]>;
  /** Lists the endpoints of an account. */
  listEndpoints(accountId: string, page: PageRequest): Promise<StoredPage<Endpoint>>;
  /**
   * Lists the endpoints of all accounts; never shown to a partner.
   *
   * - Changes of endpoints do not affect the order: an endpoint that exists throughout is on exactly one page.
   */
  listAllEndpoints(page: PageRequest): Promise<StoredPage<Endpoint>>;
  /**
   * Counts the endpoints of all accounts by the keys that sealed their `secret`, `nextSecret` or API key
   * (`sealingKeyId`).
   *
   * - An endpoint counts once for each of its keys.
   * - `sample` is one endpoint with a value of the key.
   * - The order is free.
   */
  countBySealingKey(): Promise<readonly StoredSealingKeyCount[]>;
  /** Counts the endpoints of all accounts by the name of their profile; those without one are left out. */
  countByProfile(): Promise<readonly ProfileCount[]>;
  /**
   * Replaces an endpoint.
   *
   * - Stores it with `version + 1` if the stored version equals `endpoint.version`; returns whether it did.
   * - Exactly one of N simultaneous calls for a version returns `true`.
   * - Deletes the health of the endpoint in the same transaction when its state leaves or returns to `enabled`.
   */
  replaceEndpoint(endpoint: Endpoint, audit?: NewAuditEntry): Promise<boolean>;
  /**
   * Ends the pauses of an endpoint, by the breaker and by `Retry-After`, now; its other health stays.
   *
   * - Increments its version if the stored version equals `version`; returns whether it did.
   */
  resumeEndpoint(accountId: string, endpointId: string, version: number, audit?: NewAuditEntry): Promise<boolean>;
  /** Deletes an endpoint and its health. Returns `false` when there was none. */
  deleteEndpoint(accountId: string, endpointId: string, audit?: NewAuditEntry): Promise<boolean>;
}
