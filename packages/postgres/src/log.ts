import type { Attempt, Delivery, DeliveryLog } from '@partnerkit/core';
import type { Database } from './database.ts';
import { ms } from './fragments.ts';
import { readPage } from './pages.ts';
import { isUuid } from './uuid.ts';

/** A delivery stands in exactly one of these. */
const places = [
  { table: 'queue', id: 'id', state: "'waiting'", attempts: 'attempts' },
  { table: 'later', id: 'id', state: "'waiting'", attempts: 'attempts' },
  { table: 'leases', id: 'id', state: "'waiting'", attempts: 'attempts' },
  { table: 'parked', id: 'id', state: 'state', attempts: 'attempts' },
  { table: 'attempts', id: 'delivery_id', state: 'state', attempts: 'number' },
] as const;

/** @internal */
export const deliveryLog = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryLog => {
  // `$3` an endpoint, `$4` a state, or null for all.
  const deliveries = places.map(
    ({ table, id, state, attempts }) => `
      (select ${id} as id, event_id, endpoint_id, ${state} as state, ${attempts} as attempts from partnerkit.${table}
      where account_id = $1 and ${id} > $2::uuid and ($3::uuid is null or endpoint_id = $3::uuid)
        and ${state} is not null and ($4::text is null or ${state} = $4::text)
      order by ${id} limit $5::int)`,
  );
  const list = sql(`
    select id::text, event_id::text as event, endpoint_id::text as endpoint, state, attempts::int
    from (${deliveries.join(' union all ')}) d order by d.id limit $5::int`);
  const attemptsOf = sql(`
    select ${ms('at')} as at, took, status::int, reason, retry_after as retry, body from partnerkit.attempts
    where account_id = $1 and delivery_id = $2::uuid order by attempts.at, abandoned desc`);

  return {
    listDeliveries: async (accountId, { endpointId = null, state = null }, page) => {
      if (endpointId !== null && !isUuid(endpointId)) return { items: [] };
      return readPage(page, async (after, limit) =>
        (await run(list, [accountId, after, endpointId, state, limit])).map(
          (row): Delivery => ({
            id: String(row['id']),
            eventId: String(row['event']),
            endpointId: String(row['endpoint']),
            state: row['state'] as Delivery['state'],
            attempts: Number(row['attempts']),
          }),
        ),
      );
    },
    listAttempts: async (accountId, deliveryId) => {
      if (!isUuid(deliveryId)) return [];
      const rows = await run(attemptsOf, [accountId, deliveryId]);
      return rows.map((row): Attempt => {
        const [at, took] = [Number(row['at']), Number(row['took'])];
        if (row['reason'] !== null)
          return { kind: 'failed', reason: row['reason'] as Extract<Attempt, { kind: 'failed' }>['reason'], took, at };
        const retry = row['retry'] === null ? {} : { retryAfter: String(row['retry']) };
        return { kind: 'answered', status: Number(row['status']), body: String(row['body']), ...retry, took, at };
      });
    },
  };
};
