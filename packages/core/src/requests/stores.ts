import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { CashOut } from './cashouts/cash-out.ts';
import type { SecurityDeposit } from './deposits/deposit.ts';
import type { HistoryEntry } from './history.ts';
import type { IdempotencyStore } from './http/idempotency-store.ts';
import type { PaymentRequest } from './payments/payment.ts';
import type { AccountRef, StoredRecord } from './record.ts';
import type { ReferenceStore } from './references.ts';
import type { Template } from './templates/template.ts';

/**
 * Which objects to list: those that match all that is given.
 * @public
 */
export interface RequestFilter {
  /** Any of these states. */
  readonly statuses?: readonly string[];
  readonly reference?: string;
  /** Of the recipient, in any case. Templates have none. */
  readonly recipientEmail?: string;
  /** Of payment requests and security deposits. */
  readonly templateId?: string;
  /** Of cash-outs. */
  readonly depositId?: string;
  /** Created at or after it. */
  readonly createdFrom?: EpochMs;
  /** Created before it. */
  readonly createdTo?: EpochMs;
  /** Updated at or after it. With `updatedFrom` or `updatedTo` the list is in the order of `updatedAt`. */
  readonly updatedFrom?: EpochMs;
  /** Updated before it. */
  readonly updatedTo?: EpochMs;
}

/**
 * Port: the objects of one kind, with their history.
 *
 * - Objects of another account, or of another environment, are not there.
 * - Writes happen inside `tx`, take no second connection, and are seen by others when `tx` commits.
 * - A write stores the record and appends the entries to the object's history, both or neither.
 * @public
 */
export interface RequestStore<Tx extends object, R extends StoredRecord> {
  /** Rejects when the id exists, whichever account has it. */
  insert(tx: Tx, record: R, entries: readonly HistoryEntry[]): Promise<void>;
  /** As `tx` sees it; without one, as it was committed. */
  find(account: AccountRef, id: string, tx?: Tx): Promise<R | undefined>;
  /**
   * Replaces the stored record whose version is one less than this one's.
   *
   * - `false`, and nothing written, when it has another version or is not there.
   * - Of many transactions that replace or remove one version, one succeeds; the others wait for its end.
   */
  replace(tx: Tx, record: R, entries: readonly HistoryEntry[]): Promise<boolean>;
  /** Deletes the record and its history by the rule of `replace`. */
  remove(tx: Tx, record: R): Promise<boolean>;
  /** Committed records by `createdAt` (or `updatedAt`, see the filter) and `id`: oldest first unless `newestFirst`. */
  list(account: AccountRef, page: PageRequest, filter?: RequestFilter): Promise<StoredPage<R>>;
  /** The committed history of one object by `version` and `step`: oldest first unless `newestFirst`. */
  listHistory(account: AccountRef, id: string, page: PageRequest): Promise<StoredPage<HistoryEntry>>;
}

/**
 * Where the objects are: partnerkit's tables, or the host's own behind the same ports, kind by kind.
 * @public
 */
export interface RequestStores<Tx extends object> {
  readonly payments: RequestStore<Tx, PaymentRequest>;
  readonly deposits: RequestStore<Tx, SecurityDeposit>;
  readonly cashOuts: RequestStore<Tx, CashOut>;
  readonly paymentTemplates: RequestStore<Tx, Template>;
  readonly depositTemplates: RequestStore<Tx, Template>;
  readonly references: ReferenceStore<Tx>;
  readonly idempotency: IdempotencyStore<Tx>;
}
