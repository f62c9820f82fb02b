import { duration } from './times.ts';

/** How far a second may run ahead of the clock before its deliveries wait, as `aheadBy` of core has it. */
const tolerated = "interval '5 seconds'";

/**
 * Takes the oldest committed events (`$1`: how many at most), stamps each, and writes its deliveries: due, later, or held.
 *
 * A second is that of `stampSecond`: when it happened, but never in the future, and always after the object's last one. Within one
 * object that is `place + max(second - place)` over those before it, so one window finds them all.
 *
 * Runs alone, in a snapshot that was taken after the one before it had committed.
 * @internal
 */
export const dispatchStatement = `
  with moved as materialized (
    delete from partnerkit.outbox where place = any(array(select place from partnerkit.outbox order by place limit $1::int))
    returning *
  ), placed as (
    select m.*, row_number() over (partition by m.account_id, m.object_id order by m.place) as nth,
      greatest(floor(extract(epoch from least(coalesce(m.occurred_at, m.stored_at), now()))), 0)::bigint as earliest,
      (select e.second from partnerkit.events e
        where e.account_id = m.account_id and e.object_id = m.object_id order by e.second desc limit 1) as last
    from moved m
  ), stamped as materialized (
    select p.*, p.nth + max(greatest(p.earliest - p.nth, p.last)) over (partition by p.account_id, p.object_id order by p.nth) as second
    from placed p
  ), stored as (
    insert into partnerkit.events
      (account_id, id, object_name, object_id, type, occurred_at, stored_at, idempotency_key, second, rest)
    select account_id, id, object_name, object_id, type, occurred_at, stored_at, idempotency_key, second, rest from stamped
  ), fanned as materialized (
    -- An id begins with its time (RFC 9562, version 7), then counts, so that deliveries are listed in the order of their events.
    select s.account_id, e.id as endpoint_id, e.state, s.id as event_id,
      (overlay(lpad(to_hex(floor(extract(epoch from now()) * 1000)::bigint), 12, '0') placing '-' from 9 for 0)
        || '-7' || lpad(to_hex(row_number() over (order by s.place) & 4095), 3, '0')
        || substr(gen_random_uuid()::text, 19))::uuid as id,
      greatest(to_timestamp(s.second) - ${tolerated}, now()) as due_at
    from stamped s cross join lateral (
      select e.id, e.state from partnerkit.endpoints e
      where e.account_id = s.account_id and e.state <> 'disabled' and s.type = any(e.events) offset 0
    ) e
  ), due as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, 0 from fanned where state = 'enabled' and due_at <= now()
  ), later as (
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, 0 from fanned where state = 'enabled' and due_at > now()
  ), held as (
    insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state)
    select account_id, endpoint_id, due_at, id, event_id, 0, 'held' from fanned where state <> 'enabled'
  )
  select (select count(*) from stamped)::int as events, coalesce((
    select json_agg(json_build_object('accountId', account_id, 'eventId', id,
      'by', ceil(extract(epoch from to_timestamp(second) - ${tolerated} - now()) * 1000)))::text
    from stamped where to_timestamp(second) - ${tolerated} > now()), '[]') as ahead`;

/** Whether there is anything to dispatch. @internal */
export const undispatched = 'select 1 from partnerkit.outbox limit 1';

/**
 * Deliveries `given` (`account_id`, `endpoint_id`, `id`, `event_id`, `attempts`, `due_at`) go where they are to be tried again: in
 * line, held, or out, as their endpoint stands. The endpoints stay as they are until this commits.
 * @internal
 */
export const putBack = (given: string): string => `
  standing as (
    select g.*, e.state from ${given} g left join lateral (
      select state from partnerkit.endpoints where account_id = g.account_id and id = g.endpoint_id for share
    ) e on true
  ), due as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and due_at <= now()
  ), later as (
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and due_at > now()
  ), parked as (
    insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state)
    select account_id, endpoint_id, due_at, id, event_id, attempts, case when state is null then 'expired' else 'held' end
    from standing where state is distinct from 'enabled'
  )`;

/** Gives back what was not attempted. `$1` to `$3`: accounts, leases, deliveries. @internal */
export const releaseStatement = `
  with given as (
    select * from unnest($1::text[], ($2::text[])::uuid[], ($3::text[])::uuid[]) as given(account_id, lease, id)
  ), freed as (
    delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
    returning l.account_id, l.endpoint_id, l.id, l.event_id, l.attempts, now() as due_at
  ), ${putBack('freed')}
  select count(*) from freed`;

/** What is due by now comes into the line; whether anything is in line, and whether a lease has lapsed. @internal */
export const wakeLater = `
  with due as (
    delete from partnerkit.later where ctid = any(array(
      select ctid from partnerkit.later where due_at <= now() order by due_at limit 1000 for update skip locked))
    returning *
  ), queued as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from due returning 1
  )
  select exists(select from queued) or exists(select from partnerkit.queue) as due,
    exists(select from partnerkit.leases where expires_at <= now()) as lapsed`;

/**
 * Takes deliveries from holders whose leases have lapsed, runs alone: an attempt `abandoned` is logged, and the next one is due by the
 * schedule (`$1`: milliseconds after attempt 1, 2, …).
 * @internal
 */
export const takeOver = `
  with lapsed as (
    delete from partnerkit.leases where expires_at <= now() returning *
  ), counted as (
    select l.account_id, l.lease, l.endpoint_id, l.id, l.event_id, l.attempts + 1 as attempts,
      now() + ${duration('($1::text[])[l.attempts + 1]')} as due_at
    from lapsed l
  ), logged as (
    insert into partnerkit.attempts
      (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took, reason, state)
    select account_id, id, lease, true, endpoint_id, event_id, attempts, now(), 0, 'abandoned',
      case when due_at is null then 'exhausted' end
    from counted
  ), again as (
    select * from counted where due_at is not null
  ), ${putBack('again')}
  select account_id as account, id::text as delivery, endpoint_id::text as endpoint, attempts::int as attempt,
    due_at is null as exhausted
  from counted order by id`;
