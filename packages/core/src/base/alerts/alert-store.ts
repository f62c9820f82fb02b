import type { NewAuditEntry } from '../audit/audit-entry.ts';

/**
 * Port: the addresses that accounts named for alerts, at most one of each account.
 *
 * - A change writes its entry of the audit trail in its transaction (see `AuditStore`); a call that changes nothing
 *   writes none.
 * @public
 */
export interface AlertStore {
  /** Reads the address of an account. `undefined`: it has none. */
  findAddress(accountId: string): Promise<string | undefined>;
  /** Replaces the address of an account. `undefined` removes it. */
  setAddress(accountId: string, address: string | undefined, audit: NewAuditEntry): Promise<void>;
  /**
   * Stores the address of an account that has none. `false`: it has one, which stays. Of simultaneous calls, one stores
   * its address.
   */
  insertAddress(accountId: string, address: string, audit: NewAuditEntry): Promise<boolean>;
}
