import type { PruneOutcome } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { ago, plannedAnew } from '../database/fragments.ts';
import { zero } from '../database/uuid.ts';
import { inQueueOrder, isSame } from '../deliveries/pending.ts';
import { pruneCursor } from './prune-cursor.ts';

/** Maximum number of endpoints of a shard per call. */
const maxEndpoints = 1_000;

/** Removes the deliveries `old` from `pending`, and logs why they expired. Locked rows are skipped. */
const expire = (old: string, reason: string): string => `, locked as (
    select p.* from (${old}) o cross join lateral (
      select * from partnerkit.pending p where ${isSame('p', 'o')} for update skip locked
    ) p
  ), expired as (
    delete from partnerkit.pending p using locked o where ${isSame('p', 'o')} and ${plannedAnew('$1::int[]')} returning p.*
  ), logged as (
    insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, shard, at, duration_ms, reason, state)
    select account_id, event_id, endpoint_id, replay, logged + 1, shard, now(), 0, '${reason}', 'expired' from expired
    on conflict do nothing
  )`;

/**
 * Deliveries of endpoints deleted for at least `$5`. Each step finds the next endpoint by one index lookup, after the
 * account `$3` and its endpoint `$4`.
 */
const ofDeleted = `with recursive visits as (
    (select p.shard, p.account_id, p.endpoint_id, 1 as nth from unnest($1::int[]) s(shard) cross join lateral (
      select * from partnerkit.pending where shard = s.shard and (account_id, endpoint_id) > ($3::text, $4::uuid) order by ${inQueueOrder} limit 1) p)
    union all
    (select p.shard, p.account_id, p.endpoint_id, v.nth + 1 from visits v cross join lateral (
      select * from partnerkit.pending
      where shard = v.shard and (account_id, endpoint_id) > (v.account_id, v.endpoint_id) order by ${inQueueOrder} limit 1
    ) p where v.nth < ${maxEndpoints})
  )${expire(
    `select p.* from visits v cross join lateral (
      select * from partnerkit.pending where shard = v.shard and account_id = v.account_id and endpoint_id = v.endpoint_id limit $2::int
    ) p where (select true from partnerkit.endpoints e where e.account_id = v.account_id and e.id = v.endpoint_id limit 1) is null
      and (select true from partnerkit.endpoint_history h
        where h.account_id = v.account_id and h.endpoint_id = v.endpoint_id and h.until > ${ago('$5')} limit 1) is null
      limit $2::int`,
    'endpoint_deleted',
  )}
  select (select count(*) from expired)::int as expired, l.account_id as account, l.endpoint_id::text as endpoint
  from (select) one left join (
    select account_id, endpoint_id from visits where nth = ${maxEndpoints} order by account_id, endpoint_id limit 1
  ) l on true`;

/** `$3` is how long a delivery may be held. */
const heldTooLong = `with old as materialized (
    select p.* from unnest($1::int[]) s(shard) cross join lateral (
      select p.* from partnerkit.pending p cross join lateral (
        select from partnerkit.endpoints
        where account_id = p.account_id and id = p.endpoint_id and state <> 'enabled' and state_since <= ${ago('$3')} offset 0
      ) e
      where p.shard = s.shard and p.since <= ${ago('$3')} order by p.since limit $2::int
    ) p limit $2::int
  )${expire('select * from old', 'held_too_long')}
  select account_id as account, endpoint_id::text as endpoint, count(*)::int as expired from expired group by account_id, endpoint_id`;

/** Expires pending deliveries. @internal */
export const prunePending = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const [expireDeleted, expireHeld] = [sql(ofDeleted), sql(heldTooLong)];
  /** The last endpoint read; the first of all after all were read. */
  const cursor = pruneCursor<readonly string[]>(['', zero]);
  return async (shards: readonly number[], held: number, deleted: number, limit: number): Promise<PruneOutcome> => {
    const [row] = await run(expireDeleted, [shards, limit, ...cursor.after(shards), deleted]);
    const [account, endpoint] = [row?.['account'] ?? null, row?.['endpoint'] ?? null];
    const hasMoreEndpoints = account !== null;
    const hasMoreDeleted = Number(row?.['expired']) >= limit;
    // Read these endpoints again: rows were left.
    if (!hasMoreDeleted) cursor.note(shards, hasMoreEndpoints ? [String(account), String(endpoint)] : undefined);
    const rows = await run(expireHeld, [shards, limit, held]);
    const expired = rows.map(({ account, endpoint, expired }) => ({
      accountId: String(account),
      endpointId: String(endpoint),
      deliveries: Number(expired),
    }));
    const count = expired.reduce((sum, { deliveries }) => sum + deliveries, 0);
    return { expired, hasMore: hasMoreDeleted || hasMoreEndpoints || count >= limit };
  };
};
