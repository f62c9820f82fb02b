import type { PageRequest, StoredPage } from '../pagination/page.ts';
import { createTotals } from '../requests/books/totals.ts';
import type { StoredTransaction, TransactionFilter, TransactionStore } from '../requests/books/transaction-store.ts';
import type { ClaimedCommand, DueCommandKey, DueStore } from '../requests/due-store.ts';
import type { HistoryEntry } from '../requests/history.ts';
import type { IdempotencyKey, IdempotencyStore, StoredResponse } from '../requests/http/idempotency-store.ts';
import type { AccountRef, RequestRecipient, StoredRecord } from '../requests/record.ts';
import type { ReferenceKey, ReferenceStore } from '../requests/references.ts';
import type { RequestFilter, RequestStore, RequestStores } from '../requests/stores.ts';
import { compareBytes } from '../runtime/byte-order.ts';
import type { Clock } from '../runtime/clock.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { readPage } from './pages.ts';
import { assertOpen, createLocks, type MemoryTransaction, type OpenTransaction } from './transaction.ts';
import { createTransactionalMap } from './transactional-map.ts';

/** A record with the fields of filters. */
type Row = StoredRecord & {
  readonly recipient?: RequestRecipient;
  readonly templateId?: string;
  readonly depositId?: string;
};

const belongs = ({ accountId, environment }: StoredRecord, account: AccountRef): boolean =>
  accountId === account.id && environment === account.environment;

const matches = (record: Row, filter: RequestFilter): boolean => {
  const { statuses, createdFrom = 0, createdTo = Number.POSITIVE_INFINITY } = filter;
  const { updatedFrom = 0, updatedTo = Number.POSITIVE_INFINITY } = filter;
  const email = filter.recipientEmail?.toLowerCase();
  return (
    (statuses === undefined || statuses.includes(record.status)) &&
    (filter.reference === undefined || record.reference === filter.reference) &&
    (email === undefined || record.recipient?.email.toLowerCase() === email) &&
    (filter.templateId === undefined || record.templateId === filter.templateId) &&
    (filter.depositId === undefined || record.depositId === filter.depositId) &&
    record.createdAt >= createdFrom &&
    record.createdAt < createdTo &&
    record.updatedAt >= updatedFrom &&
    record.updatedAt < updatedTo
  );
};

/** The position of a row in its list. */
type Position = readonly [number, string];
const compare = (a: Position, b: Position): number => a[0] - b[0] || compareBytes(a[1], b[1]);

/** A page of rows, in the order of their positions. */
const pageOf = <T>(rows: readonly T[], positionOf: (row: T) => Position, page: PageRequest): StoredPage<T> =>
  readPage(
    {
      rows: [...rows].sort((a, b) => compare(positionOf(a), positionOf(b))),
      fits: () => true,
      cursorOf: (row) => positionOf(row).join('_'),
      compare: (cursor) => {
        const [, first = '', second = ''] = /^(\d{1,15})_(.+)$/s.exec(cursor) ?? [];
        return second === '' ? undefined : (row) => compare(positionOf(row), [Number(first), second]);
      },
    },
    page,
  );

interface Stored<R> {
  readonly record: R;
  readonly history: readonly HistoryEntry[];
}

const memoryRecords = <R extends StoredRecord>(): RequestStore<MemoryTransaction, R> => {
  const rows = createTransactionalMap<Stored<R>>();
  const locks = createLocks();
  /** The row with this version, locked by `tx`. */
  const lockVersion = async (tx: OpenTransaction, record: R, version: number): Promise<Stored<R> | undefined> => {
    await locks.hold(record.id, tx);
    const stored = rows.get(record.id, tx);
    const account = { id: record.accountId, environment: record.environment };
    return stored?.record.version === version && belongs(stored.record, account) ? stored : undefined;
  };

  return {
    insert: async (transaction, record, history) => {
      const tx = transaction as OpenTransaction;
      await locks.hold(record.id, tx);
      if (rows.get(record.id, tx)) throw new Error('The id exists.');
      rows.set(tx, record.id, { record, history });
    },
    find: async (account, id, tx) => {
      const record = rows.get(id, tx as OpenTransaction | undefined)?.record;
      return record && belongs(record, account) ? record : undefined;
    },
    replace: async (transaction, record, entries) => {
      const tx = transaction as OpenTransaction;
      const stored = await lockVersion(tx, record, record.version - 1);
      if (stored) rows.set(tx, record.id, { record, history: [...stored.history, ...entries] });
      return stored !== undefined;
    },
    remove: async (transaction, record) => {
      const tx = transaction as OpenTransaction;
      const stored = await lockVersion(tx, record, record.version);
      if (stored) rows.set(tx, record.id, undefined);
      return stored !== undefined;
    },
    list: async (account, page, filter = {}) => {
      const byUpdate = filter.updatedFrom !== undefined || filter.updatedTo !== undefined;
      const records = [...rows.values()].map(({ record }) => record);
      const found = records.filter((record) => belongs(record, account) && matches(record, filter));
      return pageOf(found, (record) => [byUpdate ? record.updatedAt : record.createdAt, record.id], page);
    },
    listHistory: async (account, id, page) => {
      const stored = rows.get(id);
      const history = stored && belongs(stored.record, account) ? stored.history : [];
      return pageOf(history, ({ version, step }) => [version, String(step)], page);
    },
  };
};

