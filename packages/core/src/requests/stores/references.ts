import type { AccountRef } from '../record/record.ts';

/**
 * A reference among one account's objects of one kind.
 * @public
 */
export interface ReferenceKey {
  /** The account, with its environment. */
  readonly account: AccountRef;
  /** The kind of object, such as `RequestPayment`. */
  readonly object: string;
  /** The reference itself. */
  readonly reference: string;
}

/**
 * Port: references in use. Called only with `uniqueReferences`.
 * @public
 */
export interface ReferenceStore<Tx extends object> {
  /**
   * Claims a reference for an object, inside `tx`.
   *
   * - Returns `false` and writes nothing when another object has it.
   * - Waits while another open transaction has claimed it; that transaction's rollback frees it.
   * - Never aborts `tx`.
   */
  claim(tx: Tx, key: ReferenceKey, objectId: string): Promise<boolean>;
  /** Frees the reference when this object has it; otherwise does nothing. */
  release(tx: Tx, key: ReferenceKey, objectId: string): Promise<void>;
}
