import type { ShardStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { duration, moment, wakesMembers } from '../database/fragments.ts';
import { deleteExpired } from './join.ts';

/** The result reads rows as they were before the statement. */
const statement = `with renewed as (
    update partnerkit.workers w set expires_at = now() + ${duration('$2')}, is_stopping = w.is_stopping or $5::boolean
    from (select is_stopping from partnerkit.workers where id = $1::text) before
    where w.id = $1::text returning w.id, w.is_stopping and not before.is_stopping as begins_to_stop
  ), ${deleteExpired}, marked as (
    update partnerkit.shards set watermark = ${moment('$4')}
    where owner = (select id from renewed) and shard = any($3::int[]) and watermark < ${moment('$4')}
  ), others as materialized (
    select id, expires_at, is_stopping from partnerkit.workers where id <> $1::text and id not in (select id from expired)
  )
  select exists (select from renewed)::text as member,
    (1 + (select count(*) from others where not is_stopping))::int as workers,
    (select count(*) from partnerkit.shards s
      where s.owner is null or s.owner <> $1::text and s.owner not in (select id from others))::int as free,
    (select greatest(ceil(extract(epoch from min(expires_at) - now()) * 1000), 0) from others having count(*) > 0)::float8 as expiry,
    case when exists (select from expired) or (select begins_to_stop from renewed) then ${wakesMembers} end as woken`;

/** Renews a lease. @internal */
export const heartbeat = <Tx extends object>({ sql, run }: Database<Tx>): ShardStore['heartbeat'] => {
  const renew = sql(statement);
  return async (workerId, lease, { shards, watermark, isStopping }) => {
    const [row] = await run(renew, [workerId, lease, shards, watermark, isStopping]);
    if (row?.['member'] !== 'true') return 'fenced';
    return {
      workers: Number(row['workers']),
      freeShards: Number(row['free']),
      ...(row['expiry'] === null ? {} : { nextExpiryIn: Number(row['expiry']) }),
    };
  };
};
