import {
  type ClaimedDelivery,
  type DispatchedEvent,
  type HandlerStore,
  operationalEvent,
} from '@partnerkit/core/adapter';
import { entryOf, findEntries } from '../audit/audit-store.ts';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { selectList } from '../database/selection.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { dispatchedEventOf, dispatchedEvents, dispatchedSelection } from '../events/event-columns.ts';

/** The store's clock. */
export const storeNow = ms('now()');

const [handler, limit] = [value('handler', 'text'), value('limit', 'int')];
const pauses = value('pauses', 'float8[]');

/** Of a delivery `r`: whether it has claims left. */
const hasLeft = sql`r.attempts < cardinality(${pauses})`;
const claimedNow = sql`state = case when ${hasLeft} then 'waiting' else 'exhausted' end,
      due_at = case when ${hasLeft} then ${storeNow} + (${pauses})[r.attempts + 1] else r.due_at end,
      attempts = r.attempts + (${hasLeft})::int,
      log = case when ${hasLeft} then r.log || jsonb_build_array(jsonb_build_object('at', ${storeNow})) else r.log end`;

/** Claimed deliveries of a CTE `claimed` with their events. Those of the audit trail have none. */
const withEvents = sql`(select * from claimed where state = 'waiting') claimed
    left join ${dispatchedEvents} on e.account_id = claimed.account_id and e.id = claimed.event_id`;
const columns = sql`claimed.account_id as account, claimed.event_id::text as event, claimed.attempts, claimed.due_at::text as due,
    ${selectList(dispatchedSelection)}`;

/** Claims all that is due, unless it is more than the limit, or others wait for their turn: then it makes 500 ready. */
const claimAll = statement`with found as materialized (
    select account_id, event_id from ${t.handler_deliveries}
    where handler = ${handler} and state = 'waiting' and due_at <= ${storeNow} and ${plannedAnew(limit)}
    order by due_at limit 500 for update skip locked
  ), fits as materialized (
    select (select count(*) from found) <= ${limit}
      and not exists (select 1 from ${t.handler_deliveries} where handler = ${handler} and state = 'ready') as yes
  ), claimed as (
    update ${t.handler_deliveries} r set ${claimedNow} from found f
    where (select yes from fits) and r.account_id = f.account_id and r.event_id = f.event_id and r.handler = ${handler}
    returning r.*
  ), ready as (
    update ${t.handler_deliveries} r set state = 'ready' from found f
    where not (select yes from fits) and r.account_id = f.account_id and r.event_id = f.event_id and r.handler = ${handler}
  )
  select fits.yes::text as fits, ${columns} from fits left join (${withEvents}) on true`;

const after = value('after', 'text');

const isReadyOf = (account: string) =>
  sql`handler = ${handler} and state = 'ready' and r.account_id = ${account}.account_id and ${plannedAnew(limit)}`;

/**
 * One search in the index for each account: those after the last one, then from the first one on. It locks no more than
 * each account's share of the limit.
 */
const claimInTurn = statement`with recursive accounts (account_id, is_around, nth) as (
    select ${after} collate "C", false, 0
    union all
    select next.account_id, next.is_around, last.nth + 1
    from accounts last cross join lateral (
      (select account_id, last.is_around from ${t.handler_deliveries}
        where handler = ${handler} and state = 'ready' and account_id > last.account_id
          and (not last.is_around or account_id <= ${after})
        order by account_id limit 1)
      union all
      (select account_id, true from ${t.handler_deliveries}
        where handler = ${handler} and state = 'ready' and not last.is_around and account_id <= ${after}
        order by account_id limit 1)
      order by is_around limit 1
    ) next where last.nth < ${limit}
  ), shares as materialized (
    select account_id, nth, count(*) as share from (
      select a.account_id, a.nth from accounts a cross join lateral (
        select row_number() over (order by due_at) as round from ${t.handler_deliveries} r
        where ${isReadyOf('a')} order by due_at limit ${limit}
      ) d where a.nth > 0 order by d.round, a.nth limit ${limit}
    ) firsts group by account_id, nth
  ), turns as materialized (
    select a.account_id, d.event_id, a.nth, row_number() over (partition by a.nth order by d.due_at) as round
    from shares a cross join lateral (
      select event_id, due_at from ${t.handler_deliveries} r
      where ${isReadyOf('a')} order by due_at limit a.share for update skip locked
    ) d
  ), claimed as (
    update ${t.handler_deliveries} r set ${claimedNow} from turns f
    where r.account_id = f.account_id and r.event_id = f.event_id and r.handler = ${handler}
    returning r.*, f.round, f.nth
  )
  select 'true' as fits, ${columns} from ${withEvents} order by claimed.round, claimed.nth`;

const claimedOf = (row: SqlRow, handler: string, event: DispatchedEvent): ClaimedDelivery => ({
  ...{ accountId: event.accountId, eventId: event.id, handler },
  ...{ attempts: Number(row['attempts']), dueAt: Number(row['due']), event },
});

/** Claims due deliveries of a handler. */
export const claimDeliveries =
  ({ run }: Database<never>): HandlerStore<never>['claim'] =>
  async (handler, limit, pauses, after = '') => {
    if (limit <= 0) return [];
    const all = await run(claimAll, { handler, limit, pauses });
    const found = all[0]?.['fits'] === 'false' ? await run(claimInTurn, { handler, limit, pauses, after }) : all;
    const claimed = found.filter((row) => row['account'] !== null);
    const ids = claimed.filter((row) => row['id'] === null).map((row) => String(row['event']));
    const entries = ids.length === 0 ? [] : (await run(findEntries, { ids })).map(entryOf);
    const operational = new Map(entries.map((entry) => [entry.id, operationalEvent(entry)]));
    return claimed.flatMap((row) => {
      const event =
        row['id'] === null ? operational.get(String(row['event'])) : dispatchedEventOf(row, String(row['account']));
      return event ? [claimedOf(row, handler, event)] : [];
    });
  };