const memoryReferences = (): ReferenceStore<MemoryTransaction> => {
  const holders = createTransactionalMap<string>();
  const locks = createLocks();
  const nameOf = ({ account, object, reference }: ReferenceKey): string =>
    JSON.stringify([account.id, account.environment, object, reference]);
  return {
    claim: async (transaction, key, objectId) => {
      const tx = transaction as OpenTransaction;
      const name = nameOf(key);
      await locks.hold(name, tx);
      if ((holders.get(name, tx) ?? objectId) !== objectId) return false;
      holders.set(tx, name, objectId);
      return true;
    },
    release: async (transaction, key, objectId) => {
      const tx = transaction as OpenTransaction;
      const name = nameOf(key);
      await locks.hold(name, tx);
      if (holders.get(name, tx) === objectId) holders.set(tx, name, undefined);
    },
  };
};

const memoryTransactions = (): TransactionStore<MemoryTransaction> => {
  const rows = createTransactionalMap<StoredTransaction>();
  const locks = createLocks();
  const nameOf = (account: AccountRef, kind: string, reference: string): string =>
    JSON.stringify([account.id, account.environment, kind, reference]);
  const ownName = ({ accountId: id, environment, kind, processorReference, id: own }: StoredTransaction): string =>
    nameOf({ id, environment }, kind, processorReference ?? own);
  const matching = ({ id, environment }: AccountRef, filter: TransactionFilter): StoredTransaction[] => {
    const { settledFrom = 0, settledTo = Number.POSITIVE_INFINITY, of } = filter;
    return [...rows.values()].filter(
      (each) =>
        each.accountId === id &&
        each.environment === environment &&
        each.settledAt >= settledFrom &&
        each.settledAt < settledTo &&
        (!of || (each.object === of.object && each.objectId === of.objectId)),
    );
  };
  return {
    insert: async (transaction, stored) => {
      const tx = transaction as OpenTransaction;
      const name = ownName(stored);
      await locks.hold(name, tx);
      if (rows.get(name, tx)) return false;
      rows.set(tx, name, stored);
      return true;
    },
    remove: async (tx, stored) => rows.set(tx as OpenTransaction, ownName(stored), undefined),
    find: async (tx, account, kind, reference) => rows.get(nameOf(account, kind, reference), tx as OpenTransaction),
    list: async (account, page, filter = {}) =>
      pageOf(matching(account, filter), ({ settledAt, id }) => [settledAt, id], page),
    sum: async (account, filter = {}) => {
      const totals = createTotals();
      totals.add(matching(account, filter));
      return totals.all();
    },
  };
};

const keptFor = day;

const memoryIdempotency = (clock: Clock): IdempotencyStore<MemoryTransaction> => {
  const stored = new Map<string, { readonly response: StoredResponse; readonly until: EpochMs }>();
  const locks = createLocks();
  const nameOf = ({ accountId, clientId, key }: IdempotencyKey): string => JSON.stringify([accountId, clientId, key]);
  /** Oldest first. */
  const dropOld = (): void => {
    for (const [name, { until }] of stored) {
      if (until > clock.now()) break;
      stored.delete(name);
    }
  };
  return {
    claim: async (tx, key) => {
      await locks.hold(nameOf(key), tx as OpenTransaction);
      dropOld();
      const found = stored.get(nameOf(key));
      return found && found.until > clock.now() ? found.response : undefined;
    },
    complete: async (transaction, key, response) => {
      const tx = transaction as OpenTransaction;
      await locks.hold(nameOf(key), tx);
      tx.atCommit.push(() => {
        stored.delete(nameOf(key));
        stored.set(nameOf(key), { response, until: clock.now() + keptFor });
      });
    },
  };
};

/** A planned command is stored at the commit: nothing reads it before. */
const memoryDue = (clock: Clock): DueStore<MemoryTransaction> => {
  const rows = new Map<string, ClaimedCommand>();
  const nameOf = ({ kind, id, name }: DueCommandKey): string => JSON.stringify([kind, id, name]);
  return {
    plan: async (transaction, changes) => {
      const tx = transaction as OpenTransaction;
      assertOpen(tx);
      tx.atCommit.push(() => {
        for (const { dueAt, ...of } of changes)
          if (dueAt === undefined) rows.delete(nameOf(of));
          else rows.set(nameOf(of), { ...of, dueAt, claimableAt: dueAt, attempts: 0 });
      });
    },
    claim: async (limit, lease) => {
      const now = clock.now();
      const found = [...rows.values()].filter(({ claimableAt }) => claimableAt <= now);
      const claimed = found
        .sort((a, b) => a.claimableAt - b.claimableAt)
        .slice(0, limit)
        .map((row) => ({ ...row, claimableAt: now + lease, attempts: row.attempts + 1 }));
      for (const row of claimed) rows.set(nameOf(row), row);
      return { now, claimed };
    },
    release: async (claimed, next) => {
      const row = rows.get(nameOf(claimed));
      if (row?.attempts !== claimed.attempts || row.claimableAt !== claimed.claimableAt) return;
      if (next) rows.set(nameOf(claimed), { ...row, dueAt: next.dueAt, claimableAt: clock.now() + next.pause });
      else rows.delete(nameOf(claimed));
    },
  };
};

/** The stores of requests in the memory of this process. @internal */
export const memoryRequests = (clock: Clock): RequestStores<MemoryTransaction> => ({
  payments: memoryRecords(),
  deposits: memoryRecords(),
  cashOuts: memoryRecords(),
  paymentTemplates: memoryRecords(),
  depositTemplates: memoryRecords(),
  references: memoryReferences(),
  due: memoryDue(clock),
  transactions: memoryTransactions(),
  idempotency: memoryIdempotency(clock),
});
