import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { SecurityDeposit } from './deposits/deposit.ts';
import type { AnswerStore } from './http/answer-store.ts';
import type { PaymentRequest } from './payments/payment.ts';
import type { Owner, Recorded } from './record.ts';
import type { Template } from './templates/template.ts';

/**
 * Which objects to list: those that fit all that is given.
 * @public
 */
export interface RequestFilter {
  readonly status?: string;
  readonly templateId?: string;
  /** Created at or after it. */
  readonly createdFrom?: EpochMs;
  /** Created before it. */
  readonly createdTo?: EpochMs;
}

/**
 * Port: the objects of one kind. Those of another account, or of another environment, are not there. What writes, writes inside `tx` and
 * takes no second connection; it is seen when `tx` commits.
 * @public
 */
export interface RequestStore<Tx extends object, R extends Recorded> {
  /** Rejects when the id exists, whoever has it. */
  insert(tx: Tx, record: R): Promise<void>;
  /** As `tx` sees it; without one, as it was committed. */
  find(owner: Owner, id: string, tx?: Tx): Promise<R | undefined>;
  /**
   * Stores a record whose `version` is still the stored one, with the next version; `false` when it is another by now, or gone. Of many that
   * change one version at once exactly one succeeds, and counts once its transaction commits: the others wait for that.
   */
  replace(tx: Tx, record: R): Promise<boolean>;
  /** Takes the record away by the same rule. */
  remove(tx: Tx, record: R): Promise<boolean>;
  /** What was committed, by `createdAt` and `id`: oldest first unless `newestFirst`. */
  list(owner: Owner, page: PageRequest, filter?: RequestFilter): Promise<StoredPage<R>>;
}

/**
 * Where the objects are: tables of partnerkit's, or a host's own behind the same ports, kind by kind.
 * @public
 */
export interface RequestStores<Tx extends object> {
  readonly payments: RequestStore<Tx, PaymentRequest>;
  readonly deposits: RequestStore<Tx, SecurityDeposit>;
  readonly paymentTemplates: RequestStore<Tx, Template>;
  readonly depositTemplates: RequestStore<Tx, Template>;
  readonly answers: AnswerStore<Tx>;
}
