import { duration, settings } from './0001-shared.ts';

/** Settlements that count, by their endpoints: `place` is their order. */
const settled = `json_to_recordset(settled) as s(account_id text, endpoint_id uuid, place integer, state text, status smallint, reason text,
        gone boolean, pause_for float8)`;

const ofEndpoint = 'account_id = owner.account_id and endpoint_id = owner.endpoint_id';

/** Pauses of the breaker, as `breakerPauses` of core has them. */
const pauses = "(array['1 minute', '5 minutes', '15 minutes']::interval[])";

/** How an endpoint turned, but for the deliveries that wait for it. */
const turned = (kind: string, more = ''): string => `
          turns := turns || json_build_object('kind', '${kind}', ${more}'accountId', owner.account_id, 'endpointId', owner.endpoint_id,
            'failures', h.failures, 'failingFor', round(greatest(extract(epoch from now() - h.since), 0) * 1000),
            'outcome', coalesce(to_json(given.status), to_json(given.reason)))`;

const columns = 'account_id, endpoint_id, due_at, id, event_id, attempts';

/** Holds what waits for an endpoint and is not being attempted. */
const hold = `
          with moved as (
            delete from partnerkit.queue where ${ofEndpoint} returning ${columns}
          ), later as (
            delete from partnerkit.later where ${ofEndpoint} returning ${columns}
          )
          insert into partnerkit.parked (${columns}, state, since)
          select ${columns}, 'held', now() from (select * from moved union all select * from later) waiting;`;

/** No more deliveries of an endpoint are counted, as `mostCounted` of core has it. */
const mostCounted = 10_000;
const counted = (table: string, where = 'true'): string =>
  `(select count(*) from (select from partnerkit.${table} w
        where w.account_id = t.turn ->> 'accountId' and w.endpoint_id = (t.turn ->> 'endpointId')::uuid and ${where} limit ${mostCounted}) w)`;

/**
 * The breaker, as `judge` of core has it: what settlements make of their endpoints, one after another and over all workers, and how
 * those turned. Only who runs `alone` may disable: whoever settles makes sure of that, should it come to it.
 *
 * Endpoints, then their health, are taken in one order, so that no two wait for each other in a circle.
 */
const judge = `
create function partnerkit.judge(settled json, alone boolean) returns json ${settings} as $$
declare
  owner record;
  given record;
  h partnerkit.health;
  opens boolean;
  turns json[] := '{}';
begin
  perform from (
    select account_id, endpoint_id from ${settled} group by account_id, endpoint_id order by account_id, endpoint_id
  ) s cross join lateral (select from partnerkit.endpoints where account_id = s.account_id and id = s.endpoint_id for share) e;
  perform pg_advisory_xact_lock(s.key) from (
    select distinct hashtextextended('partnerkit:health' || account_id || endpoint_id, 0) as key from ${settled} order by key
  ) s;
  <<endpoints>>
  for owner in
    select s.account_id, s.endpoint_id, json_agg(s order by place) as settled
    from ${settled} join partnerkit.endpoints p on p.account_id = s.account_id and p.id = s.endpoint_id and p.state = 'enabled'
    group by s.account_id, s.endpoint_id order by s.account_id, s.endpoint_id
  loop
    select * into h from partnerkit.health where ${ofEndpoint};
    if not found then
      h := row(owner.account_id, owner.endpoint_id, 0, now(), false, 0, '-infinity', '-infinity');
    end if;
    for given in select * from ${settled.replace('(settled)', '(owner.settled)')} loop
      if given.state = 'delivered' then
        if h.openings > 0 then${turned('endpoint_recovered')};
        end if;
        h.failures := 0;
        h.exhausted := false;
        h.openings := 0;
        h.open_until := '-infinity';
      elsif given.reason is null or given.reason not in ('internal', 'abandoned', 'out_of_reach') then
        if h.failures = 0 then
          h.since := now();
        end if;
        h.failures := h.failures + 1;
        h.exhausted := h.exhausted or coalesce(given.state = 'exhausted', false);
        opens := h.failures >= 5 and now() >= greatest(h.open_until, h.asked_until);
        if opens then
          h.open_until := now() + ${pauses}[least(h.openings, 2) + 1];
          h.openings := h.openings + 1;
        end if;
        if given.pause_for > 0 then
          h.asked_until := greatest(h.asked_until, now() + ${duration('given.pause_for')});
        end if;
        if alone and (given.gone or h.failures >= 10 and h.exhausted and now() - h.since >= interval '120 hours') then${turned('endpoint_disabled', "'reason', case when given.gone then 'gone' else 'failing' end, ")};
          update partnerkit.endpoints set state = 'disabled_by_breaker', version = version + 1,
            disabled_by = case when given.gone then 'gone' else 'failing' end
          where account_id = owner.account_id and id = owner.endpoint_id;${hold}
          delete from partnerkit.health where ${ofEndpoint};
          continue endpoints;
        end if;
        if opens and h.openings = 1 then${turned('endpoint_failing')};
        end if;
      end if;
    end loop;
    if h.failures = 0 and h.asked_until <= now() then
      delete from partnerkit.health where ${ofEndpoint};
    else
      insert into partnerkit.health select (h).*
      on conflict (account_id, endpoint_id) do update set failures = h.failures, since = h.since, exhausted = h.exhausted,
        openings = h.openings, open_until = h.open_until, asked_until = h.asked_until;
    end if;
  end loop;
  return (
    select json_agg(to_jsonb(t.turn) || jsonb_build_object('unfinished', least(${mostCounted}, ${counted('queue')} + ${counted('later')}
      + ${counted('leases')} + ${counted('parked', "w.state = 'held'")})) order by t.place)
    from unnest(turns) with ordinality as t(turn, place));
end $$;`;

/** What settling makes of endpoints. @internal */
export const judging = [judge];
