import type { HealthTransition } from '@partnerkit/core/adapter';
import { isMember } from '../database/fragments.ts';
import { type Columns, rows, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { endHistory, insertHistory } from './endpoint-history.ts';
import { raiseVersions } from './raise-versions.ts';

const columns: Columns<HealthTransition> = {
  shard: ['int', ({ shard }) => shard],
  account_id: ['text', ({ accountId }) => accountId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  version: ['int', ({ disable }) => disable?.version ?? null],
  reason: ['text', ({ disable }) => disable?.reason ?? null],
};

/** CTEs that disable the endpoints of the values `transitions`. */
export const disableEndpoints = sql`transitions as materialized (
    select * from ${rows('transitions', columns).as('t', 'nth')}
  ), locked as materialized (
    select shard from ${t.endpoint_versions}
    where shard in (select shard from transitions where version is not null) and ${isMember} order by shard for update
  ), disabled as (
    update ${t.endpoints} e
    set state = 'disabled_by_breaker', state_since = clock_timestamp(), disabled_by = t.reason, version = e.version + 1
    from transitions t
    where e.account_id = t.account_id and e.id = t.endpoint_id and e.version = t.version and e.state = 'enabled'
      and t.shard in (select shard from locked)
    returning e.*, t.shard, t.nth
  ), ${endHistory('disabled')}, ${insertHistory('disabled', 'false')}, forgotten as (
    delete from ${t.health} h using disabled d where h.account_id = d.account_id and h.endpoint_id = d.id
  ), ${raiseVersions('select shard from disabled', '0')}`;
