import { alone, byKey, duration, putBack, settings } from './0001-shared.ts';

const settlements = `json_to_recordset(settlements) as given(account_id text, id uuid, lease uuid, took float8, status smallint,
        reason text, retry_after text, body text, state text, retry_in float8, gone boolean, expired boolean, pause_for float8, place integer)`;

const ofLease = 'l.account_id = g.account_id and l.lease = g.lease and l.id = g.id';

/** Takes the leases away. Neither the word that an endpoint is gone nor what was not to be sent is an attempt that counts. */
const freed = `with given as materialized (
      select * from ${settlements}
    ), freed as (
      delete from partnerkit.leases l using given g where ${ofLease}
      returning g.*, l.endpoint_id, l.event_id, l.attempts + case when g.gone or g.expired then 0 else 1 end as attempts
    )`;

const logFreed = `insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took,
        status, reason, retry_after, body, state)
      select account_id, id, lease, false, endpoint_id, event_id, case when gone or expired then null else attempts end, now(), took, status, reason,
        retry_after, body, state
      from freed`;

/** The settlements that say something about their endpoints. */
const judged = (where: string): string =>
  `json_agg(json_build_object('account_id', f.account_id, 'endpoint_id', f.endpoint_id, 'place', f.place, 'state', f.state,
      'status', f.status, 'reason', f.reason, 'gone', f.gone, 'pause_for', f.pause_for)) filter (where ${where})`;

const fails = (of: string): string => `exists(
        select from partnerkit.health h where h.account_id = ${of}.account_id and h.endpoint_id = ${of}.endpoint_id`;

/** The leases that are settled as failed, should their endpoint be one that may be disabled by it. */
const hopeless = `select l.account_id, l.endpoint_id from (select * from ${settlements}) g join partnerkit.leases l on ${ofLease}
      where g.gone or g.state is distinct from 'delivered' and ${fails('l')} and h.since <= now() - interval '120 hours')`;

/**
 * Logs attempts, moves their deliveries on, and judges their endpoints; answers how those turned. With a lease that was taken over meanwhile
 * only the log changes, once: whoever took over has logged that lease as abandoned, which a second statement sees. There are so
 * `many`, and `failed` says whether any was not delivered. Where nothing fails, one look into an empty table is all that endpoints cost.
 *
 * Who may disable an endpoint runs alone, and has the endpoints first: others who settle hold them too, and wait for nobody then.
 */
const settle = `
create function partnerkit.settle(settlements json, many integer, failed boolean) returns json ${settings} ${byKey} as $$
declare
  held integer;
  judged json;
  alone boolean := false;
  sick boolean := exists(select from partnerkit.health);
begin
  if not failed and not sick then
    ${freed}
    ${logFreed};
    get diagnostics held = row_count;
  elsif not failed then
    ${freed}, logged as (
      ${logFreed}
    )
    select count(*), ${judged(`${fails('f')})`)} into held, judged from freed f;
  else
    if exists(${hopeless}) then
      alone := true;${alone}
      perform from (select * from ${settlements} order by account_id, lease) g
      cross join lateral (select from partnerkit.leases l where ${ofLease} for update) l;
      perform from (select distinct account_id, endpoint_id from (${hopeless}) l order by account_id, endpoint_id) l
      cross join lateral (
        select from partnerkit.endpoints where account_id = l.account_id and id = l.endpoint_id for no key update
      ) e;
    end if;
    ${freed}, logged as (
      ${logFreed}
    ), again as (
      select account_id, endpoint_id, id, event_id, attempts, now() + ${duration('retry_in')} as due_at from freed
      where retry_in is not null
    ), expired as (
      insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state, since, why)
      select account_id, endpoint_id, now(), id, event_id, attempts, 'expired', clock_timestamp(), reason from freed where expired
    ), ${putBack('again')}
    select count(*), ${judged(`f.state is distinct from 'delivered' or ${fails('f')})
      or exists(select from freed o where o.account_id = f.account_id and o.endpoint_id = f.endpoint_id
        and o.state is distinct from 'delivered')`)} into held, judged from freed f;
  end if;
  if held < many then
    insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, at, took, status, reason, retry_after, body)
    select g.account_id, g.id, g.lease, false, now(), g.took, g.status, g.reason, g.retry_after, g.body
    from (select * from ${settlements}) g cross join lateral (
      select from partnerkit.attempts where account_id = g.account_id and delivery_id = g.id and lease = g.lease and abandoned limit 1
    ) a
    on conflict do nothing;
  end if;
  return case when judged is not null then partnerkit.judge(judged, alone) end;
end $$;`;

/** Gives back what was not attempted, to where it stood in line. */
const release = `
create function partnerkit.release(accounts text[], ids uuid[], held uuid[]) returns void ${settings} ${byKey} as $$
declare
  released integer;
begin
  with given as (
    select * from unnest(accounts, ids, held) as given(account_id, id, lease)
  ), freed as (
    delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
    returning l.account_id, l.endpoint_id, l.due_at, l.id, l.event_id, l.attempts
  ), ${putBack('freed')}
  select count(*) into released from freed;
end $$;`;

/** What all workers do at once. @internal */
export const settling = [settle, release];
