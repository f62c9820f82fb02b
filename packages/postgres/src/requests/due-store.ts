import type { ClaimedCommand, DueChange, DueStore, RequestKindName } from '@partnerkit/core/requests';
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
};
const changes = rows('changes', columns);

const plan = statement`with given as materialized (select * from ${changes.as('given')}), removed as (
    delete from ${t.request_due} r using given g
    where g.due_at is null and r.kind = g.kind and r.id = g.id and r.name = g.name
  )
  insert into ${t.request_due} (${changes.names}, claimable_at, attempts)
  select ${changes.names}, due_at, 0 from given where due_at is not null
  on conflict (kind, id, name) do update
    set due_at = excluded.due_at, claimable_at = excluded.claimable_at, attempts = excluded.attempts`;

const limit = value('limit', 'int');
const storeNow = ms('now()');

const claim = statement`with found as materialized (
    select kind, id, name from ${t.request_due}
    where claimable_at <= ${storeNow} and ${plannedAnew(limit)}
    order by claimable_at limit ${limit} for update skip locked
  ), claimed as (
    update ${t.request_due} r set claimable_at = ${storeNow} + ${value('lease', 'float8')}, attempts = r.attempts + 1
    from found f where r.kind = f.kind and r.id = f.id and r.name = f.name
    returning r.*
  )
  select ${storeNow}::text as now, kind, id, name, account_id as account, environment, due_at::text as due,
    claimable_at::text as claimable, attempts
  from (select 1) one left join claimed on true order by claimed.due_at`;

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
      claimableAt: Number(row['claimable']),
      attempts: Number(row['attempts']),
    },
  ];
};

/** The commands that objects wait for. @internal */
export const createDueStore = <Tx extends object>({ run, runIn }: Database<Tx>): DueStore<Tx> => ({
  plan: async (tx, changes) => {
    await runIn(tx)(plan, { changes });
  },
  claim: async (limit, lease) => {
    const found = await run(claim, { limit, lease });
    return { now: Number(found[0]?.['now']), claimed: found.flatMap(claimedOf) };
  },
  release: async ({ kind, id, name, attempts, claimableAt }, next) => {
    const of = { kind: requestKinds[kind].name, id, name, attempts, claimableAt };
    await (next ? run(postpone, { ...of, ...next }) : run(remove, of));
  },
});
