import { alone, inOrder, lastInLine, onlyAt, settings } from './0001-shared.ts';

/** Before every id that was made from then on. What was made within one millisecond has one text. */
const idAt = `
create function partnerkit.id_at(at timestamptz) returns uuid language sql immutable parallel safe as
  $$ select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid $$;`;

/**
 * Notes how an endpoint stands, in the act that changes it. Whoever creates, changes or deletes one runs alone, as dispatch does: so
 * clocks that are read in there tell what came first.
 */
const noteEndpoint = `
create function partnerkit.note_endpoint() returns trigger ${settings} as $$
declare
  moment timestamptz := clock_timestamp();
  of_account text := coalesce(new.account_id, old.account_id);
  of_endpoint uuid := coalesce(new.id, old.id);
  why text := case new.state when 'disabled' then 'partner' when 'disabled_by_breaker' then coalesce(new.disabled_by, 'failing') end;
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state and new.events = old.events and new.include_children = old.include_children then
      return null;
    end if;
    if new.state = old.state then
      why := (select disabled_by from partnerkit.endpoint_history
        where account_id = of_account and endpoint_id = of_endpoint order by since desc limit 1);
    end if;
  end if;
  if tg_op <> 'INSERT' then
    update partnerkit.endpoint_history set until = moment
    where account_id = of_account and endpoint_id = of_endpoint and until = 'infinity';
  end if;
  if tg_op <> 'DELETE' then
    insert into partnerkit.endpoint_history (account_id, endpoint_id, since, until, first, state, events, include_children, disabled_by)
    values (of_account, of_endpoint, moment, 'infinity', tg_op = 'INSERT', new.state, new.events, new.include_children, why);
  end if;
  return null;
end $$;
create trigger note_endpoint after insert or update or delete on partnerkit.endpoints
  for each row execute function partnerkit.note_endpoint();`;

/** Deliveries of an account that go on and are not leased, of events that were dispatched in a time. Needs `inOrder`. */
const goingOn = (low: string, high: string): string =>
  ['queue', 'later', 'parked']
    .map(
      (table) => `(select id, endpoint_id, event_id from partnerkit.${table}
      where account_id = of_account and id >= ${low} and id < ${high}${table === 'parked' ? " and state = 'held'" : ''} order by id)`,
    )
    .join('\n      union all\n      ');

/** Leases are few: in no order, but looked through once. */
const leasesOf = (endpoint: string): string =>
  `select id, endpoint_id, event_id from partnerkit.leases where account_id = of_account and endpoint_id = ${endpoint}`;

/**
 * Sends a delivery again: one that waits is due now, one that is finished has a new one beside it, unless another is under way. Only who
 * runs alone puts anything in line, but for what a worker settles.
 */
