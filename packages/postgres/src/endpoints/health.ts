import type { HealthTransition, HealthWrite, StoredHealth } from '@partnerkit/core/ports';
import type { SqlColumn } from '../database/database.ts';
import { duration, isMember, ms } from '../database/fragments.ts';

const isOf = (a: HealthWrite | HealthTransition, b: HealthWrite | HealthTransition): boolean =>
  a.accountId === b.accountId && a.endpointId === b.endpointId;

/** The columns that `writeHealth` binds. A transition that disables an endpoint deletes its health. @internal */
export const healthColumns = (
  all: readonly HealthWrite[],
  transitions: readonly HealthTransition[],
): readonly SqlColumn[] => {
  const disabled = transitions.filter(({ disable }) => disable);
  const writes = disabled.length === 0 ? all : all.filter((write) => !disabled.some((each) => isOf(each, write)));
  const of = (field: (health: StoredHealth) => number | boolean): SqlColumn =>
    writes.map(({ health }) => (health ? field(health) : null));
  return [
    writes.map(({ accountId }) => accountId),
    writes.map(({ endpointId }) => endpointId),
    writes.map(({ version }) => version),
    of(({ failures }) => failures),
    of(({ failingFor }) => failingFor),
    of(({ isExhausted }) => isExhausted),
    of(({ openCount }) => openCount),
    of(({ openFor }) => openFor),
    of(({ retryAfterFor }) => retryAfterFor),
  ];
};

/** CTEs that write the health bound from parameter `first` on. The endpoints are locked until the commit. @internal */
export const writeHealth = (first: number): string => `judged as materialized (
    select g.* from unnest($${first}::text[], $${first + 1}::uuid[], $${first + 2}::int[], $${first + 3}::int[], $${first + 4}::float8[],
      $${first + 5}::boolean[], $${first + 6}::int[], $${first + 7}::float8[], $${first + 8}::float8[])
      as g(account_id, endpoint_id, version, failures, failing_for, is_exhausted, open_count, open_for, retry_after_for)
    join partnerkit.endpoints e on e.account_id = g.account_id and e.id = g.endpoint_id and e.version = g.version and e.state = 'enabled'
    where ${isMember} order by g.account_id, g.endpoint_id for share of e
  ), recovered as (
    delete from partnerkit.health h using judged g
    where h.account_id = g.account_id and h.endpoint_id = g.endpoint_id and g.failures is null
  ), failing as (
    insert into partnerkit.health (account_id, endpoint_id, failures, failing_since, is_exhausted, open_count, open_until, retry_after_until)
    select account_id, endpoint_id, failures, now() - ${duration('failing_for')}, is_exhausted, open_count, now() + ${duration('open_for')},
      now() + ${duration('retry_after_for')}
    from judged where failures is not null
    on conflict (account_id, endpoint_id) do update set failures = excluded.failures, failing_since = excluded.failing_since,
      is_exhausted = excluded.is_exhausted, open_count = excluded.open_count, open_until = excluded.open_until,
      retry_after_until = excluded.retry_after_until
  )`;

const left = (time: string): string => `greatest(ceil(extract(epoch from ${time}) * 1000), 0)::float8`;

/** The row `h` of `health` as JSON of `StoredHealth`. @internal */
export const healthJson = `json_build_object('failures', h.failures, 'failingFor', ${left('now() - h.failing_since')},
    'isExhausted', h.is_exhausted, 'openCount', h.open_count, 'openFor', ${left('h.open_until - now()')},
    'retryAfterFor', ${left('h.retry_after_until - now()')})`;

/** Until when nothing is sent to the endpoint of `h`. @internal */
export const pausedUntil = ms('greatest(h.open_until, h.retry_after_until)');
