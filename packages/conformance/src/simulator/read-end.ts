import type { PageRequest } from '@partnerkit/core';
import type { AuditEntry, Storage } from '@partnerkit/core/adapter';
import { deliveryKey } from './delivery-key.ts';
import type { Trace } from './trace.ts';

const pages = async <T>(
  read: (page: PageRequest) => Promise<{ readonly items: readonly T[]; readonly next?: string }>,
): Promise<T[]> => {
  const items: T[] = [];
  for (let after: string | undefined, hasMore = true; hasMore; hasMore = after !== undefined) {
    const page = await read({ limit: 100, ...(after === undefined ? {} : { after }) });
    items.push(...page.items);
    after = page.next;
  }
  return items;
};

/** Every entry of the audit trail. */
export const readTrail = <Tx extends object>({ audit }: Storage<Tx>): Promise<readonly AuditEntry[]> =>
  pages((page) => audit.listEntries(undefined, page));

/** Everything that is stored at the end of a history. */
export const readEnd = async <Tx extends object>(
  { events, log }: Storage<Tx>,
  accountIds: readonly string[],
): Promise<Pick<Trace, 'events' | 'deliveries'>> => {
  const found: { events: Trace['events'][number][]; deliveries: Trace['deliveries'][number][] } = {
    events: [],
    deliveries: [],
  };
  for (const accountId of accountIds) {
    found.events.push(...(await pages((page) => events.listEvents(accountId, page))));
    for (const delivery of await pages((page) => log.listDeliveries(accountId, {}, page))) {
      const attempts = await log.listAttempts(deliveryKey(accountId, delivery.id));
      found.deliveries.push({ ...delivery, accountId, log: attempts });
    }
  }
  return found;
};
