import { type DeliveryStore, type OwnedEndpoint, shardOf } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { endpointJson, plannedAnew } from '../database/fragments.ts';
import { healthJson } from '../endpoints/health.ts';
import { stateOf, withState } from './store-state.ts';

/** One index lookup per endpoint: with `exists`, the planner may read all queues. */
const hasQueued = `(
      select true from partnerkit.pending p
      where p.shard = a.shard and p.account_id = e.account_id and p.endpoint_id = e.id and p.state = 'queued'
      order by p.due_at limit 1) is not null`;

/** Reads endpoints. @internal */
export const readEndpoints = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['readEndpoints'] => {
  const read = sql(
    withState(
      {
        endpoint: `${endpointJson}::text`,
        health: `(case when h.failures is not null then ${healthJson} end)::text`,
        queued: `(${hasQueued})::text`,
      },
      `from (select distinct account_id collate "C" as account_id, shard from unnest($1::text[], $2::int[]) given(account_id, shard)) a join partnerkit.endpoints e on e.account_id = a.account_id
        left join partnerkit.health h on h.account_id = e.account_id and h.endpoint_id = e.id
      where ${plannedAnew('$1::text[]')} order by e.account_id, e.id`,
    ),
  );
  return async (accountIds) => {
    const [state, ...found] = await run(read, [accountIds, accountIds.map(shardOf)]);
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
