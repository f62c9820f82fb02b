import type { PageRequest } from '@partnerkit/core';
import { pageLimit, type StoredPage } from '@partnerkit/core/ports';
import { afterAll, isUuid, zero } from './uuid.ts';

/** A statement for each order of a list. @internal */
export interface PageStatements {
  /** Ascending. */
  readonly oldestFirst: string;
  /** Descending. */
  readonly newestFirst: string;
}

/**
 * Writes a list in both orders. `write` receives the condition on the rows after the id in `bound`, and the order.
 * @internal
 */
export const pageStatements = (id: string, bound: string, write: (rest: string) => string): PageStatements => ({
  oldestFirst: write(`${id} > ${bound}::uuid order by ${id}`),
  newestFirst: write(`${id} < ${bound}::uuid order by ${id} desc`),
});

/**
 * A keyset page by id. Ids begin with their time, so they are in order of creation.
 * @internal
 */
export const readPage = async <T extends { readonly id: string }>(
  statements: PageStatements,
  { newestFirst = false, after = newestFirst ? afterAll : zero, ...request }: PageRequest,
  read: (statement: string, after: string, limit: number) => Promise<readonly T[]>,
): Promise<StoredPage<T>> => {
  if (!isUuid(after)) return { items: [], invalidCursor: true };
  const limit = pageLimit(request);
  const rows = await read(newestFirst ? statements.newestFirst : statements.oldestFirst, after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: last.id } : { items };
};
