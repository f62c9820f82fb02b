import type { TransactionOptions } from '@partnerkit/core/adapter';

/** A bound value: only types that all drivers write alike. @public */
export type SqlValue = string | number | boolean | null;

/** A row, by column name. Columns are text or numbers; hosts may parse other types differently. @public */
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * Port: how storage reaches PostgreSQL. `Tx` is the host's type of a transaction.
 * @example
 * // A driver for another library consists of three functions. Here the library implements `signal`.
 * type Run = (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;
 * const driverOf = (library: {
 *   run: Run;
 *   begin<T>(
 *     options: { isolation: 'read committed'; signal?: AbortSignal | undefined },
 *     work: (tx: { run: Run }) => Promise<T>,
 *   ): Promise<T>;
 * }): SqlDriver<{ run: Run }> => ({
 *   query: (text, values) => library.run(text, values),
 *   queryIn: (tx, text, values) => tx.run(text, values),
 *   transaction: (work, { signal } = {}) => library.begin({ isolation: 'read committed', signal }, work),
 * });
 * @public
 */
export interface SqlDriver<Tx extends object> {
  /**
   * Runs a statement on any connection, in a transaction of its own.
   *
   * - Placeholders are `$1`, `$2`, ….
   * - A text without values may contain several statements.
   */
  query(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs a statement on the connection of this transaction only.
   *
   * - Rejects when `tx` is no open transaction: `code` is `no_transaction`, the message names the remedy.
   */
  queryIn(tx: Tx, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs `work` in a READ COMMITTED transaction, whatever the database's default. Commits when `work` resolves, rolls
   * back when it rejects.
   *
   * - Rejects with the `code` `25P02` when `work` resolves although a statement failed: the server then rolls back.
   * - When `signal` aborts, rejects with its reason at once. `work` may still send statements: nothing of them is
   *   committed, and no other transaction gets the connection.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Listens on a channel; holds a connection meanwhile. Absent: workers poll.
   *
   * - Calls `onNotify` with the payload of each notification.
   * - Calls `onLost` once when the connection is lost.
   * - Resolves to the function that stops listening.
   */
  listen?(channel: string, onNotify: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
  /** Number of connections, so of transactions at the same time. @defaultValue not known */
  readonly maxTransactions?: number | undefined;
  /** Settings of the connections that `kit.check()` warns of, one sentence each. Absent: none are known. */
  readonly warnings?: readonly string[];
}

/**
 * The error of `queryIn` when `tx` is no open transaction; `publish` returns its code and message.
 * @param what - What `tx` is instead, and the remedy.
 */
export const noTransaction = (
  what = 'this is no open transaction: hand over the one that you began, and await its begin',
): TypeError => Object.assign(new TypeError(`tx: ${what}; or 'new' when there is none.`), { code: 'no_transaction' });
