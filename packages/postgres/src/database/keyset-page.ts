import type { PageRequest } from '@partnerkit/core';
import { pageLimit, type StoredPage } from '@partnerkit/core/ports';
import type { SqlRow, SqlValue } from '../drivers/driver.ts';
import type { Run } from './database.ts';

/** Maximum number of rows of a piece that a page reads. @internal */
export const maxLookedAt = '1000';

/** One source of rows of a list. @internal */
export interface Piece {
  /** A query that ends in its `where`, with the columns of the key. */
  readonly rows: string;
  /** Its expressions for the columns of the key, as an index has them. */
  readonly key: readonly string[];
  /** Maximum number of rows to read. */
  readonly looked: string;
}

/** A list in the order of a key. @internal */
export interface KeysetList {
  /** The columns of the key with their types. */
  readonly key: Readonly<Record<string, string>>;
  /** The sources of rows. */
  readonly pieces: readonly Piece[];
  /** The selected columns of a row `d`. */
  readonly columns: string;
  readonly joins?: string;
  readonly where: string;
}

const tuple = (names: readonly string[], of = ''): string => `(${names.map((name) => of + name).join(', ')})`;

/**
 * A page of rows from several pieces. Parameters: `$1` the account, the keys before and after the page, the number of
 * rows.
 *
 * Reads a bounded number of rows of each piece, and returns matching rows as far as all pieces reach. At least one row
 * is returned: a row without a key holds how far that is.
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

/** The page's size plus one, for a piece in which every row matches. @internal */
export const asManyAsShown = 'LIMIT';

/** A key, as text. @internal */
export type Key = readonly (string | number)[];

/** A request for a page. @internal */
export interface KeysetRequest<T> {
  readonly accountId: string;
  readonly page: PageRequest;
  /** Before all rows. */
  readonly first: Key;
  /** After all rows. */
  readonly last: Key;
  /** The key of a cursor; `undefined` for a malformed cursor. */
  readonly parse: (cursor: string) => Key | undefined;
  readonly isBefore: (a: Key, b: Key) => boolean;
  readonly statement: (newestFirst: boolean) => string;
  /** Values bound after the limit. */
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
