import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Actor } from '../../base/signals/actor.ts';

/**
 * What a pause is of: an endpoint, all endpoints of an account, or those of all accounts.
 * @public
 */
export interface SendingScope {
  /** Absent: all accounts. */
  readonly accountId?: string;
  /** An endpoint of the account. Absent: all. */
  readonly endpointId?: string;
}

/**
 * A pause of sending.
 * @public
 */
export interface SendingPause extends SendingScope {
  /** Since when nothing is to be sent, by the store's clock. */
  readonly since: EpochMs;
  /** Who began it. */
  readonly by: Actor;
}

/**
 * Port: pauses of sending.
 *
 * - A pause that begins or ends raises the endpoint version of each shard that it concerns, in its transaction: all
 *   shards, or that of the account.
 * - It writes its entry of the audit trail in its transaction (see `AuditStore`); a call that changes nothing writes
 *   none.
 * - `DeliveryStore.readEndpoints` and `EndpointStore.readHealth` tell which endpoints are paused.
 * @public
 */
export interface SendingStore {
  /** Begins a pause, by the actor of its entry. One of the same scope stays as it is, and raises no version. */
  pause(scope: SendingScope, audit: NewAuditEntry): Promise<void>;
  /** Ends the pause of this very scope. Without one, it raises no version. */
  resume(scope: SendingScope, audit: NewAuditEntry): Promise<void>;
  /** Reads all pauses, in the byte order of accounts and endpoints; that of all accounts comes first. */
  listPauses(): Promise<readonly SendingPause[]>;
}
