import type { EpochMs } from '../../../base/runtime/time.ts';
import type { FeedStore } from '../../../webhooks/feeds/feed-store.ts';
import type { ShardStore } from '../../../webhooks/shards/shard-store.ts';
import type { StoreWake } from '../../../webhooks/shards/wakes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SqlReports } from './sql-reports.ts';
import type { IndexOf, KeyOf, NewRowOf, RangeOf, RowOf, Table } from './table.ts';

/**
 * The work of one transaction, written once for stores that return at once and for stores that return a promise: what
 * it yields is awaited. A store in this process yields nothing, so that its transaction begins and ends in one turn.
 * @public
 */
export type Plan<T> = Generator<PromiseLike<unknown>, T, unknown>;

/**
 * The result of an operation: `const rows = yield* tx.get(…)`.
 * @public
 */
export interface Step<T> {
  /** Delegates to the operation. */
  [Symbol.iterator](): Iterator<PromiseLike<unknown>, T, unknown>;
}

/**
 * A lock of a row until the transaction ends.
 *
 * - `keep`: nobody deletes the row.
 * - `share`: nobody changes or deletes it.
 * - `update`: nobody else locks it with `share` or `update`, changes or deletes it.
 * - `free`: `update`, also against `keep`; a row that is locked by another transaction counts as absent.
 * @public
 */
export type Lock = 'keep' | 'share' | 'update' | 'free';

/**
 * Which rows of the ranges to read.
 * @public
 */
export interface ScanOptions<C extends string = string> {
  /** Maximum number of rows of all ranges. @defaultValue unlimited */
  readonly limit?: number;
  /** Whether each range is read from its end. @defaultValue false */
  readonly newestFirst?: boolean;
  /** The columns that are needed; a store may read others, too. @defaultValue all */
  readonly columns?: readonly C[];
  /** Of each range, only the first of rows that agree in this many columns of the index. @defaultValue all rows */
  readonly distinct?: number;
}

/**
 * The operations of a transaction on rows. Nobody changes a row object.
 * @public
 */
export interface RowTx {
  /** The time of the store's clock. */
  now(): Step<EpochMs>;
  /**
   * Reads rows by key: one entry for each key, in order.
   *
   * - With a lock, waits for other transactions, and reads what they committed, whatever this one read before.
   * - Locks the rows of one call in the order of their keys.
   */
  get<T extends Table>(table: T, keys: readonly KeyOf<T>[], lock?: Lock): Step<readonly (RowOf<T> | undefined)[]>;
  /** Reads rows of ranges: in the order of the ranges, then of the index. */
  scan<T extends Table, I extends IndexOf<T>, C extends keyof T['columns'] & string = keyof T['columns'] & string>(
    table: T,
    index: I,
    ranges: readonly RangeOf<T, I>[],
    options?: ScanOptions<C>,
  ): Step<readonly Pick<RowOf<T>, C>[]>;
  /** Counts the rows of each range, up to its limit. */
  count<T extends Table, I extends IndexOf<T>>(
    table: T,
    index: I,
    ranges: readonly RangeOf<T, I>[],
  ): Step<readonly number[]>;
  /**
   * Adds rows; returns for each whether it was added.
   *
   * - `fail`: rejects when another row has its key. The transaction is over.
   * - `ignore`: leaves out a row whose key is in use, and waits for a transaction that is adding one.
   * - Rejects when a unique index other than the key has another such row.
   */
  insert<T extends Table>(
    table: T,
    rows: readonly NewRowOf<T>[],
    onConflict: 'fail' | 'ignore',
  ): Step<readonly boolean[]>;
  /** Replaces rows by their keys, or adds them. Rejects as `insert` does. */
  put<T extends Table>(table: T, rows: readonly RowOf<T>[]): Step<void>;
  /** Deletes rows; returns for each key whether there was one. */
  delete<T extends Table>(table: T, keys: readonly KeyOf<T>[]): Step<readonly boolean[]>;
  /** Wakes the watchers soon after the commit; may be lost. */
  wake(wake: StoreWake): Step<void>;
  /**
   * Lets timers and I/O run when the process was blocked for some milliseconds, in plans of `read` that read many rows.
   * @defaultValue nothing, for stores whose reads wait for another process
   */
  yield?(): Step<void>;
}

/**
 * What a plan does; see {@link RowStore}.
 * @public
 */
export type RunMode = 'one' | 'read' | 'write';

/**
 * Port: tables of rows, over which core stores everything. A store is its types of columns and these operations.
 * @public
 */
export interface RowStore<Tx extends object> {
  /**
   * Runs a plan in a transaction: all or nothing, durable when it resolves. May run the plan again from its start, as
   * after a deadlock: its rows are its only effects.
   *
   * - `one`: one operation, which reads one key or one range without `distinct`. One statement needs no transaction.
   * - `read`: all of it reads one moment; it neither writes nor locks.
   * - `write`: READ COMMITTED is enough. Core locks the rows by which it decides: workers, shards, endpoint versions,
   *   endpoints, then others, each in the order of their keys.
   */
  run<T>(mode: RunMode, plan: (rows: RowTx) => Plan<T>): Promise<T>;
  /**
   * Runs a plan inside the host's transaction, never twice.
   *
   * - Rejects as `EventStore.append` does when `tx` has ended, or is none.
   * - A plan that throws leaves no row behind, even if the host's transaction goes on and commits.
   */
  join<T>(tx: Tx, plan: (rows: RowTx) => Plan<T>): Promise<T>;
  /** Statements over many tables. @defaultValue none: plans read the same, in more statements */
  readonly reports?: SqlReports;
  /** See `Storage`. */
  readonly transaction: Storage<Tx>['transaction'];
  /** How many transactions of hosts run at the same time at most. @defaultValue not known */
  readonly maxTransactions?: number | undefined;
  /** See `ShardStore`. */
  readonly watch: ShardStore['watch'];
  /** See `FeedStore`. */
  readonly watchFeeds: FeedStore['watchFeeds'];
  /** See `Storage`. */
  readonly check?: NonNullable<Storage<Tx>['check']>;
}
