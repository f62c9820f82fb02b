import { type Page, type PageRequest, pageLimit } from '@partnerkit/core';
import { isUuid, zero } from './uuid.ts';

/**
 * A keyset page, by an id that is part of the key. Ids begin with their time, so the oldest come first.
 * @internal
 */
export const readPage = async <T extends { readonly id: string }>(
  { after = zero, ...request }: PageRequest,
  read: (after: string, limit: number) => Promise<readonly T[]>,
): Promise<Page<T>> => {
  if (!isUuid(after)) throw new TypeError('after: hand over the `next` of the page before.');
  const limit = pageLimit(request);
  const rows = await read(after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: last.id } : { items };
};
