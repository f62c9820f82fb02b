import { duration, putBack, settings } from './0001-shared.ts';

const settlements = `json_to_recordset(settlements) as given(account_id text, id uuid, lease uuid, took float8, status smallint,
        reason text, retry_after text, body text, state text, retry_in float8)`;

const logFreed = `insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took,
        status, reason, retry_after, body, state)
      select account_id, id, lease, false, endpoint_id, event_id, attempts, now(), took, status, reason, retry_after, body, state
      from freed`;

/**
 * Logs attempts and moves their deliveries on. With a lease that was taken over meanwhile only the log changes, once: whoever took over
 * has logged that lease as abandoned, which a second statement sees. `again` says whether any of them is to be tried again.
 */
const settle = `
create function partnerkit.settle(settlements json, again boolean) returns void ${settings} as $$
declare
  held integer;
begin
  if not again then
    with given as materialized (
      select * from ${settlements}
    ), freed as (
      delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
      returning g.*, l.endpoint_id, l.event_id, l.attempts + 1 as attempts
    )
    ${logFreed};
    get diagnostics held = row_count;
  else
    with given as materialized (
      select * from ${settlements}
    ), freed as (
      delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
      returning g.*, l.endpoint_id, l.event_id, l.attempts + 1 as attempts
    ), logged as (
      ${logFreed}
    ), again as (
      select account_id, endpoint_id, id, event_id, attempts, now() + ${duration('retry_in')} as due_at from freed
      where retry_in is not null
    ), ${putBack('again')}
    select count(*) into held from freed;
  end if;
  if held < json_array_length(settlements) then
    insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, at, took, status, reason, retry_after, body)
    select g.account_id, g.id, g.lease, false, now(), g.took, g.status, g.reason, g.retry_after, g.body
    from (select * from ${settlements}) g join partnerkit.attempts a on a.account_id = g.account_id and a.delivery_id = g.id and a.lease = g.lease and a.abandoned
    on conflict do nothing;
  end if;
end $$;`;

/** Gives back what was not attempted. */
const release = `
create function partnerkit.release(accounts text[], ids uuid[], held uuid[]) returns void ${settings} as $$
declare
  released integer;
begin
  with given as (
    select * from unnest(accounts, ids, held) as given(account_id, id, lease)
  ), freed as (
    delete from partnerkit.leases l using given g where l.account_id = g.account_id and l.lease = g.lease and l.id = g.id
    returning l.account_id, l.endpoint_id, l.id, l.event_id, l.attempts, now() as due_at
  ), ${putBack('freed')}
  select count(*) into released from freed;
end $$;`;

/** What all workers do at once. @internal */
export const settling = [settle, release];
