import type { PageRequest } from '@partnerkit/core';
import { pageLimit, type StoredPage } from '@partnerkit/core/adapter';
import { type Fragment, sql, value } from './statement.ts';
import { afterAll, isUuid, zero } from './uuid.ts';

/** A statement for each order of a list. */
export interface PageStatements<S> {
  /** Ascending. */
  readonly oldestFirst: S;
  /** Descending. */
  readonly newestFirst: S;
}

/** The named values of a page. */
interface PageValues {
  readonly after: string;
  readonly limit: number;
}

const limit = value('limit', 'int');

/**
 * Writes a list in both orders. `write` receives the end of the statement: the condition on the rows after the page
 * before, by their id, the order and the limit.
 */
export const pageStatements = <S>(
  id: string,
  write: (rest: Fragment<PageValues>) => S,
  type: 'uuid' | 'text' = 'uuid',
): PageStatements<S> => {
  const after = value('after', type);
  return {
    oldestFirst: write(sql`${id} > ${after} order by ${id} limit ${limit}`),
    newestFirst: write(sql`${id} < ${after} order by ${id} desc limit ${limit}`),
  };
};

/** The ends of a list, and what an id between them is. */
export interface IdRange {
  /** Before every id. */
  readonly first: string;
  /** After every id. */
  readonly last: string;
  readonly isId: (text: string) => boolean;
  /** What a cursor has before its id, so that no other text passes for one. */
  readonly prefix: string;
}

const uuids: IdRange = { first: zero, last: afterAll, isId: isUuid, prefix: '' };

/** A keyset page by id. Ids begin with their time, so they are in order of creation. */
export const readPage = async <S, T extends { readonly id: string }>(
  statements: PageStatements<S>,
  { newestFirst = false, after: cursor, ...request }: PageRequest,
  read: (statement: S, page: PageValues) => Promise<readonly T[]>,
  { first, last: end, isId, prefix }: IdRange = uuids,
): Promise<StoredPage<T>> => {
  const from = cursor?.startsWith(prefix) ? cursor.slice(prefix.length) : '';
  if (cursor !== undefined && !isId(from)) return { items: [], invalidCursor: true };
  const after = cursor === undefined ? (newestFirst ? end : first) : from;
  const limit = pageLimit(request);
  const statement = newestFirst ? statements.newestFirst : statements.oldestFirst;
  const rows = await read(statement, { after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: prefix + last.id } : { items };
};
