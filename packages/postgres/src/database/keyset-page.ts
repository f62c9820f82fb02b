import type { PageRequest } from '@partnerkit/core';
import { pageLimit, type StoredPage } from '@partnerkit/core/adapter';
import type { SqlRow } from '../drivers/driver.ts';
import type { Run } from './database.ts';
import {
  type Column,
  type Columns,
  type Fragment,
  join,
  row,
  type SqlType,
  type Statement,
  sql,
  statement,
  value,
} from './statement.ts';

export type Key = readonly (string | number)[];

/** The values that a page binds, beside those of its parts. */
interface PageValues {
  /** The key before the page. */
  readonly low: Key;
  /** The key after the page. */
  readonly high: Key;
  /** The number of rows. */
  readonly limit: number;
}

const limit = value('limit', 'int');

/** Maximum number of rows of a piece that a page reads. */
export const maxLookedAt = '1000';

/** The page's size plus one, for a piece in which every row matches. */
export const asManyAsShown: Fragment<PageValues> = limit;

/** One source of rows of a list. */
export interface Piece<V> {
  /** A query that ends in its `where`, with the columns of the key. */
  readonly rows: Fragment<V>;
  /** Its expressions for the columns of the key, as an index has them. */
  readonly key: readonly string[];
  /** Maximum number of rows to read. */
  readonly looked: string | Fragment<PageValues>;
}

/** A list in the order of a key. */
export interface KeysetList<V> {
  /** The columns of the key with their types. */
  readonly key: Readonly<Record<string, SqlType>>;
  /** The sources of rows. */
  readonly pieces: readonly Piece<V>[];
  /** The selected columns of a row `d`. */
  readonly columns: Fragment<V>;
  readonly joins?: Fragment;
  readonly where: Fragment<V>;
}

const tuple = (names: readonly string[], of = ''): string => `(${names.map((name) => of + name).join(', ')})`;

const keyColumns = (key: Readonly<Record<string, SqlType>>): Columns<Key> =>
  Object.fromEntries(
    Object.entries(key).map(([name, type], nth): [string, Column<Key>] => [
      name,
      [type, (bound) => bound[nth] ?? null],
    ]),
  );

/**
 * A page of rows from several pieces. Reads a bounded number of rows of each piece, and returns matching rows as far as
 * all pieces reach. At least one row is returned: a row without a key holds how far that is.
 */
export const keysetPage = <V>(
  { key, pieces, columns, joins = sql``, where }: KeysetList<V>,
  newestFirst: boolean,
): Statement<V & PageValues> => {
  const names = Object.keys(key);
  const [direction, within] = newestFirst ? ['desc', '>='] : ['asc', '<='];
  const ordered = (expressions: readonly string[], by: string): string =>
    expressions.map((each) => `${each} ${by}`).join(', ');
  const [low, high] = [row('low', keyColumns(key)).stored, row('high', keyColumns(key)).stored];
  const parts = pieces.map(
    (piece, nth) => sql`piece_${nth} as materialized (
      ${piece.rows} and ${tuple(piece.key)} > (${low}) and ${tuple(piece.key)} < (${high})
      order by ${ordered(piece.key, direction)} limit ${piece.looked}
    )`,
  );
  const ends = pieces.map(
    ({ looked }, nth) => sql`(select ${names.join(', ')} from (
        select ${names.join(', ')}, row_number() over (order by ${ordered(names, direction)}) as nth from piece_${nth}
      ) p where nth = ${looked})`,
  );
  const ofRow = names.map((name) => `d.${name}`);
  const keys = names.map((name, nth) => `d.${name}::text as key${nth}, reach.${name}::text as reach${nth}`).join(', ');
  const all = pieces.map((_piece, nth) => `select * from piece_${nth}`).join(' union all ');
  return statement`with ${join(parts, ', ')}, reach as (
      select ${names.join(', ')} from (${join(ends, ' union all ')}) ends order by ${ordered(names, direction)} limit 1
    )
    select ${keys}, ${columns}
    from (select 1) one left join reach on true left join lateral (
      select d.* from (${all}) d ${joins}
      where ${where} and (reach.${names[0] ?? ''} is null or ${tuple(names, 'd.')} ${within} ${tuple(names, 'reach.')})
      order by ${ordered(ofRow, direction)} limit ${limit}
    ) d on true order by ${ordered(ofRow, direction)}` as Statement<V & PageValues>;
};

/** A request for a page. */
export interface KeysetRequest<V, T> {
  readonly page: PageRequest;
  /** Before all rows. */
  readonly first: Key;
  /** After all rows. */
  readonly last: Key;
  /** The key of a cursor; `undefined` for a malformed cursor. */
  readonly parse: (cursor: string) => Key | undefined;
  readonly isBefore: (a: Key, b: Key) => boolean;
  readonly statement: (newestFirst: boolean) => Statement<V & PageValues>;
  /** The values of the statement's parts. */
  readonly more: V;
  readonly read: (row: SqlRow) => T;
}

export const readKeysetPage = async <V, T>(
  run: Run,
  { page, first, last, parse, isBefore, statement, more, read }: KeysetRequest<V, T>,
): Promise<StoredPage<T>> => {
  const { after, newestFirst = false } = page;
  const cursor = after === undefined ? undefined : parse(after);
  if (after !== undefined && !cursor) return { items: [], invalidCursor: true };
  const limit = pageLimit(page);
  const low = cursor && !newestFirst && isBefore(first, cursor) ? cursor : first;
  const high = cursor && newestFirst && isBefore(cursor, last) ? cursor : last;
  const rows = await run<V & PageValues>(statement(newestFirst), { ...more, low, high, limit: limit + 1 });
  const textOf = (row: SqlRow | undefined, name: string): string | undefined =>
    row && row[`${name}0`] !== null ? first.map((_, nth) => String(row[`${name}${nth}`])).join('.') : undefined;
  const found = rows.filter(({ key0 }) => key0 !== null);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? textOf(shown.at(-1), 'key') : textOf(rows[0], 'reach');
  const items = shown.map(read);
  return next === undefined ? { items } : { items, next };
};
