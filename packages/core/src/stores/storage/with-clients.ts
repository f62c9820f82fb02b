import type { AuditEntry } from '../../base/audit/audit-entry.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import { type PageRequest, pageLimit, type StoredPage } from '../../base/pagination/page.ts';
import type { Storage } from './storage.ts';

/** A page over two lists, each in the order of ids. Cursors are ids, so both continue behind the same one. */
const merged = (
  pages: readonly StoredPage<AuditEntry>[],
  { newestFirst = false, ...request }: PageRequest,
): StoredPage<AuditEntry> => {
  if (pages.some(({ invalidCursor }) => invalidCursor)) return { items: [], invalidCursor: true };
  const found = pages.flatMap(({ items }) => items).sort((a, b) => (a.id < b.id === newestFirst ? 1 : -1));
  const items = found.slice(0, pageLimit(request));
  const last = items.at(-1);
  const hasMore = items.length < found.length || pages.some(({ next }) => next !== undefined);
  return last && hasMore ? { items, next: last.id } : { items };
};

/**
 * A storage of some accounts, whose clients are in another storage with those of all accounts.
 *
 * - The trail of an account has the entries of both: those of its API keys are written with the keys.
 * - `listAllClients` is empty: workers of the other storage tell what time brings to keys.
 */
export const withClients = <Tx extends object>(storage: Storage<Tx>, other: Storage<Tx>): Storage<Tx> => {
  const listEntries: AuditStore['listEntries'] = async (accountId, page) => {
    if (accountId === undefined) return storage.audit.listEntries(accountId, page);
    const stores = [storage.audit, other.audit];
    return merged(await Promise.all(stores.map((each) => each.listEntries(accountId, page))), page);
  };
  return {
    ...storage,
    clients: { ...other.clients, listAllClients: async () => ({ items: [] }) },
    audit: { ...storage.audit, listEntries },
  };
};
