import { type PageRequest, pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type { AccountRef, RequestRecipient, StoredRequest } from '../../../requests/record/record.ts';
import type { RequestFilter } from '../../../requests/stores/stores.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RangeOf } from '../port/table.ts';
import { requests } from '../tables/requests.ts';

/** Maximum number of rows that a page reads when no index has the whole filter. */
const maxSeen = 1_000;

type Searched = StoredRequest & {
  readonly recipient?: RequestRecipient;
  readonly templateId?: string;
  readonly depositId?: string;
};

/** Whether a record fits a filter. */
const fits = (record: Searched, filter: RequestFilter): boolean => {
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

/** The columns of a record by which it is found. */
export const searchedColumns = (record: StoredRequest) => {
  const { status, reference, recipient, templateId, depositId, createdAt, updatedAt, version }: Searched = record;
  return {
    status,
    reference,
    recipientEmail: recipient?.email.toLowerCase(),
    parentId: depositId ?? templateId,
    createdAt,
    updatedAt,
    version,
  };
};

export type Position = readonly [at: EpochMs, id: string];

export const cursorOf = ([at, id]: Position): string => `${at}_${id}`;
export const positionOf = (cursor: string): Position | undefined => {
  const [, at, id = ''] = /^(\d{1,15}(?:\.\d{1,9})?)_(.{1,256})$/s.exec(cursor) ?? [];
  return id !== '' && id.isWellFormed() && !id.includes('\0') ? [Number(at), id] : undefined;
};
/** The order of two positions. */
export const compare = (a: Position, b: Position): number => a[0] - b[0] || compareBytes(a[1], b[1]);

interface Bounds {
  readonly from?: readonly [EpochMs];
  readonly after?: Position;
  readonly before?: readonly [EpochMs] | Position;
}

/** The bounds of a page: of its filter, and of the last position. */
export const boundsOf = (
  { from, to }: { readonly from: EpochMs | undefined; readonly to: EpochMs | undefined },
  last: Position | undefined,
  newestFirst: boolean,
): Bounds => {
  const before =
    newestFirst && last && !(to !== undefined && to <= last[0]) ? last : to === undefined ? undefined : ([to] as const);
  return {
    ...(from === undefined ? {} : { from: [from] as const }),
    ...(last && !newestFirst ? { after: last } : {}),
    ...(before ? { before } : {}),
  };
};

type Found = {
  readonly id: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly record: StoredRequest;
};

/** The index that fits a filter best, by `createdAt` or `updatedAt`, and the values that begin its ranges. */
const indexFor = ({ reference, recipientEmail, templateId, depositId, statuses }: RequestFilter, byUpdate: boolean) => {
  const parent = depositId ?? templateId;
  if (reference !== undefined)
    return { index: byUpdate ? 'referenceUpdated' : 'referenceCreated', values: [[reference]] } as const;
  if (recipientEmail !== undefined)
    return { index: byUpdate ? 'emailUpdated' : 'emailCreated', values: [[recipientEmail.toLowerCase()]] } as const;
  if (parent !== undefined) return { index: byUpdate ? 'parentUpdated' : 'parentCreated', values: [[parent]] } as const;
  if (statuses === undefined) return { index: byUpdate ? 'updated' : 'created', values: [[]] } as const;
  // No row of a state that is not wanted is read.
  const states = [...new Set(statuses)].map((status) => [status] as const);
  return { index: byUpdate ? 'statusUpdated' : 'statusCreated', values: states } as const;
};

interface ListOf {
  readonly accounts: readonly AccountRef[];
  readonly kind: string;
}

/** Reads the next rows of the index that fits a filter best. Each range is in its order; several are merged. */
function* readNext(
  rows: RowTx,
  { accounts, kind }: ListOf,
  { filter, byUpdate, bounds }: { filter: RequestFilter; byUpdate: boolean; bounds: Bounds },
  { limit, newestFirst }: { readonly limit: number; readonly newestFirst: boolean },
): Plan<readonly Found[]> {
  const { index: best, values } = indexFor(filter, byUpdate);
  // Each index begins with these columns; its type cannot follow the choice.
  const index = best as 'statusCreated';
  const ranges = accounts.flatMap(({ id, environment }) =>
    values.map((value) => ({ prefix: [id, environment, kind, ...value], ...bounds, limit })),
  ) as unknown as readonly RangeOf<typeof requests, typeof index>[];
  const direction = newestFirst ? -1 : 1;
  const at = (row: Omit<Found, 'record'>): Position => [byUpdate ? row.updatedAt : row.createdAt, row.id];
  const merged = <R extends Omit<Found, 'record'>>(found: readonly R[]): readonly R[] =>
    ranges.length === 1 ? found : found.toSorted((a, b) => compare(at(a), at(b)) * direction).slice(0, limit);
  if (accounts.length === 1) return merged(yield* rows.scan(requests, index, ranges, { newestFirst }));
  // Of many accounts, few rows of each are wanted: their records are read last.
  const columns = ['id', 'createdAt', 'updatedAt'] as const;
  const found = merged(yield* rows.scan(requests, index, ranges, { newestFirst, columns }));
  const whole = yield* rows.get(
    requests,
    found.map(({ id }) => [kind, id] as const),
  );
  return whole.filter((row) => row !== undefined);
}

/** Lists the records of a kind. */
export function* listRecords(
  rows: RowTx,
  { account, kind }: { readonly account: AccountRef; readonly kind: string },
  page: PageRequest,
  filter: RequestFilter,
): Plan<StoredPage<StoredRequest>> {
  const { newestFirst = false } = page;
  let last = page.after === undefined ? undefined : positionOf(page.after);
  if (page.after !== undefined && !last) return { items: [], invalidCursor: true };
  const byUpdate = filter.updatedFrom !== undefined || filter.updatedTo !== undefined;
  const period = byUpdate
    ? { from: filter.updatedFrom, to: filter.updatedTo }
    : { from: filter.createdFrom, to: filter.createdTo };
  const limit = pageLimit(page);
  const items: StoredRequest[] = [];
  for (let seen = 0; ; ) {
    const options = { limit: limit + 1, newestFirst };
    const list = { accounts: [account, ...(filter.children ?? [])], kind };
    const wanted = { filter, byUpdate, bounds: boundsOf(period, last, newestFirst) };
    const found: readonly Found[] = yield* readNext(rows, list, wanted, options);
    for (const { id, createdAt, updatedAt, record } of found) {
      const doesFit = fits(record, filter);
      if (last && (seen === maxSeen || (doesFit && items.length === limit))) return { items, next: cursorOf(last) };
      seen++;
      last = [byUpdate ? updatedAt : createdAt, id];
      if (doesFit) items.push(record);
    }
    if (found.length <= limit) return { items };
  }
}
