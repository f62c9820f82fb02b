import type { AnswerKey, AnswerStore, KeptAnswer } from '../requests/http/answer-store.ts';
import type { Owner, Recorded } from '../requests/record.ts';
import type { RequestFilter, RequestStore, RequestStores } from '../requests/stores.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { createTable } from './table.ts';
import { createLocks, type MemoryTransaction, type OpenTransaction } from './transaction.ts';

const belongs = ({ accountId, environment }: Recorded, owner: Owner): boolean =>
  accountId === owner.id && environment === owner.environment;

const fits = (
  record: Recorded & { readonly templateId?: string },
  {
    status = record.status,
    templateId = record.templateId,
    createdFrom = record.createdAt,
    createdTo = Number.POSITIVE_INFINITY,
  }: RequestFilter,
): boolean =>
  record.status === status &&
  record.templateId === templateId &&
  record.createdAt >= createdFrom &&
  record.createdAt < createdTo;

const memoryRecords = <R extends Recorded>(): RequestStore<MemoryTransaction, R> => {
  const rows = createTable<R>();
  const locks = createLocks();
  /** What an open transaction has written; `undefined`: it took the row away. */
  const written = new WeakMap<OpenTransaction, Map<string, R | undefined>>();

  const seen = (id: string, tx: OpenTransaction | undefined): R | undefined => {
    const own = tx && written.get(tx);
    return own?.has(id) ? own.get(id) : rows.get(id);
  };
  const apply = (id: string, row: R | undefined): void => {
    if (!row) rows.delete(id);
    else if (rows.get(id)) rows.replace(id, row);
    else rows.insert(id, row);
  };
  const write = (tx: OpenTransaction, id: string, row: R | undefined): void => {
    let own = written.get(tx);
    if (!own) {
      const begun = new Map<string, R | undefined>();
      written.set(tx, begun);
      tx.atCommit.push(() => {
        for (const [each, value] of begun) apply(each, value);
      });
      own = begun;
    }
    own.set(id, row);
  };
  /** Writes unless the stored version is another by now. */
  const change = async (transaction: MemoryTransaction, record: R, next: R | undefined): Promise<boolean> => {
    const tx = transaction as OpenTransaction;
    await locks.hold(record.id, tx);
    const held = seen(record.id, tx);
    if (held?.version !== record.version || !belongs(held, { ...record, id: record.accountId })) return false;
    write(tx, record.id, next);
    return true;
  };

  return {
    insert: async (transaction, record) => {
      const tx = transaction as OpenTransaction;
      await locks.hold(record.id, tx);
      if (seen(record.id, tx)) throw new Error('The id exists.');
      write(tx, record.id, record);
    },
    find: async (owner, id, tx) => {
      const held = seen(id, tx as OpenTransaction | undefined);
      return held && belongs(held, owner) ? held : undefined;
    },
    replace: (tx, record) => change(tx, record, { ...record, version: record.version + 1 }),
    remove: (tx, record) => change(tx, record, undefined),
    list: async (owner, page, filter = {}) => rows.page((row) => belongs(row, owner) && fits(row, filter), page),
  };
};

const keepAnswers = day;

const memoryAnswers = (clock: Clock): AnswerStore<MemoryTransaction> => {
  const kept = new Map<string, { readonly answer: KeptAnswer; readonly until: EpochMs }>();
  const locks = createLocks();
  const nameOf = ({ accountId, clientId, key }: AnswerKey): string => JSON.stringify([accountId, clientId, key]);
  /** The oldest come first. */
  const dropOld = (): void => {
    for (const [name, { until }] of kept) {
      if (until > clock.now()) break;
      kept.delete(name);
    }
  };
  return {
    take: async (tx, key) => {
      await locks.hold(nameOf(key), tx as OpenTransaction);
      dropOld();
      const held = kept.get(nameOf(key));
      return held && held.until > clock.now() ? held.answer : undefined;
    },
    keep: async (transaction, key, answer) => {
      const tx = transaction as OpenTransaction;
      await locks.hold(nameOf(key), tx);
      tx.atCommit.push(() => {
        kept.delete(nameOf(key));
        kept.set(nameOf(key), { answer, until: clock.now() + keepAnswers });
      });
    },
  };
};

/**
 * Payment requests, security deposits and templates in the memory of this process, beside {@link memoryStorage}: in its transactions.
 * @example
 * const storage = memoryStorage();
 * const kit = createPartnerkit({ ...options, storage, objects: requestObjects });
 * const requests = createRequests({ kit, storage, stores: memoryRequests() });
 * @public
 */
export const memoryRequests = ({
  clock = systemClock,
}: {
  readonly clock?: Clock;
} = {}): RequestStores<MemoryTransaction> => ({
  payments: memoryRecords(),
  deposits: memoryRecords(),
  paymentTemplates: memoryRecords(),
  depositTemplates: memoryRecords(),
  answers: memoryAnswers(clock),
});
