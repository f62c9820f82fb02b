/** What is bound to a statement: nothing that drivers write differently. @public */
export type SqlValue = string | number | boolean | null;

/** A row, by its columns' names. Of text, and of numbers in whatever form: hosts have parsers of their own for the rest. @public */
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * How storage reaches PostgreSQL. `Tx` is what the host calls a transaction.
 * @example
 * // A driver for a library that is not listed is three functions.
 * const driverOf = (library: {
 *   run(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
 *   begin<T>(isolation: 'read committed', work: (tx: { run: typeof library.run }) => Promise<T>): Promise<T>;
 * }): SqlDriver<{ run: typeof library.run }> => ({
 *   query: (text, values) => library.run(text, values),
 *   queryIn: (tx, text, values) => tx.run(text, values),
 *   transaction: (work) => library.begin('read committed', work),
 * });
 * @public
 */
export interface SqlDriver<Tx extends object> {
  /**
   * One statement on any connection, in a transaction of its own. Placeholders are `$1`, `$2`, …; a text without values may hold several
   * statements.
   */
  query(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * One statement on the connection of this transaction, and on no other. Where `tx` is no open transaction, it rejects with an error whose
   * `code` is `no_transaction` and whose message says what to hand over.
   */
  queryIn(tx: Tx, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** READ COMMITTED, whatever the database's default. Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotify` with the payload of each notification of the channel, and `onLost` once when the connection is gone; resolves to the way to stop. It
   * holds a connection meanwhile. Without it workers poll.
   */
  listen?(channel: string, onNotify: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
}

/**
 * What `queryIn` rejects with when `tx` is no open transaction; `publish` answers its code, with its message as `detail`.
 * @param what - What `tx` is instead, and what to hand over.
 * @internal
 */
export const noTransaction = (
  what = 'this is no open transaction: hand over the one that you began, and await its begin',
): TypeError => Object.assign(new TypeError(`tx: ${what}; or 'new' when there is none.`), { code: 'no_transaction' });