const sendAgain = `
create function partnerkit.send_again(of_account text, of_delivery uuid) returns json ${settings} ${inOrder} as $$
declare
  found record;
  under_way uuid;
  dispatched timestamptz;
  standing text;
begin
  ${alone}
  select * into found from (
    (select 'sent' as kind, endpoint_id, event_id, id from partnerkit.queue where account_id = of_account and ${onlyAt('of_delivery')})
    union all
    select 'later', l.endpoint_id, l.event_id, l.id from partnerkit.endpoints e cross join lateral (
      select * from partnerkit.later where account_id = of_account and endpoint_id = e.id and id = of_delivery
    ) l where e.account_id = of_account
    union all
    select 'being_attempted', endpoint_id, event_id, id from partnerkit.leases where account_id = of_account and id = of_delivery
    union all
    (select case state when 'held' then 'held' else 'finished' end, endpoint_id, event_id, id from partnerkit.parked
    where account_id = of_account and ${onlyAt('of_delivery')})
    union all
    select 'finished', endpoint_id, event_id, delivery_id from partnerkit.attempts
    where account_id = of_account and delivery_id = of_delivery and state is not null
  ) d limit 1;
  if found.kind is null then
    return json_build_object('kind', 'not_found');
  end if;
  if found.kind = 'later' then
    with moved as (
      delete from partnerkit.later where account_id = of_account and endpoint_id = found.endpoint_id and id = of_delivery returning *
    )
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, now(), id, event_id, attempts from moved;
    return json_build_object('kind', 'sent', 'deliveryId', of_delivery);
  end if;
  if found.kind = 'sent' then
    update partnerkit.queue set due_at = now()
    where account_id = of_account and endpoint_id = found.endpoint_id and due_at = '${lastInLine}' and id = of_delivery;
  end if;
  if found.kind <> 'finished' then
    return case when found.kind = 'sent' then json_build_object('kind', 'sent', 'deliveryId', of_delivery)
      else json_build_object('kind', found.kind) end;
  end if;
  dispatched := (
    select dispatched_at from partnerkit.events where account_id = of_account and ${onlyAt('found.event_id')} for key share
  );
  if dispatched is null then
    return json_build_object('kind', 'event_dropped');
  end if;
  standing := (select state from partnerkit.endpoints where account_id = of_account and id = found.endpoint_id);
  if standing is distinct from 'enabled' then
    return json_build_object('kind', case when standing is null then 'endpoint_deleted' else 'endpoint_disabled' end);
  end if;
  select d.id into under_way from (
    ${goingOn('partnerkit.id_at(dispatched)', "partnerkit.id_at(dispatched + interval '1 millisecond')")}
    union all
    ${leasesOf('found.endpoint_id')}
  ) d where d.endpoint_id = found.endpoint_id and d.event_id = found.event_id limit 1;
  if under_way is not null then
    return json_build_object('kind', 'unfinished', 'deliveryId', under_way);
  end if;
  -- Beside the others of its event.
  insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
  values (of_account, found.endpoint_id, now(),
    (left(replace(partnerkit.id_at(dispatched)::text, '-', ''), 12) || '7' || substr(gen_random_uuid()::text, 16))::uuid, found.event_id, 0)
  returning id into under_way;
  return json_build_object('kind', 'sent', 'deliveryId', under_way);
end $$;`;

/**
 * Puts events in line again for an endpoint. All that stands in line counts as due; what is replayed stands behind all that fell due at a
 * time, in the order of its ids. So it is leased when nothing else of its endpoint is due, and delays nothing. No event goes before this
 * commits, and none that goes meanwhile is taken.
 */
const replay = `
create function partnerkit.replay(of_account text, of_endpoint uuid, low uuid, high uuid, most integer) returns json ${settings} ${inOrder} as $$
declare
  taken record;
  answer json;
begin
  ${alone}
  select state, events, include_children into taken from partnerkit.endpoints where account_id = of_account and id = of_endpoint;
  if not found then
    return json_build_object('kind', 'not_found');
  end if;
  if taken.state <> 'enabled' then
    return json_build_object('kind', 'endpoint_disabled');
  end if;
  with walked as materialized (
    select id, type, only_to, origin, dispatched_at from partnerkit.events
    where account_id = of_account and id > low and id < high order by id limit most for key share
  ), times as (
    -- Many are dispatched at once, and have their deliveries in one place.
    select distinct partnerkit.id_at(dispatched_at) as low, partnerkit.id_at(dispatched_at + interval '1 millisecond') as high from walked
  ), under_way as (
    select d.event_id from times t cross join lateral (
      ${goingOn('t.low', 't.high')}
    ) d where d.endpoint_id = of_endpoint
    union all
    select event_id from (${leasesOf('of_endpoint')}) l
  ), wanted as (
    select w.id, w.dispatched_at from walked w
    where w.only_to is null and w.type = any(taken.events) and (w.origin is null or taken.include_children)
      and w.id not in (select event_id from under_way)
  ), made as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select of_account, of_endpoint, '${lastInLine}',
      (left(replace(partnerkit.id_at(dispatched_at)::text, '-', ''), 12) || '7' || substr(gen_random_uuid()::text, 16))::uuid, id, 0
    from wanted returning 1
  )
  select json_build_object('kind', 'replayed', 'deliveries', (select count(*) from made),
    'next', (select (array_agg(id order by id desc))[1] from walked having count(*) = most)) into answer;
  return json_strip_nulls(answer);
end $$;`;

/** What operators look at, and mend. @internal */
export const mending = [idAt, noteEndpoint, sendAgain, replay];
