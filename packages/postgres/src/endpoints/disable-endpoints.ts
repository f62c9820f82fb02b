import type { HealthTransition } from '@partnerkit/core/ports';
import type { SqlColumn } from '../database/database.ts';
import { isMember } from '../database/fragments.ts';
import { endHistory, insertHistory } from './endpoint-history.ts';

/** The columns that `disableEndpoints` binds. @internal */
export const transitionColumns = (transitions: readonly HealthTransition[]): readonly SqlColumn[] => [
  transitions.map(({ shard }) => shard),
  transitions.map(({ accountId }) => accountId),
  transitions.map(({ endpointId }) => endpointId),
  transitions.map(({ disable }) => disable?.version ?? null),
  transitions.map(({ disable }) => disable?.reason ?? null),
];

/** CTEs that disable the endpoints of the transitions, bound from parameter `first` on. @internal */
export const disableEndpoints = (first: number): string => `transitions as materialized (
    select * from unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::uuid[], $${first + 3}::int[], $${first + 4}::text[])
      with ordinality as t(shard, account_id, endpoint_id, version, reason, nth)
  ), locked as materialized (
    select shard from partnerkit.endpoint_versions
    where shard in (select shard from transitions where version is not null) and ${isMember} order by shard for update
  ), disabled as (
    update partnerkit.endpoints e
    set state = 'disabled_by_breaker', state_since = clock_timestamp(), disabled_by = t.reason, version = e.version + 1
    from transitions t
    where e.account_id = t.account_id and e.id = t.endpoint_id and e.version = t.version and e.state = 'enabled'
      and t.shard in (select shard from locked)
    returning e.*, t.shard, t.nth
  ), ${endHistory('disabled')}, ${insertHistory('disabled', 'false')}, forgotten as (
    delete from partnerkit.health h using disabled d where h.account_id = d.account_id and h.endpoint_id = d.id
  ), raised as (
    update partnerkit.endpoint_versions v set version = v.version + 1 where v.shard in (select shard from disabled)
  )`;
