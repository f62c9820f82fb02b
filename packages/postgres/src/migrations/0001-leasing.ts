import { alone, duration, eventAt, inOrder, ms, putBack, settings } from './0001-shared.ts';

/** How far a second may run ahead of the clock before its deliveries wait, as `aheadBy` of core has it. */
const tolerated = "interval '5 seconds'";

/** Whoever claims looks for lapsed leases so often: all that are held must be looked at. */
const sweepEvery = "interval '1 second'";

/** More than so many endpoints that may not be served are not looked at in one claim. */
const mostTurns = 1_000;

/** So many deliveries of one endpoint are leased in its turn, while others wait for theirs. */
const inOneTurn = 4;

/** The leases of an account, those of an endpoint and those of a worker. */
const counts = (of: string): string => `
      select count(*) filter (where l.endpoint_id = ${of}.endpoint_id) as leases, count(*) filter (where l.worker = of_worker) as mine
      from partnerkit.leases l where l.account_id = ${of}.account_id and l.expires_at > now()`;

/** How many leases an endpoint may have, as `roomFor` of core has it; null where it does not fail. */
const room = (of: string): string => `(
      select case when greatest(open_until, asked_until) > now() then 0 when openings > 0 then least(per_endpoint, 1) else per_endpoint end
      from partnerkit.health where account_id = ${of}.account_id and endpoint_id = ${of}.endpoint_id)`;

/** The next endpoint in line, what its worker already has of its account, and the first deliveries that may be leased of it. */
const nextEndpoint = (where: string): string => `
    select q.account_id, q.endpoint_id, b.mine, array(
      select ctid from partnerkit.queue where account_id = q.account_id and endpoint_id = q.endpoint_id order by due_at, id
      limit greatest(least(coalesce(${room('q')}, per_endpoint) - b.leases, per_account - b.mine), 0)
    ) as places
    from (
      select account_id, endpoint_id from partnerkit.queue where ${where} order by account_id, endpoint_id limit 1
    ) q cross join lateral (${counts('q')}
    ) b offset 0`;

/** The one with which a half-open endpoint is probed: it was attempted most often. */
const probe = `(
        select (select ctid from partnerkit.queue where account_id = c.account_id and endpoint_id = c.endpoint_id and attempts > 0
          order by attempts desc, due_at, id limit 1)
        from partnerkit.health where account_id = c.account_id and endpoint_id = c.endpoint_id and openings > 0)`;

const visit = (turn: string, ready: string): string =>
  `n.*, ${turn} as turn, ${ready} + least(cardinality(n.places), ${inOneTurn}) as ready`;

const from = '(account_id, endpoint_id) > (turn_account, turn_endpoint)';
const upTo = '(account_id, endpoint_id) <= (turn_account, turn_endpoint)';
const after = '(account_id, endpoint_id) > (o.account_id, o.endpoint_id)';
const more = `o.ready < most and o.turn < ${mostTurns}`;

/** A leased delivery `l` of an event `e`, for an endpoint of this version. */
const leasedRow = (
  version: string,
  second: string,
): string => `json_build_array(l.id, l.lease, l.attempts + 1, l.endpoint_id, ${version}, e.id,
        e.account_id, e.object_name, e.object_id, e.type, ${second}, e.rest,
        case when e.occurred_at is not null then (extract(epoch from e.occurred_at) * 1000)::float8 end, e.idempotency_key, e.trace_context, e.origin)`;

/** An endpoint as core knows it. */
const endpointJson = `
create function partnerkit.endpoint_json(e partnerkit.endpoints) returns json language sql stable parallel safe as $$
  select json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'standardWebhooks', e.standard_webhooks, 'includeChildren', e.include_children, 'createdAt', ${ms('e.created_at')},
    'secret', e.secret, 'nextSecret', e.next_secret, 'activateNextAt', ${ms('e.activate_next_at')},
    'apiKey', case when e.api_key_header is not null then json_build_object('header', e.api_key_header, 'value', e.api_key_value) end,
    'version', e.version))
$$;`;

/** More leased deliveries than so many come without their endpoints, of which a worker that is busy knows most. */
const fewLeased = 8;

/** How many times its share of a dispatch is read of each account, in case others have less than theirs. */
const shares = 4;

