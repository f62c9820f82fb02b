import { alone, byKey, eventAt, inOrder, settings } from './0001-shared.ts';

/**
 * Copies events for the parents of their accounts, in the order in which they were dispatched, and takes away what waits of those
 * accounts: up to `places`, and `most` at once. An account without a parent has an empty one: no account has
 * an empty id.
 */
const refer = `
create function partnerkit.refer(accounts text[], places bigint[], parents text[], most integer) returns json ${settings} ${byKey} ${inOrder} as $$
declare
  referred integer;
  copied integer;
begin
  ${alone}
  with given as materialized (
    select * from unnest(accounts, places, parents) as given(account_id, up_to, parent_id)
  ), chosen as materialized (
    select r.*, g.parent_id from given g cross join lateral (
      select ctid as spot, account_id, place, event_id from partnerkit.referrals
      where account_id = g.account_id and place <= g.up_to order by place limit most
    ) r order by r.place limit most
  ), taken as (
    delete from partnerkit.referrals where ctid = any(array(select spot from chosen)) returning 1
  ), copied as (
    insert into partnerkit.outbox
      (account_id, id, object_name, object_id, type, occurred_at, stored_at, rest, trace_context, origin)
    select c.parent_id, e.id, e.object_name, e.object_id, e.type, to_timestamp(e.second), now(), e.rest, e.trace_context, e.account_id
    from chosen c cross join lateral (
      ${eventAt('c.account_id', 'c.event_id')}
    ) e
    where e.id = c.event_id and exists(select from partnerkit.endpoints p where p.account_id = c.parent_id and p.include_children
      and p.state <> 'disabled' and e.type = any(p.events))
    order by c.place returning 1
  )
  select (select count(*) from taken), (select count(*) from copied) into referred, copied;
  return json_build_object('events', referred, 'copies', copied);
end $$;`;

/** What goes up to the parents of accounts. @internal */
export const referring = [refer];
