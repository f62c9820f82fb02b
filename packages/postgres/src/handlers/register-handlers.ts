import type { HandlerRegistration, HandlerStore } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { moment, plannedAnew } from '../database/fragments.ts';
import { rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { raiseVersions } from '../endpoints/raise-versions.ts';
import { storeNow } from './claim-deliveries.ts';

const names = value('names', 'text[]');
const limit = value('limit', 'int');
const lastShard = 127;

const lockShards = statement`select 1 from ${t.endpoint_versions} order by shard for update`;
const raiseAll = statement`with ${raiseVersions(sql`select shard from ${t.endpoint_versions}`, '0')} select 1`;

/** Raises the version of every shard: dispatches under way hold them until their commit. */
export const raiseEveryShard = async (own: Run, change: () => Promise<unknown>): Promise<void> => {
  await own(lockShards);
  await change();
  await own(raiseAll);
};

const find = statement`select name, to_json(events)::text as events from ${t.handlers} where name = any(${names})`;
const touch = statement`update ${t.handlers} set seen_at = ${storeNow} where name = any(${names})`;
const given = rows<'given', HandlerRegistration>('given', {
  name: ['text', ({ name }) => name],
  events: ['text', ({ events = [] }) => `{${events.map((each) => `"${each}"`).join(',')}}`],
  since: ['float8', ({ since }) => since ?? null],
});
const store = statement`insert into ${t.handlers} (name, events, registered_at, seen_at, since, backfill_shard)
  select name, events::text[], ${storeNow}, ${storeNow}, since, case when since is not null then 0 end from ${given.as('g')}
  order by name on conflict (name) do update set events = excluded.events, seen_at = excluded.seen_at`;

/** Gives the first handler with past events to get those of one page of one shard. */
const fill = statement`with h as materialized (
    select * from ${t.handlers} where name = any(${names}) and backfill_shard is not null order by name limit 1 for update
  ), page as materialized (
    select d.* from h cross join lateral (
      select account_id, event_id, dispatched_at from ${t.dispatches}
      where shard = h.backfill_shard and dispatched_at >= ${moment('h.since')}
        and dispatched_at > coalesce(h.backfill_after, '-infinity') and ${plannedAnew(limit)}
      order by dispatched_at fetch first (${limit}) rows with ties
    ) d
  ), added as (
    insert into ${t.handler_deliveries} (account_id, event_id, handler, state, due_at, attempts, log)
    select e.account_id, e.id, h.name, 'waiting', ${storeNow}, 0, '[]'
    from h cross join page p join ${t.events} e on e.account_id = p.account_id and e.id = p.event_id
    where e.only_to is null and e.origin is null
      and (e.type = any(h.events) or e.object_name || '.' || e.type = any(h.events))
    on conflict do nothing
  ), read as (
    select count(*) >= ${limit} as is_full, max(dispatched_at) as last from page
  ), moved as (
    update ${t.handlers} r set backfill_after = case when is_full then last end,
      backfill_shard = case when is_full then h.backfill_shard when h.backfill_shard < ${lastShard} then h.backfill_shard + 1 end
    from h cross join read where r.name = h.name returning r.name, r.backfill_shard
  )
  select (exists (select 1 from moved where backfill_shard is not null) or exists (
    select 1 from ${t.handlers} where name = any(${names}) and backfill_shard is not null and name not in (select name from moved)
  ))::text as more`;

/** Registers handlers, or notes that a worker has them. */
export const registerHandlers =
  ({ shortTransaction }: Database<never>): HandlerStore<never>['register'] =>
  (handlers, limit) =>
    shortTransaction(async (own) => {
      const names = handlers.map(({ name }) => name);
      const known = new Map(
        (await own(find, { names })).map((row) => [row['name'], JSON.parse(String(row['events']))]),
      );
      const others = handlers.filter(({ name, events }) => events && String(events) !== String(known.get(name)));
      if (others.length > 0) await raiseEveryShard(own, () => own(store, { given: others }));
      await own(touch, { names });
      const [row] = await own(fill, { names, limit });
      return row?.['more'] === 'true';
    });