/** The endpoints of a few leased deliveries, so that who has just begun need not ask for them. */
const endpointsOf = (
  leased: string,
): string => `case when (select count(*) from ${leased}) between 1 and ${fewLeased} then (
      select json_agg(partnerkit.endpoint_json(e)) from partnerkit.endpoints e
      where e.account_id = any(array(select account_id from ${leased})) and e.id = any(array(select endpoint_id from ${leased}))) end`;

/**
 * Leases due deliveries, for whoever runs alone.
 *
 * Endpoints take turns in the order of their keys, from where the last claim left off and once around: each step finds the next endpoint
 * that has something due by one look into the index. So a thousand others that have nothing cost nothing, and ten thousand deliveries of
 * one cost as much as one. Among those whose turn it is accounts are served in turn, then endpoints.
 */
const lease = `
create function partnerkit.lease(
  of_worker text, most integer, per_endpoint integer, per_account integer, lasts float8, turn_account text, turn_endpoint uuid
) returns json ${settings} ${inOrder} as $$
declare
  answer json;
  sick boolean := exists(select from partnerkit.health);
begin
  with recursive onward as (
    select ${visit('1', '0')} from (${nextEndpoint(from)}) n
    union all
    select ${visit('o.turn + 1', 'o.ready')} from onward o cross join lateral (${nextEndpoint(after)}) n where ${more}
  ), half as (
    select coalesce(max(turn), 0) as turn, coalesce(max(ready), 0) as ready from onward
  ), around as (
    select ${visit('o.turn + 1', 'o.ready')} from half o cross join lateral (${nextEndpoint(upTo)}) n where ${more}
    union all
    select ${visit('o.turn + 1', 'o.ready')} from around o cross join lateral (${nextEndpoint(`${after} and ${upTo}`)}) n where ${more}
  ), turns as materialized (
    select * from onward union all select * from around
  ), candidates as (
    select p.place, t.account_id, t.endpoint_id, t.turn, t.mine, row_number() over (partition by t.account_id order by p.nth, t.turn) as of_account
    from turns t cross join lateral unnest(t.places) with ordinality as p(place, nth)
    where p.nth <= ${inOneTurn} or (select max(ready) from turns) < most
  ), taken as (
    delete from partnerkit.queue where ctid = any(array(
      select coalesce(case when sick then ${probe} end, place)
      from candidates c where of_account <= per_account - mine order by of_account, turn limit most
    )) returning *
  ), leased as (
    insert into partnerkit.leases (account_id, lease, endpoint_id, due_at, id, event_id, attempts, worker, expires_at)
    select account_id, gen_random_uuid(), endpoint_id, due_at, id, event_id, attempts, of_worker, now() + ${duration('lasts')} from taken
    returning *
  )
  select json_build_object(
    'turn', (select json_build_array(account_id, endpoint_id) from turns order by turn desc limit 1),
    'endpoints', ${endpointsOf('leased')},
    'claimed', (
      select json_agg(${leasedRow('p.version', 'e.second')} order by l.id)
      from leased l cross join lateral (
        select version from partnerkit.endpoints where account_id = l.account_id and id = l.endpoint_id and state = 'enabled' limit 1
      ) p cross join lateral (
        ${eventAt('l.account_id', 'l.event_id')}
      ) e where e.id = l.event_id)) into answer;
  return answer;
end $$;`;

/**
 * Takes up to `batch` committed events, stamps each, and writes its deliveries: leased at once where nothing older waits for the endpoint,
 * due, later, or held. What a parent may want is noted.
 *
 * Accounts take turns in the order of their keys, from where the last dispatch left off and once around: each step finds the next account
 * by one look into the index. The first events of each account come first, then the second ones, and so on. Of each account at most a few
 * times its share is looked at, so a hundred thousand events of one account cost another account nothing.
 *
 * A second is that of `stampSecond`: when it happened, but never in the future, and always after the object's last one. Within one
 * object that is `nth + max(earliest - nth)` over those before it, so one window finds them all. The last one may be gone, also where an
 * older one is still there: its second was none after `pruned`. A copy has the second of its event, if it can.
 */
