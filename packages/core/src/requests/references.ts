import type { AccountRef } from './record.ts';

/**
 * A reference of one account's objects of one kind.
 * @public
 */
export interface ReferenceKey {
  readonly account: AccountRef;
  /** The kind of object, such as `RequestPayment`. */
  readonly object: string;
  readonly reference: string;
}

/**
 * Port: which object has which reference. Called only with `uniqueReferences`.
 * @public
 */
export interface ReferenceStore<Tx extends object> {
  /**
   * Gives a free reference to an object, inside `tx`. `false`, and nothing written, when another object has it. Waits while another
   * transaction holds it: its rollback leaves it free. Never aborts `tx`.
   */
  claim(tx: Tx, key: ReferenceKey, objectId: string): Promise<boolean>;
  /** Frees a reference that this object has; nothing happens when it has not. */
  release(tx: Tx, key: ReferenceKey, objectId: string): Promise<void>;
}
