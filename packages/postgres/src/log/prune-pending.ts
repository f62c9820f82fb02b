import type { PruneOutcome } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ago, plannedAnew } from '../database/fragments.ts';
import { type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { zero } from '../database/uuid.ts';
import { countFailed } from '../deliveries/failed-hours.ts';
import { inQueueOrder, isSame } from '../deliveries/pending.ts';
import { pruneCursor } from './prune-cursor.ts';

/** Maximum number of endpoints of a shard per call. */
const maxEndpoints = 1_000;

const [shards, limit] = [value('shards', 'int[]'), value('limit', 'int')];

/** Removes the deliveries `old` from `pending`, and logs why they expired. Locked rows are skipped. */
const expire = <const P extends Part>(old: P, reason: string) => sql`, locked as (
    select p.* from (${old}) o cross join lateral (
      select * from ${t.pending} p where ${isSame('p', 'o')} for update skip locked
    ) p
  ), expired as (
    delete from ${t.pending} p using locked o where ${isSame('p', 'o')} and ${plannedAnew(shards)} returning p.*
  ), logged as (
    insert into ${t.attempts} (account_id, event_id, endpoint_id, replay, number, at, duration_ms, reason, state)
    select account_id, event_id, endpoint_id, replay, logged + 1, now(), 0, '${reason}', 'expired' from expired
    on conflict do nothing
  )`;

/**
 * Deliveries of endpoints that were deleted long enough ago. Each step finds the next endpoint by one index lookup.
 */
const expireDeleted = statement`with recursive visits as (
    (select p.shard, p.account_id, p.endpoint_id, 1 as nth from unnest(${shards}) s(shard) cross join lateral (
      select * from ${t.pending} where shard = s.shard and (account_id, endpoint_id) > (${value('afterAccount', 'text')}, ${value('afterEndpoint', 'uuid')}) order by ${inQueueOrder} limit 1) p)
    union all
    (select p.shard, p.account_id, p.endpoint_id, v.nth + 1 from visits v cross join lateral (
      select * from ${t.pending}
      where shard = v.shard and (account_id, endpoint_id) > (v.account_id, v.endpoint_id) order by ${inQueueOrder} limit 1
    ) p where v.nth < ${maxEndpoints})
  )${expire(
    sql`select p.* from visits v cross join lateral (
      select * from ${t.pending} where shard = v.shard and account_id = v.account_id and endpoint_id = v.endpoint_id limit ${limit}
    ) p where (select true from ${t.endpoints} e where e.account_id = v.account_id and e.id = v.endpoint_id limit 1) is null
      and (select true from ${t.endpoint_history} h
        where h.account_id = v.account_id and h.endpoint_id = v.endpoint_id and h.until > ${ago(value('deleted', 'float8'))} limit 1) is null
      limit ${limit}`,
    'endpoint_deleted',
  )}
  select (select count(*) from expired)::int as expired, l.account_id as account, l.endpoint_id::text as endpoint
  from (select 1) one left join (
    select account_id, endpoint_id from visits where nth = ${maxEndpoints} order by account_id, endpoint_id limit 1
  ) l on true`;

const held = value('held', 'float8');

/** Deliveries that were held too long. */
const expireHeld = statement`with old as materialized (
    select p.* from unnest(${shards}) s(shard) cross join lateral (
      select p.* from ${t.pending} p cross join lateral (
        select 1 from ${t.endpoints}
        where account_id = p.account_id and id = p.endpoint_id and state <> 'enabled' and state_since <= ${ago(held)} offset 0
      ) e
      where p.shard = s.shard and p.since <= ${ago(held)} order by p.since limit ${limit}
    ) p limit ${limit}
  )${expire('select * from old', 'held_too_long')}, tallied as (${countFailed(sql`(select account_id, endpoint_id, 'expired' as state from expired) e`)}
  )
  select account_id as account, endpoint_id::text as endpoint, count(*)::int as expired from expired group by account_id, endpoint_id`;

/** Expires pending deliveries. */
export const prunePending = <Tx extends object>({ run }: Database<Tx>) => {
  /** The last endpoint read; the first of all after all were read. */
  const cursor = pruneCursor<readonly [account: string, endpoint: string]>(['', zero]);
  return async (shards: readonly number[], held: number, deleted: number, limit: number): Promise<PruneOutcome> => {
    const [afterAccount, afterEndpoint] = cursor.after(shards);
    const [row] = await run(expireDeleted, { shards, limit, afterAccount, afterEndpoint, deleted });
    const [account, endpoint] = [row?.['account'] ?? null, row?.['endpoint'] ?? null];
    const hasMoreEndpoints = account !== null;
    const hasMoreDeleted = Number(row?.['expired']) >= limit;
    // Read these endpoints again: rows were left.
    if (!hasMoreDeleted) cursor.note(shards, hasMoreEndpoints ? [String(account), String(endpoint)] : undefined);
    const rows = await run(expireHeld, { shards, limit, held });
    const expired = rows.map(({ account, endpoint, expired }) => ({
      accountId: String(account),
      endpointId: String(endpoint),
      deliveries: Number(expired),
    }));
    const count = expired.reduce((sum, { deliveries }) => sum + deliveries, 0);
    return { expired, hasMore: hasMoreDeleted || hasMoreEndpoints || count >= limit };
  };
};
