import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { duration, moment, wakesMembers, workerId } from '../database/fragments.ts';
import { numbersOf } from '../database/numbers-of.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { deleteExpired } from './join.ts';

const watermark = moment(value('watermark', 'float8'));

const lastSettlement = sql`coalesce((select number from ${t.last_settlements} where worker_id = ${workerId}), 0)`;

/** The result reads rows as they were before the statement. */
const renew = statement`with renewed as (
    update ${t.workers} w set expires_at = now() + ${duration(value('lease', 'float8'))},
      is_stopping = w.is_stopping or ${value('isStopping', 'boolean')}
    from (select is_stopping from ${t.workers} where id = ${workerId}) before
    where w.id = ${workerId} returning w.id, w.is_stopping and not before.is_stopping as begins_to_stop
  ), ${deleteExpired}, marked as (
    update ${t.shards} set watermark = ${watermark}
    where owner = (select id from renewed) and is_recovered and shard = any(${value('shards', 'int[]')})
      and watermark < ${watermark} and ${lastSettlement} >= ${value('settlement', 'bigint')}
  ), others as materialized (
    select id, expires_at, is_stopping from ${t.workers} where id <> ${workerId} and id not in (select id from expired)
  )
  select exists (select 1 from renewed)::text as member,
    (1 + (select count(*) from others where not is_stopping))::int as workers,
    (select count(*) from ${t.shards} s
      where s.owner is null or s.owner <> ${workerId} and s.owner not in (select id from others))::int as free,
    array(select shard from ${t.shards} where owner = ${workerId} and is_recovered order by shard)::text as recovered,
    array(select shard from ${t.shards} where owner = ${workerId} and not is_recovered order by shard)::text as acquired,
    ${lastSettlement}::text as settlement, (select version from ${t.endpoint_changes})::text as version,
    (select greatest(ceil(extract(epoch from min(expires_at) - now()) * 1000), 0) from others having count(*) > 0)::float8 as expiry,
    case when exists (select 1 from expired) or (select begins_to_stop from renewed) then ${wakesMembers} end as woken`;

/** Renews a lease. */
export const heartbeat =
  <Tx extends object>({ run }: Database<Tx>): ShardStore['heartbeat'] =>
  async (workerId, lease, { shards, watermark, settlement, isStopping }) => {
    const [row] = await run(renew, { workerId, lease, shards, watermark, settlement, isStopping });
    if (row?.['member'] !== 'true') return 'fenced';
    return {
      workers: Number(row['workers']),
      freeShards: Number(row['free']),
      ...(row['expiry'] === null ? {} : { nextExpiryIn: Number(row['expiry']) }),
      stored: {
        shards: numbersOf(String(row['recovered'])),
        acquired: numbersOf(String(row['acquired'])),
        settlement: Number(row['settlement']),
        endpointVersion: Number(row['version']),
      },
    };
  };
