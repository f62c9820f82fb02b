import type { ShardStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { fence, isMember, ms } from '../database/fragments.ts';

/**
 * Free shards are locked, then read again: a shard acquired meanwhile has another owner than before, whose row of
 * `workers` may be invisible to this snapshot.
 */
const statement = `with ${fence}, seen as materialized (
    select shard, owner from partnerkit.shards s
    where s.owner is null or not exists (select from partnerkit.workers w where w.id = s.owner)
  ), free as materialized (
    select s.shard, s.owner from partnerkit.shards s join seen on seen.shard = s.shard and s.owner is not distinct from seen.owner
    where ${isMember} order by s.shard limit $2::int for update of s skip locked
  ), acquired as (
    update partnerkit.shards s set owner = $1::text from free where s.shard = free.shard
    returning s.shard, s.watermark, free.owner is not null as abandoned
  )
  select ${isMember}::text as member, a.shard::int as shard, ${ms('a.watermark')} as settled, a.abandoned::text as abandoned
  from (select) one left join acquired a on true`;

/** Acquires free shards. @internal */
export const acquire = <Tx extends object>({ sql, run }: Database<Tx>): ShardStore['acquire'] => {
  const take = sql(statement);
  return async (workerId, limit) => {
    const rows = await run(take, [workerId, limit]);
    if (rows[0]?.['member'] !== 'true') return 'fenced';
    return rows
      .filter(({ shard }) => shard !== null)
      .map((row) => ({
        shard: Number(row['shard']),
        watermark: Number(row['settled']),
        wasAbandoned: row['abandoned'] === 'true',
      }));
  };
};
