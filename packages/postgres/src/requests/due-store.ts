import type { ClaimedCommand, DueChange, DueStore } from '@partnerkit/core/adapter';
import type { RequestKindName } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { type Columns, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { requestKinds } from './request-kind.ts';

const columns: Columns<DueChange> = {
  kind: ['text', ({ kind }) => requestKinds[kind].name],
  id: ['text', ({ id }) => id],
  name: ['text', ({ name }) => name],
  account_id: ['text', ({ accountId }) => accountId],
  environment: ['text', ({ environment }) => environment],
  due_at: ['float8', ({ dueAt }) => dueAt ?? null],
  is_reminder: ['boolean', ({ isReminder }) => isReminder],
};
const changes = rows('changes', columns);

const storeNow = ms('now()');

const plan = statement`with given as materialized (select * from ${changes.as('given')}), removed as (
    delete from ${t.request_due} r using given g
    where g.due_at is null and r.kind = g.kind and r.id = g.id and r.name = g.name
  )
  insert into ${t.request_due} (kind, id, name, account_id, environment, is_reminder, due_at, claimable_at, attempts, is_ready)
  select kind, id, name, account_id, environment, is_reminder, at, at, 0, false
  from given, greatest(due_at, ${storeNow}) at where due_at is not null
  on conflict (kind, id, name) do update
    set due_at = excluded.due_at, claimable_at = excluded.claimable_at, attempts = excluded.attempts,
      is_reminder = excluded.is_reminder, is_ready = excluded.is_ready`;

const limit = value('limit', 'int');
const claimedNow = sql`claimable_at = ${storeNow} + ${value('lease', 'float8')}, attempts = r.attempts + 1,
      is_ready = false`;
const columnsOfClaimed = sql`kind, id, name, account_id as account, environment, is_reminder::int as reminder,
    due_at::text as due, claimable_at::text as claimable, attempts`;

/** Claims all that is due, unless it is more than the limit, or others wait for their turn: then it makes 500 ready. */
const claimAll = statement`with found as materialized (
    select kind, id, name from ${t.request_due}
    where not is_ready and claimable_at <= ${storeNow} and ${plannedAnew(limit)}
    order by claimable_at limit 500 for update skip locked
  ), fits as materialized (
    select (select count(*) from found) <= ${limit} and not exists (select 1 from ${t.request_due} where is_ready) as yes
  ), claimed as (
    update ${t.request_due} r set ${claimedNow}
    from found f where (select yes from fits) and r.kind = f.kind and r.id = f.id and r.name = f.name
    returning r.*
  ), ready as (
    update ${t.request_due} r set is_ready = true
    from found f where not (select yes from fits) and r.kind = f.kind and r.id = f.id and r.name = f.name
  )
  select ${storeNow}::text as now, fits.yes::int as fits, ${columnsOfClaimed}
  from fits left join claimed on true order by claimed.due_at`;

const [afterAccount, afterEnvironment] = [value('afterAccount', 'text'), value('afterEnvironment', 'text')];
const after = sql`(${afterAccount}, ${afterEnvironment})`;

const isReadyOf = (account: string) =>
  sql`is_ready and r.account_id = ${account}.account_id and r.environment = ${account}.environment and ${plannedAnew(limit)}`;

/**
 * One search in the index for each account: those after the last one, then from the first one on. It locks no more than
 * each account's share of the limit.
 */
const claimInTurn = statement`with recursive accounts (account_id, environment, is_around, nth) as (
    select ${afterAccount} collate "C", ${afterEnvironment} collate "C", false, 0
    union all
    select next.account_id, next.environment, next.is_around, last.nth + 1
    from accounts last cross join lateral (
      (select account_id, environment, last.is_around from ${t.request_due}
        where is_ready and (account_id, environment) > (last.account_id, last.environment)
          and (not last.is_around or (account_id, environment) <= ${after})
        order by account_id, environment limit 1)
      union all
      (select account_id, environment, true from ${t.request_due}
        where is_ready and not last.is_around and (account_id, environment) <= ${after}
        order by account_id, environment limit 1)
      order by is_around limit 1
    ) next where last.nth < ${limit}
  ), shares as materialized (
    select account_id, environment, nth, count(*) as share from (
      select a.account_id, a.environment, a.nth from accounts a cross join lateral (
        select row_number() over (order by is_reminder, claimable_at) as round from ${t.request_due} r
        where ${isReadyOf('a')} order by is_reminder, claimable_at limit ${limit}
      ) d where a.nth > 0 order by d.round, a.nth limit ${limit}
    ) firsts group by account_id, environment, nth
  ), turns as materialized (
    select d.kind, d.id, d.name, a.nth, row_number() over (partition by a.nth order by d.is_reminder, d.claimable_at) as round
    from shares a cross join lateral (
      select kind, id, name, is_reminder, claimable_at from ${t.request_due} r
      where ${isReadyOf('a')} order by is_reminder, claimable_at limit a.share for update skip locked
    ) d
  ), claimed as (
    update ${t.request_due} r set ${claimedNow}
    from turns f where r.kind = f.kind and r.id = f.id and r.name = f.name
    returning r.*, f.round, f.nth
  )
  select ${storeNow}::text as now, ${columnsOfClaimed}
  from (select 1) one left join claimed on true order by round, nth`;

const isClaim = sql`kind = ${value('kind', 'text')} and id = ${value('id', 'text')} and name = ${value('name', 'text')}
    and attempts = ${value('attempts', 'int')} and claimable_at = ${value('claimableAt', 'float8')}`;
const postpone = statement`update ${t.request_due}
  set due_at = ${value('dueAt', 'float8')}, claimable_at = ${storeNow} + ${value('pause', 'float8')} where ${isClaim}`;
const remove = statement`delete from ${t.request_due} where ${isClaim}`;

const kindNames = new Map(
  Object.entries(requestKinds).map(([kind, { name }]): [string, RequestKindName] => [name, kind as RequestKindName]),
);

/** Rows of another version of this package may have a kind that this one does not know. */
const claimedOf = (row: SqlRow): readonly ClaimedCommand[] => {
  const kind = kindNames.get(String(row['kind']));
  if (kind === undefined) return [];
  return [
    {
      kind,
      id: String(row['id']),
      name: String(row['name']),
      accountId: String(row['account']),
      environment: String(row['environment']),
      dueAt: Number(row['due']),
      isReminder: row['reminder'] === 1,
      claimableAt: Number(row['claimable']),
      attempts: Number(row['attempts']),
    },
  ];
};

/** The commands that objects wait for. */
export const createDueStore = <Tx extends object>({ run, runIn }: Database<Tx>): DueStore<Tx> => ({
  plan: async (tx, changes) => {
    await runIn(tx)(plan, { changes });
  },
  claim: async (limit, lease, last) => {
    const all = await run(claimAll, { limit, lease });
    const turns = { afterAccount: last?.accountId ?? '', afterEnvironment: last?.environment ?? '' };
    const found = all[0]?.['fits'] === 0 ? await run(claimInTurn, { limit, lease, ...turns }) : all;
    return { now: Number(found[0]?.['now']), claimed: found.flatMap(claimedOf) };
  },
  release: async ({ kind, id, name, attempts, claimableAt }, next) => {
    const of = { kind: requestKinds[kind].name, id, name, attempts, claimableAt };
    await (next ? run(postpone, { ...of, ...next }) : run(remove, of));
  },
});
