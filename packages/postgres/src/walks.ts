import { firstIdAt, type PageRequest, pageLimit, type StoredPage } from '@partnerkit/core';
import type { Run } from './database.ts';
import type { SqlRow, SqlValue } from './driver.ts';
import { isUuid, zero } from './uuid.ts';

/** So many rows of a place are looked at for one page, however few of them fit. @internal */
export const mostLookedAt = '1000';
/** As many as the page may have, and one more: of places where every row fits. @internal */
export const asManyAsAsked = '$4::int';
/** After every id. */
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One of the places where rows of a list stand: a query without its end, in the order of an index on `id`. @internal */
export interface Place {
  readonly rows: string;
  readonly id: string;
  /** How many rows of it are looked at. */
  readonly looked: string;
}

/**
 * A page of what stands in several places, in the order of its ids; `$1` is the account, `$2` and `$3` are before and after the page, `$4`
 * is how many rows. Of each place a bounded piece is read, and what fits is taken as far as all pieces reach. At least one row comes
 * back: without an id it says how far that is.
 * @internal
 */
export const walkStatement = (
  places: readonly Place[],
  {
    columns,
    joins = '',
    where,
    shown = '',
  }: { readonly columns: string; readonly joins?: string; readonly where: string; readonly shown?: string },
  newestFirst: boolean,
): string => {
  const [order, back, within] = newestFirst ? ['desc', 'asc', '>='] : ['asc', 'desc', '<='];
  const pieces = places.map(
    ({ rows, id, looked }, index) => `piece_${index} as materialized (
      ${rows} and ${id} > $2::uuid and ${id} < $3::uuid order by ${id} ${order} limit ${looked}
    )`,
  );
  const ends = places.map(
    ({ looked }, index) =>
      `select (array_agg(id order by id ${back}))[1] as id from piece_${index} having count(*) = ${looked}`,
  );
  return `with ${pieces.join(', ')}, reach as (
      select (array_agg(id order by id ${order}))[1] as id from (${ends.join(' union all ')}) ends
    )
    select d.*${shown}, reach.id::text as reach from reach left join lateral (
      select d.id::text as id, ${columns}
      from (${places.map((_place, index) => `select * from piece_${index}`).join(' union all ')}) d ${joins}
      where ${where} and (reach.id is null or d.id ${within} reach.id)
      order by d.id ${order} limit $4::int
    ) d on true order by d.id ${order}`;
};

const lesser = (a: string, b: string): string => (a < b ? a : b);
const greater = (a: string, b: string): string => (a > b ? a : b);

/** What is asked of a walk: its statements by their directions, and what is bound after the bounds. @internal */
export interface Walk<T> {
  readonly accountId: string;
  readonly page: PageRequest;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly statement: (newestFirst: boolean) => string;
  readonly more: readonly SqlValue[];
  readonly read: (row: SqlRow) => T;
}

/** Reads a page of a walk. @internal */
export const readWalk = async <T>(
  run: Run,
  { accountId, page: { after, newestFirst = false, ...request }, from, to, statement, more, read }: Walk<T>,
): Promise<StoredPage<T>> => {
  if (after !== undefined && !isUuid(after)) return { items: [], invalidCursor: true };
  const limit = pageLimit(request);
  const [first, end] = [from === undefined ? zero : firstIdAt(from), to === undefined ? last : firstIdAt(to)];
  const low = newestFirst || after === undefined ? first : greater(first, after);
  const high = newestFirst && after !== undefined ? lesser(end, after) : end;
  const rows = await run(statement(newestFirst), [accountId, low, high, limit + 1, ...more]);
  const found = rows.filter(({ id }) => id !== null);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.['id'] : rows[0]?.['reach'];
  const items = shown.map(read);
  return typeof next === 'string' ? { items, next } : { items };
};
