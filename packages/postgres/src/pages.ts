import { type PageRequest, pageLimit, type StoredPage } from '@partnerkit/core';
import { isUuid, zero } from './uuid.ts';

/**
 * A keyset page, by an id that is part of the key. Ids begin with their time, so the oldest come first.
 * @internal
 */
export const readPage = async <T extends { readonly id: string }>(
  { after = zero, ...request }: PageRequest,
  read: (after: string, limit: number) => Promise<readonly T[]>,
): Promise<StoredPage<T>> => {
  if (!isUuid(after)) return { items: [], invalidCursor: true };
  const limit = pageLimit(request);
  const rows = await read(after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: last.id } : { items };
};
