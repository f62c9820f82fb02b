/** Options of `Storage.transaction`. @public */
export interface TransactionOptions {
  /** Gives the transaction up if it aborts before `work` has resolved. @defaultValue never */
  readonly signal?: AbortSignal;
}

/**
 * The part of a storage that runs transactions.
 * @public
 */
export interface Transactions<Tx extends object> {
  /**
   * How many transactions run at the same time at most: the connections of a pool, or 1 where one connection writes at
   * a time. Handlers in transactions leave half of them to others. @defaultValue not known
   */
  readonly maxTransactions?: number | undefined;
  /**
   * Runs `work` in a transaction. Commits when `work` resolves; rolls back and rejects with its error when it rejects.
   *
   * - After a conflict with another transaction, may run `work` again in a new one: its effects on the storage are its
   *   only ones.
   * - Rejects when the commit stored nothing, such as after an error of the database that `work` swallowed.
   * - When `signal` aborts before `work` has resolved, rejects with its reason and does not wait for `work`. Nothing
   *   that is sent through `tx`, before or afterwards, is ever committed, and no other transaction gets its connection.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
}
