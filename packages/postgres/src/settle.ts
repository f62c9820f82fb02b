import { duration, putBack } from './fragments.ts';

const given = `given as materialized (
    select * from json_to_recordset(($1::text)::json) as given(account_id text, id uuid, lease uuid, took float8, status smallint,
      reason text, retry_after text, body text, state text, retry_in float8)
  )`;

/**
 * Logs attempts and moves their deliveries on, as far as their leases are held. `$1`: JSON. Resolves to those leases.
 * @internal
 */
export const settleStatement = `
  with ${given}, freed as (
    delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
    returning g.*, l.endpoint_id, l.event_id, l.attempts + 1 as attempts
  ), logged as (
    insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took, status,
      reason, retry_after, body, state)
    select l.account_id, l.id, l.lease, false, l.endpoint_id, l.event_id, l.attempts, now(), l.took, l.status, l.reason,
      l.retry_after, l.body, l.state
    from freed as l
  ), again as (
    select account_id, endpoint_id, id, event_id, attempts, now() + ${duration('retry_in')} as due_at from freed
    where retry_in is not null
  ), ${putBack('again')}
  select lease::text as lease from freed`;

/**
 * Logs attempts whose deliveries were taken over meanwhile: once each. Whoever took over has logged the lease as abandoned. In a
 * statement of its own, which sees that. `$1`: JSON.
 * @internal
 */
export const logLate = `
  with ${given}
  insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, at, took, status, reason, retry_after, body)
  select g.account_id, g.id, g.lease, false, now(), g.took, g.status, g.reason, g.retry_after, g.body
  from given g join partnerkit.attempts a
    on a.account_id = g.account_id and a.delivery_id = g.id and a.lease = g.lease and a.abandoned
  on conflict do nothing`;

/** Gives back what was not attempted. `$1` to `$3`: accounts, leases, deliveries. @internal */
export const releaseStatement = `
  with given as (
    select * from unnest($1::text[], ($2::text[])::uuid[], ($3::text[])::uuid[]) as given(account_id, lease, id)
  ), freed as (
    delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
    returning l.account_id, l.endpoint_id, l.id, l.event_id, l.attempts, now() as due_at
  ), ${putBack('freed')}
  select count(*) from freed`;
