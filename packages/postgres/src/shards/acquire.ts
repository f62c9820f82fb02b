import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, ms, workerId } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/**
 * Free shards are locked, then read again: a shard acquired meanwhile has another owner than before, whose row of
 * `workers` may be invisible to this snapshot.
 */
const takeFree = statement`with ${fence}, seen as materialized (
    select shard, owner from ${t.shards} s
    where s.owner is null or not exists (select 1 from ${t.workers} w where w.id = s.owner)
  ), free as materialized (
    select s.shard, s.owner from ${t.shards} s join seen on seen.shard = s.shard and s.owner is not distinct from seen.owner
    where ${isMember} order by s.shard limit ${value('limit', 'int')} for update of s skip locked
  ), acquired as (
    update ${t.shards} s set owner = ${workerId}, is_recovered = false from free where s.shard = free.shard
    returning s.shard, s.watermark, free.owner is not null as abandoned
  )
  select ${isMember}::text as member, a.shard::int as shard, ${ms('a.watermark')} as settled, a.abandoned::text as abandoned
  from (select 1) one left join acquired a on true`;

/** Acquires free shards. */
export const acquire =
  <Tx extends object>({ run }: Database<Tx>): ShardStore['acquire'] =>
  async (workerId, limit) => {
    const rows = await run(takeFree, { workerId, limit });
    if (rows[0]?.['member'] !== 'true') return 'fenced';
    return rows
      .filter(({ shard }) => shard !== null)
      .map((row) => ({
        shard: Number(row['shard']),
        watermark: Number(row['settled']),
        wasAbandoned: row['abandoned'] === 'true',
      }));
  };