const dispatch = `
create function partnerkit.dispatch(
  of_worker text, most integer, per_endpoint integer, per_account integer, lasts float8, batch integer, turn_account text
) returns json ${settings} ${inOrder} set enable_nestloop = off set enable_mergejoin = off as $$
declare
  answer json;
  -- Those whose turn it is.
  accounts text[] := '{}';
  account text collate "C" := turn_account;
  wrapped boolean := false;
  -- An id begins with its time (RFC 9562, version 7), then counts, so that deliveries are listed in the order of their events.
  prefix text;
  -- Read alone: what changed an endpoint before has an earlier one.
  moment timestamptz;
  -- Some endpoint takes the events of children.
  refers boolean;
begin
  if (select true from partnerkit.outbox order by account_id, place limit 1) is null then
    return '{"events":0}';
  end if;${alone}
  while cardinality(accounts) < batch loop
    account := (select account_id from partnerkit.outbox where account_id > account order by account_id, place limit 1);
    exit when wrapped and (account is null or account > turn_account);
    if account is null then
      wrapped := true;
      account := '';
    else
      accounts := accounts || account;
    end if;
  end loop;
  if cardinality(accounts) = 0 then
    return '{"events":0}';
  end if;
  moment := clock_timestamp();
  refers := exists(select from partnerkit.endpoints where include_children and state <> 'disabled');
  prefix := left(replace(partnerkit.id_at(moment)::text, '-', ''), 12) || '7';
  with moved as materialized (
    delete from partnerkit.outbox where ctid = any(array(
      select w.place
      from unnest(accounts) with ordinality as a(account_id, turn) cross join lateral unnest(array(
        select ctid from partnerkit.outbox where account_id = a.account_id order by place
        limit least(batch, ${shares} * batch / cardinality(accounts))
      )) with ordinality as w(place, nth)
      order by w.nth, a.turn limit batch
    )) returning *
  ), placed as (
    -- Without the texts, which nothing sorts by.
    select place, id, account_id, object_id, type, only_to, origin,
      row_number() over (order by place) as counted,
      row_number() over (partition by account_id, object_id order by place) as nth,
      greatest(floor(extract(epoch from case when origin is null then least(coalesce(occurred_at, stored_at), now()) else occurred_at end)), 0)::bigint
        as earliest,
      greatest((select e.second from partnerkit.events e
        where e.account_id = m.account_id and e.object_id = m.object_id order by e.second desc limit 1),
        (select second from partnerkit.pruned)) as last
    from moved m
  ), stamped as materialized (
    select place, counted, id, account_id, type, only_to, origin,
      nth + max(greatest(earliest - nth, last)) over (partition by account_id, object_id order by place) as second
    from placed
  ), stored as (
    insert into partnerkit.events
      (account_id, id, object_name, object_id, type, occurred_at, dispatched_at, idempotency_key, second, rest, trace_context, only_to,
        origin)
    select m.account_id, m.id, object_name, object_id, m.type, occurred_at, moment, idempotency_key, second, rest, trace_context, m.only_to, m.origin
    from moved m join stamped s on s.place = m.place
  ), fanned as materialized (
    select s.account_id, e.id as endpoint_id, e.version, e.state = 'enabled' as enabled, s.id as event_id, s.place, s.second,
      (prefix || lpad(to_hex(s.counted & 4095), 3, '0') || substr(gen_random_uuid()::text, 20))::uuid as id,
      greatest(to_timestamp(s.second) - ${tolerated}, now()) as due_at
    from stamped s cross join lateral (
      select e.id, e.state, e.version from partnerkit.endpoints e
      where e.account_id = s.account_id and e.state <> 'disabled'
        and case when s.only_to is null then s.type = any(e.events) else e.id = s.only_to end
        and (s.origin is null or e.include_children) offset 0
    ) e
  ), referred as (
    insert into partnerkit.referrals (account_id, event_id)
    select account_id, id from stamped where refers and only_to is null and origin is null order by place returning 1
  ), room as materialized (
    select f.account_id, f.endpoint_id, coalesce(${room('f')}, per_endpoint) - b.leases as of_endpoint,
      per_account - b.mine as of_account
    from (select distinct account_id, endpoint_id from fanned where enabled and most > 0) f cross join lateral (${counts('f')}
    ) b
    -- One look into the index each: a join would read the whole line.
    where (select true from partnerkit.queue where account_id = f.account_id and endpoint_id = f.endpoint_id
      and due_at <= now() order by due_at, id limit 1) is null
  ), fitting as (
    select f.*, r.of_account as room, row_number() over (partition by f.account_id order by f.place) as of_account from (
      select f.*, row_number() over (partition by f.account_id, f.endpoint_id order by f.place) as of_endpoint
      from fanned f where f.enabled and f.due_at <= now()
    ) f join room r on r.account_id = f.account_id and r.endpoint_id = f.endpoint_id and f.of_endpoint <= r.of_endpoint
  ), chosen as materialized (
    select *, gen_random_uuid() as lease, 0 as attempts from fitting where of_account <= room order by of_account, place limit most
  ), leased as (
    insert into partnerkit.leases (account_id, lease, endpoint_id, due_at, id, event_id, attempts, worker, expires_at)
    select account_id, lease, endpoint_id, due_at, id, event_id, attempts, of_worker, now() + ${duration('lasts')} from chosen
  ), due as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, 0 from fanned
    where enabled and due_at <= now() and id not in (select id from chosen)
  ), later as (
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, 0 from fanned where enabled and due_at > now()
  ), held as (
    insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state, since)
    select account_id, endpoint_id, due_at, id, event_id, 0, 'held', now() from fanned where not enabled
  )
  select json_build_object(
    'events', (select count(*) from stamped),
    'turn', accounts[cardinality(accounts)],
    'referring', exists(select from referred),
    'ahead', (
      select json_agg(json_build_object('accountId', account_id, 'eventId', id,
        'by', ceil(extract(epoch from to_timestamp(second) - ${tolerated} - now()) * 1000)))
      from stamped where to_timestamp(second) - ${tolerated} > now()),
    'traced', (
      select json_agg(json_build_object('accountId', account_id, 'eventId', id, 'traceContext', trace_context))
      from moved where trace_context is not null),
    'endpoints', ${endpointsOf('chosen')},
    'claimed', (
      select json_agg(${leasedRow('l.version', 'l.second')}) from chosen l join moved e on e.account_id = l.account_id and e.id = l.event_id)
  ) into answer;
  return answer;
end $$;`;

