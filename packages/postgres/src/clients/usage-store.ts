import type { ClientStore, UsageDay } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { moment, ms } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/**
 * Locks the clients first, in the order of their ids: a deletion waits, and so does nothing else. Old days that another
 * call deletes are left to it.
 */
const add = statement`
  with given as materialized (
    select "clientId" as client_id, date, calls, "lastCallAt" as at, "refusedAt" as refused_at, refusal
    from json_to_recordset((${value('days', 'text')})::json) as (
      "clientId" text, date date, calls bigint, "lastCallAt" float8, "refusedAt" float8, refusal text)
  ), known as materialized (
    select c.id from ${t.clients} c where c.id in (select client_id from given) order by c.id for key share
  ), gone as (
    delete from ${t.client_usage} where (client_id, date) in (
      select o.client_id, o.date from ${t.client_usage} o
      where o.client_id in (select id from known) and o.date < (${value('since', 'text')})::date
      for update skip locked)
  )
  insert into ${t.client_usage} as u (client_id, date, calls, last_call_at, last_refused_at, last_refusal)
  select g.client_id, g.date, g.calls, ${moment('g.at')}, ${moment('g.refused_at')}, g.refusal
  from given g join known k on k.id = g.client_id
  order by g.client_id, g.date
  on conflict (client_id, date) do update set calls = u.calls + excluded.calls,
    last_call_at = greatest(u.last_call_at, excluded.last_call_at),
    last_refused_at = greatest(u.last_refused_at, excluded.last_refused_at),
    last_refusal = case when excluded.last_refused_at < u.last_refused_at or excluded.last_refused_at is null
      then u.last_refusal else excluded.last_refusal end`;

const read = statement`
  select client_id as client, to_char(date, 'YYYY-MM-DD') as date, calls::float8 as calls, ${ms('last_call_at')} as at,
    ${ms('last_refused_at')} as refused, last_refusal as refusal
  from ${t.client_usage} where client_id = any(${value('clientIds', 'text[]')})`;

/** The calls of clients by day. */
export const usageStore = ({ run }: Pick<Database<object>, 'run'>): Pick<ClientStore, 'addUsage' | 'readUsage'> => ({
  addUsage: async (days, since) => {
    const rows = days.map(({ lastRefusal, ...day }) => ({
      ...day,
      refusedAt: lastRefusal?.at,
      refusal: lastRefusal?.reason,
    }));
    await run(add, { days: JSON.stringify(rows), since });
  },
  readUsage: async (clientIds) =>
    (await run(read, { clientIds })).map(
      ({ client, date, calls, at, refused, refusal }): UsageDay => ({
        ...{ clientId: String(client), date: String(date), calls: Number(calls), lastCallAt: Number(at) },
        ...(refusal === null ? {} : { lastRefusal: { at: Number(refused), reason: refusal as never } }),
      }),
    ),
});
