import { type DeliveryStore, type OwnedEndpoint, shardOf } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { rows, sql, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { endpointOf, endpointSelection } from '../endpoints/endpoint-columns.ts';
import { healthJson } from '../endpoints/health.ts';
import { pausedSince } from '../endpoints/sending-store.ts';
import { stateOf, withState } from './store-state.ts';

const accounts = rows('accounts', {
  account_id: ['text', (accountId: string) => accountId],
  shard: ['int', shardOf],
});

/** One index lookup per endpoint: with `exists`, the planner may read all queues. */
const hasQueued = sql`((
      select true from ${t.pending} p
      where p.shard = a.shard and p.account_id = e.account_id and p.endpoint_id = e.id and p.state = 'queued'
      order by p.due_at limit 1) is not null)`;

const read = statement`${withState(
  {
    ...endpointSelection,
    health: ['text', sql`(case when h.failures is not null then ${healthJson} end)::text`],
    queued: ['boolean', hasQueued],
    stopped: ['boolean', sql`(${pausedSince('e.account_id', 'e.id')} is not null)`],
  },
  // The planner assumes few accounts: endpoints of a page are found by index, never by a scan of all.
  sql`from (select distinct account_id collate "C" as account_id, shard from ${accounts.few('given')}) a
      join ${t.endpoints} e on e.account_id = a.account_id
      left join ${t.health} h on h.account_id = e.account_id and h.endpoint_id = e.id
    where ${plannedAnew(accounts.column('account_id'))} order by e.account_id, e.id`,
)}`;

export const readEndpoints =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['readEndpoints'] =>
  async (accounts, knownVersion) => {
    const [state, ...found] = await run(read, { accounts, knownVersion });
    const endpoints = found.map(
      (row): OwnedEndpoint => ({
        endpoint: endpointOf(row),
        hasQueued: row['queued'] === 'true',
        isSendingPaused: row['stopped'] === 'true',
        ...(row['health'] === null ? {} : { health: JSON.parse(String(row['health'])) }),
      }),
    );
    return { ...stateOf(state), endpoints };
  };
