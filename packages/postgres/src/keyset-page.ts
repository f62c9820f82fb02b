import { type PageRequest, pageLimit, type StoredPage } from '@partnerkit/core';
import type { Run } from './database.ts';
import type { SqlRow, SqlValue } from './driver.ts';

/** How many rows of a piece are looked at for one page, however few of them fit. @internal */
export const maxLookedAt = '1000';

/** One of the places where rows of a list stand. @internal */
export interface Piece {
  /** A query that ends in its `where`, and has the columns of the key. */
  readonly rows: string;
  /** Its expressions for the columns of the key, as an index has them. */
  readonly key: readonly string[];
  /** How many rows of it are looked at. */
  readonly looked: string;
}

/** A list in the order of a key. @internal */
export interface KeysetList {
  /** The columns of the key, and their types. */
  readonly key: Readonly<Record<string, string>>;
  readonly pieces: readonly Piece[];
  /** What is shown of a row `d`. */
  readonly columns: string;
  readonly joins?: string;
  readonly where: string;
}

const tuple = (names: readonly string[], of = ''): string => `(${names.map((name) => of + name).join(', ')})`;

/**
 * A page of rows that stand in several places. `$1` is the account; the keys before and after the page follow, then how many rows are shown.
 * Of each piece a bounded number of rows is read, and what fits is taken as far as all pieces reach. At least one row comes back: one
 * without a key says how far that is.
 * @internal
 */
export const keysetPage = ({ key, pieces, columns, joins = '', where }: KeysetList, newestFirst: boolean): string => {
  const names = Object.keys(key);
  const [direction, within] = newestFirst ? ['desc', '>='] : ['asc', '<='];
  const ordered = (expressions: readonly string[], by: string): string =>
    expressions.map((each) => `${each} ${by}`).join(', ');
  const bound = (first: number): string =>
    `(${Object.values(key)
      .map((type, nth) => `$${first + nth}::${type}`)
      .join(', ')})`;
  const [low, high, limit] = [bound(2), bound(2 + names.length), `$${2 + 2 * names.length}::int`];
  const parts = pieces.map(
    (piece, nth) => `piece_${nth} as materialized (
      ${piece.rows} and ${tuple(piece.key)} > ${low} and ${tuple(piece.key)} < ${high}
      order by ${ordered(piece.key, direction)} limit ${piece.looked.replace('LIMIT', limit)}
    )`,
  );
  const ends = pieces.map(
    ({ looked }, nth) => `(select ${names.join(', ')} from (
        select ${names.join(', ')}, row_number() over (order by ${ordered(names, direction)}) as nth from piece_${nth}
      ) p where nth = ${looked.replace('LIMIT', limit)})`,
  );
  return `with ${parts.join(', ')}, reach as (
      select ${names.join(', ')} from (${ends.join(' union all ')}) ends order by ${ordered(names, direction)} limit 1
    )
    select ${names.map((name, nth) => `d.${name}::text as key${nth}, reach.${name}::text as reach${nth}`).join(', ')}, ${columns}
    from (select) one left join reach on true left join lateral (
      select d.* from (${pieces.map((_piece, nth) => `select * from piece_${nth}`).join(' union all ')}) d ${joins}
      where ${where} and (reach.${names[0]} is null or ${tuple(names, 'd.')} ${within} ${tuple(names, 'reach.')})
      order by ${ordered(
        names.map((name) => `d.${name}`),
        direction,
      )} limit ${limit}
    ) d on true order by ${ordered(
      names.map((name) => `d.${name}`),
      direction,
    )}`;
};

/** As many rows of a piece as the page shows, and one more: where every row fits. @internal */
export const asManyAsShown = 'LIMIT';

/** A key, as text. @internal */
export type Key = readonly (string | number)[];

/** What is asked of a list. @internal */
export interface KeysetRequest<T> {
  readonly accountId: string;
  readonly page: PageRequest;
  /** Before and after all rows that may fit. */
  readonly first: Key;
  readonly last: Key;
  /** The key that a cursor stands for; absent when it is none. */
  readonly parse: (cursor: string) => Key | undefined;
  readonly isBefore: (a: Key, b: Key) => boolean;
  readonly statement: (newestFirst: boolean) => string;
  /** What is bound after the limit. */
  readonly more: readonly SqlValue[];
  readonly read: (row: SqlRow) => T;
}

/** Reads a page. @internal */
export const readKeysetPage = async <T>(
  run: Run,
  { accountId, page, first, last, parse, isBefore, statement, more, read }: KeysetRequest<T>,
): Promise<StoredPage<T>> => {
  const { after, newestFirst = false } = page;
  const cursor = after === undefined ? undefined : parse(after);
  if (after !== undefined && !cursor) return { items: [], invalidCursor: true };
  const limit = pageLimit(page);
  const low = cursor && !newestFirst && isBefore(first, cursor) ? cursor : first;
  const high = cursor && newestFirst && isBefore(cursor, last) ? cursor : last;
  const rows = await run(statement(newestFirst), [accountId, ...low, ...high, limit + 1, ...more]);
  const textOf = (row: SqlRow | undefined, name: string): string | undefined =>
    row && row[`${name}0`] !== null ? first.map((_, nth) => String(row[`${name}${nth}`])).join('.') : undefined;
  const found = rows.filter(({ key0 }) => key0 !== null);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? textOf(shown.at(-1), 'key') : textOf(rows[0], 'reach');
  const items = shown.map(read);
  return next === undefined ? { items } : { items, next };
};
