import { type DeliveryStore, type OwnedEndpoint, shardOf } from '@partnerkit/core/ports';
import type { Database } from './database.ts';
import { endpointJson, plannedAnew } from './fragments.ts';
import { healthJson } from './health.ts';
import { inQueueOrder } from './pending.ts';
import { stateOf, withState } from './store-state.ts';

/** One index lookup per endpoint: with `exists`, the planner may read all queues. */
const hasQueued = (shard: string): string => `(
      select true from partnerkit.pending p
      where p.shard = ${shard} and p.account_id = e.account_id and p.endpoint_id = e.id and p.state = 'queued'
      order by p.due_at limit 1) is not null`;

/** Each step finds the next account of a shard with pending deliveries by one index lookup. */
const accounts = `with recursive waiting as (
      select s.shard, p.account_id from unnest($2::int[]) s(shard) cross join lateral (
        select account_id from partnerkit.pending where shard = s.shard order by ${inQueueOrder} limit 1
      ) p
      union all
      select w.shard, p.account_id from waiting w cross join lateral (
        select account_id from partnerkit.pending where shard = w.shard and account_id > w.account_id order by ${inQueueOrder} limit 1
      ) p
    )
    select given.shard, given.account_id collate "C" as account_id from unnest($1::text[], $3::int[]) given(account_id, shard)
    union
    select w.shard, w.account_id from waiting w
    where exists (select from partnerkit.endpoints e where e.account_id = w.account_id and ${hasQueued('w.shard')})`;

/** Reads endpoints. @internal */
export const readEndpoints = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['readEndpoints'] => {
  const read = sql(
    withState(
      {
        endpoint: `${endpointJson}::text`,
        health: `(case when h.failures is not null then ${healthJson} end)::text`,
        queued: `(${hasQueued('a.shard')})::text`,
      },
      `from (${accounts}) a join partnerkit.endpoints e on e.account_id = a.account_id
        left join partnerkit.health h on h.account_id = e.account_id and h.endpoint_id = e.id
      where ${plannedAnew('$1::text[]')} order by e.account_id, e.id`,
    ),
  );
  return async (accountIds, queuedIn) => {
    const [state, ...found] = await run(read, [accountIds, queuedIn, accountIds.map(shardOf)]);
    const endpoints = found.map(
      (row): OwnedEndpoint => ({
        endpoint: JSON.parse(String(row['endpoint'])),
        hasQueued: row['queued'] === 'true',
        ...(row['health'] === null ? {} : { health: JSON.parse(String(row['health'])) }),
      }),
    );
    return { ...stateOf(state), endpoints };
  };
};
