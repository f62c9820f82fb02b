import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { RequestTransaction, TransactionKind } from '../books/transaction.ts';
import type { MinorUnits } from '../fields/money.ts';
import type { AccountRef } from '../record/record.ts';

/** The kinds of objects that have transactions. @public */
export type TransactionObject = 'RequestPayment' | 'RequestSecurityDeposit';

/**
 * A transaction with the object that it belongs to.
 * @public
 */
export interface StoredTransaction extends RequestTransaction {
  /** The account of the object. */
  readonly accountId: string;
  /** Its environment. */
  readonly environment: string;
  /** The kind of the object. */
  readonly object: TransactionObject;
  readonly objectId: string;
  /** 1 for the first transaction of its kind with its `processorReference`; each further one adds 1. */
  readonly number: number;
  /** Whether the host named `settledAt`. Otherwise it is the time of the command. */
  readonly isTimed: boolean;
}

/**
 * Which transactions to list or to sum up. A transaction matches when it matches every given field.
 * @public
 */
export interface TransactionFilter {
  /** Settled at this moment or later. */
  readonly settledFrom?: EpochMs;
  /** Settled before this moment. */
  readonly settledTo?: EpochMs;
  /** The object that they belong to. */
  readonly of?: {
    /** Its kind. */
    readonly object: TransactionObject;
    /** Its id. */
    readonly objectId: string;
  };
  /** Further accounts, whose transactions are in the same list or sum: at most 200. @defaultValue none */
  readonly children?: readonly AccountRef[];
}

/**
 * The transactions of one kind in one currency that succeeded.
 * @public
 */
export interface TransactionTotal {
  /** Their kind. */
  readonly kind: TransactionKind;
  /** ISO 4217. */
  readonly currency: string;
  /** How many they are. */
  readonly count: number;
  /** The sum of their amounts. */
  readonly amount: MinorUnits;
  /** The sum of their fees. */
  readonly fee: MinorUnits;
}

/**
 * Port: the transactions of payment requests and security deposits.
 *
 * - Transactions of another account or environment count as absent.
 * - Writes run inside `tx`, open no second connection, and become visible to others when `tx` commits.
 * @public
 */
export interface TransactionStore<Tx extends object> {
  /**
   * Stores a transaction.
   *
   * - Returns `false` and writes nothing when another of the account, environment and kind has its
   *   `processorReference` and its `number`.
   * - Waits while another open transaction has stored such a one; that transaction's rollback frees the number.
   * - Never aborts `tx`.
   */
  insert(tx: Tx, transaction: StoredTransaction): Promise<boolean>;
  /** Deletes a transaction that `tx` has stored. */
  remove(tx: Tx, transaction: StoredTransaction): Promise<void>;
  /** Finds all transactions of a kind with a reference of the processor, as `tx` sees them, by their `number`. */
  findAll(
    tx: Tx,
    account: AccountRef,
    kind: TransactionKind,
    processorReference: string,
  ): Promise<readonly StoredTransaction[]>;
  /**
   * Finds the committed transactions of these kinds with a reference of the processor: in the order of the kinds, then
   * by their `number`. Reads no others.
   */
  find(
    account: AccountRef,
    kinds: readonly TransactionKind[],
    processorReference: string,
  ): Promise<readonly StoredTransaction[]>;
  /** Lists committed transactions by `settledAt`, then `id`: oldest first unless `newestFirst`. */
  list(account: AccountRef, page: PageRequest, filter?: TransactionFilter): Promise<StoredPage<StoredTransaction>>;
  /**
   * Sums up the committed transactions that succeeded, by kind and currency, in the order of both. Reads every
   * transaction that matches.
   */
  sum(account: AccountRef, filter?: TransactionFilter): Promise<readonly TransactionTotal[]>;
}
