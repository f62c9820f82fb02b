import type { PageRequest } from '@partnerkit/core';
import { pageLimit, type StoredPage } from '@partnerkit/core/ports';
import { type Fragment, sql, value } from './statement.ts';
import { afterAll, isUuid, zero } from './uuid.ts';

/** A statement for each order of a list. @internal */
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

const [after, limit] = [value('after', 'uuid'), value('limit', 'int')];

/**
 * Writes a list in both orders. `write` receives the end of the statement: the condition on the rows after the page
 * before, by their id, the order and the limit.
 * @internal
 */
export const pageStatements = <S>(id: string, write: (rest: Fragment<PageValues>) => S): PageStatements<S> => ({
  oldestFirst: write(sql`${id} > ${after} order by ${id} limit ${limit}`),
  newestFirst: write(sql`${id} < ${after} order by ${id} desc limit ${limit}`),
});

/**
 * A keyset page by id. Ids begin with their time, so they are in order of creation.
 * @internal
 */
export const readPage = async <S, T extends { readonly id: string }>(
  statements: PageStatements<S>,
  { newestFirst = false, after = newestFirst ? afterAll : zero, ...request }: PageRequest,
  read: (statement: S, page: PageValues) => Promise<readonly T[]>,
): Promise<StoredPage<T>> => {
  if (!isUuid(after)) return { items: [], invalidCursor: true };
  const limit = pageLimit(request);
  const statement = newestFirst ? statements.newestFirst : statements.oldestFirst;
  const rows = await read(statement, { after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: last.id } : { items };
};