/**
 * Leases due deliveries. On the way, what has fallen due comes into line, and lapsed leases are taken from their holders: an attempt
 * `abandoned` is logged, and the next one is due by the schedule.
 */
const claim = `
create function partnerkit.claim(
  of_worker text, most integer, per_endpoint integer, per_account integer, lasts float8, turn_account text, turn_endpoint uuid,
  schedule float8[], swept float8
) returns json ${settings} ${inOrder} as $$
declare
  sweeps boolean := swept is null or to_timestamp(swept) <= now() - ${sweepEvery};
  lapsed boolean := sweeps and exists(select from partnerkit.leases where expires_at <= now());
  ripe boolean := exists(select from partnerkit.later where due_at <= now());
  -- Mostly all that is dispatched is leased at once, and nothing waits in line.
  waiting boolean := most > 0 and exists(select from partnerkit.queue);
  abandoned json;
begin
  if not lapsed and not ripe and not waiting then
    return json_build_object('swept', case when sweeps then extract(epoch from now()) end);
  end if;${alone}
  if ripe then
    with due as (
      delete from partnerkit.later where ctid = any(array(
        select ctid from partnerkit.later where due_at <= now() order by due_at limit 1000
      )) returning *
    )
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from due;
  end if;
  if lapsed then
    with lapsed as (
      delete from partnerkit.leases where expires_at <= now() returning *
    ), counted as (
      select l.account_id, l.lease, l.endpoint_id, l.id, l.event_id, l.attempts + 1 as attempts,
        now() + ${duration('schedule[l.attempts + 1]')} as due_at
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
    select json_strip_nulls(json_agg(json_build_object('accountId', account_id, 'eventId', event_id, 'deliveryId', id, 'endpointId', endpoint_id,
      'attempt', attempts, 'exhausted', due_at is null, 'traceContext', (
        select trace_context from (${eventAt('c.account_id', 'c.event_id')}) e where e.id = c.event_id)))) into abandoned from counted c;
  end if;
  return json_build_object('swept', case when sweeps then extract(epoch from now()) end, 'abandoned', abandoned, 'taken', case when most > 0
    then partnerkit.lease(of_worker, most, per_endpoint, per_account, lasts, turn_account, turn_endpoint) end);
end $$;`;

/** Dispatch and claim: what one worker does at a time. @internal */
export const leasing = [endpointJson, lease, dispatch, claim];
