import type { HealthTransition, HealthWrite, StoredHealth } from '@partnerkit/core/adapter';
import { duration, isMember, ms } from '../database/fragments.ts';
import { type Columns, rows, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const isOf = (a: HealthWrite | HealthTransition, b: HealthWrite | HealthTransition): boolean =>
  a.accountId === b.accountId && a.endpointId === b.endpointId;

/** What is written of a health; null: it has no row. */
const of =
  (field: (health: StoredHealth) => number | boolean | string | null) =>
  ({ health }: HealthWrite) =>
    health ? field(health) : null;

const columns: Columns<HealthWrite> = {
  account_id: ['text', ({ accountId }) => accountId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  version: ['int', ({ version }) => version],
  failures: ['int', of(({ failures }) => failures)],
  failing_for: ['float8', of(({ failingFor }) => failingFor)],
  is_exhausted: ['boolean', of(({ isExhausted }) => isExhausted)],
  open_count: ['int', of(({ openCount }) => openCount)],
  open_for: ['float8', of(({ openFor }) => openFor)],
  retry_after_for: ['float8', of(({ retryAfterFor }) => retryAfterFor)],
  last_failure: ['text', of(({ lastFailure }) => (lastFailure ? JSON.stringify(lastFailure) : null))],
};

/** What `writeHealth` binds. A transition that disables an endpoint deletes its health. */
export const healthToWrite = (
  all: readonly HealthWrite[],
  transitions: readonly HealthTransition[],
): readonly HealthWrite[] => {
  const disabled = transitions.filter(({ disable }) => disable);
  return disabled.length === 0 ? all : all.filter((write) => !disabled.some((each) => isOf(each, write)));
};

/** Failures that go on keep their start: measured again, it differs by the time that writing takes. */
const steadyStart = sql`case when excluded.failing_since between h.failing_since - interval '1 minute'
        and h.failing_since + interval '1 minute' then h.failing_since else excluded.failing_since end`;

/** CTEs that write the values `health`. The endpoints are locked until the commit. */
export const writeHealth = sql`judged as materialized (
    select g.* from ${rows('health', columns).as('g')}
    join ${t.endpoints} e on e.account_id = g.account_id and e.id = g.endpoint_id and e.version = g.version and e.state = 'enabled'
    where ${isMember} order by g.account_id, g.endpoint_id for share of e
  ), recovered as (
    delete from ${t.health} h using judged g
    where h.account_id = g.account_id and h.endpoint_id = g.endpoint_id and g.failures is null
  ), failing as (
    insert into ${t.health} as h (account_id, endpoint_id, failures, failing_since, is_exhausted, open_count, open_until, retry_after_until, last_failure)
    select account_id, endpoint_id, failures, now() - ${duration('failing_for')}, is_exhausted, open_count, now() + ${duration('open_for')},
      now() + ${duration('retry_after_for')}, last_failure::json
    from judged where failures is not null
    on conflict (account_id, endpoint_id) do update set failures = excluded.failures, failing_since = ${steadyStart},
      is_exhausted = excluded.is_exhausted, open_count = excluded.open_count, open_until = excluded.open_until,
      retry_after_until = excluded.retry_after_until, last_failure = excluded.last_failure
  )`;

const left = (time: string) => sql`greatest(ceil(extract(epoch from ${time}) * 1000), 0)::float8`;

/** The row `h` of `health` as JSON of `StoredHealth`. */
export const healthJson = sql`json_strip_nulls(json_build_object('failures', h.failures, 'failingFor', ${left('now() - h.failing_since')},
    'isExhausted', h.is_exhausted, 'openCount', h.open_count, 'openFor', ${left('h.open_until - now()')},
    'retryAfterFor', ${left('h.retry_after_until - now()')}, 'lastFailure', h.last_failure))`;

/** Until when nothing is sent to the endpoint of `h`. */
export const pausedUntil = ms('greatest(h.open_until, h.retry_after_until)');
