import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { NewEvent } from '../../webhooks/events/event.ts';
import type { RequestHistoryEntry } from '../fields/history.ts';
import type { RequestTypes } from '../kinds/all.ts';
import type { RequestKindName } from '../record/names.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import type { DueStore } from './due-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ReferenceStore } from './references.ts';
import type { TransactionStore } from './transaction-store.ts';

/**
 * Which objects to list. An object matches when it matches every given field.
 * @public
 */
export interface RequestFilter {
  /** The object has one of these states. */
  readonly statuses?: readonly string[];
  /** The exact reference. */
  readonly reference?: string;
  /** The recipient's e-mail address, ignoring case. Templates have no recipient. */
  readonly recipientEmail?: string;
  /** The template of a payment request or security deposit. */
  readonly templateId?: string;
  /** The deposit of a cash-out. */
  readonly depositId?: string;
  /** Created at this moment or later. */
  readonly createdFrom?: EpochMs;
  /** Created before this moment. */
  readonly createdTo?: EpochMs;
  /** Updated at this moment or later. With `updatedFrom` or `updatedTo`, the list is ordered by `updatedAt`. */
  readonly updatedFrom?: EpochMs;
  /** Updated before this moment. */
  readonly updatedTo?: EpochMs;
  /** Further accounts, whose objects are in the same list and order: at most 200. @defaultValue none */
  readonly children?: readonly AccountRef[];
}

/**
 * Port: the objects of one kind, with their history.
 *
 * - Objects of another account or environment count as absent.
 * - Writes run inside `tx`, open no second connection, and become visible to others when `tx` commits.
 * - A write stores the record and appends the entries to its history: both or neither.
 * - With `storesEvents`, it also stores the events, as `EventStore.append` does in the same transaction, or nothing at
 *   all. No event has an idempotency key.
 * @public
 */
export interface RequestStore<Tx extends object, R extends StoredRequest> {
  /**
   * Whether its writes store the events that they are given. Absent: they are given none, and the kit appends the
   * events after the write, in the same transaction.
   */
  readonly storesEvents?: true;
  /**
   * Stores a new record. Rejects when the id exists in any account. An imported one has entries of earlier versions,
   * too, oldest first.
   */
  insert(tx: Tx, record: R, entries: readonly RequestHistoryEntry[], events: readonly NewEvent[]): Promise<void>;
  /** Reads a record as `tx` sees it; without `tx`, as committed. */
  find(account: AccountRef, id: string, tx?: Tx): Promise<R | undefined>;
  /**
   * Reads a record as it is committed, or as `tx` left it, and locks it until `tx` ends: another transaction that
   * locks, replaces or removes it waits.
   */
  lock(tx: Tx, account: AccountRef, id: string): Promise<R | undefined>;
  /**
   * Replaces the stored record whose version is one less than this record's.
   *
   * - Returns `false` and writes nothing when the record is absent or has another version.
   * - Of N transactions that replace or remove the same version, exactly one succeeds; the others wait until it ends.
   */
  replace(tx: Tx, record: R, entries: readonly RequestHistoryEntry[], events: readonly NewEvent[]): Promise<boolean>;
  /** Deletes the record and its history when the stored version equals this record's. Other rules as for `replace`. */
  remove(tx: Tx, record: R, events: readonly NewEvent[]): Promise<boolean>;
  /**
   * Lists committed records by `createdAt` (`updatedAt` with `updatedFrom` or `updatedTo`), then `id`: oldest first
   * unless `newestFirst`.
   */
  list(account: AccountRef, page: PageRequest, filter?: RequestFilter): Promise<StoredPage<R>>;
  /** Lists the committed history of one object by `version` and `step`: oldest first unless `newestFirst`. */
  listHistory(account: AccountRef, id: string, page: PageRequest): Promise<StoredPage<RequestHistoryEntry>>;
}

/** The stores of the objects, by kind. @public */
export type RequestRecordStores<Tx extends object> = {
  readonly [K in RequestKindName]: RequestStore<Tx, RequestTypes[K]['record']>;
};

/**
 * The stores of all objects: partnerkit's tables, or tables of the host behind the same ports.
 * @public
 */
export interface RequestStores<Tx extends object> extends RequestRecordStores<Tx> {
  /** References in use; called only with `uniqueReferences`. */
  readonly references: ReferenceStore<Tx>;
  /** The transactions of payment requests and security deposits. */
  readonly transactions: TransactionStore<Tx>;
  /** The commands that objects wait for. */
  readonly due: DueStore<Tx>;
  /** Responses by idempotency key. */
  readonly idempotency: IdempotencyStore<Tx>;
}
