import { type PageRequest, pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import type { RequestHistoryEntry } from '../../../requests/fields/history.ts';
import type { AccountRef, StoredRequest } from '../../../requests/record/record.ts';
import type { RequestStore } from '../../../requests/stores/stores.ts';
import { appendEvents } from '../events/append.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import type { RowOf } from '../port/table.ts';
import { requestHistory, requests } from '../tables/requests.ts';
import { listRecords, searchedColumns } from './list.ts';

type RequestRow = RowOf<typeof requests>;

const belongs = (row: RequestRow | undefined, account: AccountRef): row is RequestRow =>
  row?.accountId === account.id && row.environment === account.environment;

const rowOf = (kind: string, record: StoredRequest): RequestRow => {
  const { id, accountId, environment } = record;
  return { kind, id, accountId, environment, ...searchedColumns(record), record };
};

function* addHistory(rows: RowTx, kind: string, id: string, entries: readonly RequestHistoryEntry[]): Plan<void> {
  const made = entries.map((entry) => ({ kind, id, version: entry.version, step: entry.step, entry }));
  yield* rows.insert(requestHistory, made, 'fail');
}

/** Locks a stored record. Returns whether it has this version. */
function* lockVersion(rows: RowTx, kind: string, record: StoredRequest, version: number): Plan<boolean> {
  const [row] = yield* rows.get(requests, [[kind, record.id]], 'update');
  return belongs(row, { id: record.accountId, environment: record.environment }) && row.version === version;
}

const firstVersion = /^(\d{1,15})_(\d{1,15})$/;

function* listHistory(
  rows: RowTx,
  { kind, id }: { readonly kind: string; readonly id: string },
  account: AccountRef,
  page: PageRequest,
): Plan<StoredPage<RequestHistoryEntry>> {
  const { after, newestFirst = false } = page;
  const [, version, step] = (after === undefined ? undefined : firstVersion.exec(after)) ?? [];
  if (after !== undefined && version === undefined) return { items: [], invalidCursor: true };
  const [row] = yield* rows.get(requests, [[kind, id]]);
  if (!belongs(row, account)) return { items: [] };
  const bound = [Number(version), Number(step)] as const;
  const bounds = after === undefined ? {} : newestFirst ? { before: bound } : { after: bound };
  const limit = pageLimit(page);
  const range = { prefix: [kind, id] as const, ...bounds };
  const found = yield* rows.scan(requestHistory, 'object', [range], { limit: limit + 1, newestFirst });
  const items = found.slice(0, limit).map(({ entry }) => entry);
  const last = items.at(-1);
  return last && found.length > limit ? { items, next: `${last.version}_${last.step}` } : { items };
}

/** The objects of one kind over rows. */
export const rowRecords = <Tx extends object, R extends StoredRequest>(
  store: Pick<RowStore<Tx>, 'run' | 'join'>,
  kind: string,
): RequestStore<Tx, R> => ({
  storesEvents: true,
  insert: (tx, record, entries, events) =>
    store.join(tx, function* (rows) {
      yield* rows.insert(requests, [rowOf(kind, record)], 'fail');
      yield* addHistory(rows, kind, record.id, entries);
      yield* appendEvents(rows, events);
    }),
  find: (account, id, tx) => {
    const find = function* (rows: RowTx): Plan<R | undefined> {
      const [row] = yield* rows.get(requests, [[kind, id]]);
      return belongs(row, account) ? (row.record as R) : undefined;
    };
    return tx ? store.join(tx, find) : store.run('one', find);
  },
  lock: (tx, account, id) =>
    store.join(tx, function* (rows) {
      const [row] = yield* rows.get(requests, [[kind, id]], 'update');
      return belongs(row, account) ? (row.record as R) : undefined;
    }),
  replace: (tx, record, entries, events) =>
    store.join(tx, function* (rows) {
      if (!(yield* lockVersion(rows, kind, record, record.version - 1))) return false;
      yield* rows.put(requests, [rowOf(kind, record)]);
      yield* addHistory(rows, kind, record.id, entries);
      yield* appendEvents(rows, events);
      return true;
    }),
  remove: (tx, record, events) =>
    store.join(tx, function* (rows) {
      if (!(yield* lockVersion(rows, kind, record, record.version))) return false;
      const columns = ['version', 'step'] as const;
      const entries = yield* rows.scan(requestHistory, 'object', [{ prefix: [kind, record.id] }], { columns });
      yield* rows.delete(
        requestHistory,
        entries.map(({ version, step }) => [kind, record.id, version, step]),
      );
      yield* rows.delete(requests, [[kind, record.id]]);
      yield* appendEvents(rows, events);
      return true;
    }),
  list: (account, page, filter = {}) =>
    store.run('read', (rows) => listRecords(rows, { account, kind }, page, filter) as Plan<StoredPage<R>>),
  listHistory: (account, id, page) => store.run('read', (rows) => listHistory(rows, { kind, id }, account, page)),
});
