import { duration, inOrder, onlyAt, settings } from './0001-shared.ts';

/**
 * The oldest of a table that are too old, and that nobody else has at hand: a bounded piece. In a table that the host has partitioned a
 * place is that of a row in each part: whoever uses it asks again what stands there.
 */
const oldest = (table: string, column: string, where: string): string => `ctid = any(array(
      select ctid from partnerkit.${table} where ${where} order by ${column} limit most for update skip locked))`;

/** Asked again in words that no index answers: rows are taken by their places. */
const drop = (table: string, column: string, where: string): string => `
  delete from partnerkit.${table} where ${oldest(table, column, where)} and (${where}) is true;
  get diagnostics count = row_count;
  more := more or count >= most;`;

const needed = (table: string, where = 'true'): string =>
  `select w.account_id, w.event_id from accounts a join partnerkit.${table} w on w.account_id = a.account_id and ${where}`;

/**
 * Drops what is too old, in bounded pieces of each kind. Of events it looks at those that were dispatched `after` what it looked at before,
 * so that one that may not go yet keeps none that is younger. A delivery stands in one place at a time, also for a single statement, so
 * one that moves on meanwhile is seen. Whoever makes one for an old event has locked that until it commits: such an event is passed by, and
 * what there is for those that are locked here is asked in a second statement.
 *
 * `pruned` keeps the last second that is gone: dispatch goes on after it.
 */
const prune = `
create function partnerkit.prune(held_for float8, events_for float8, attempts_for float8, most integer, after float8)
returns json ${settings} ${inOrder} as $$
declare
  expired json;
  count integer;
  more boolean;
  last timestamptz;
  old_places tid[];
  old_accounts text[];
  old_ids uuid[];
begin
  with expired as (
    update partnerkit.parked set state = 'expired', since = now()
    where ${oldest('parked', 'since', `state = 'held' and since <= now() - ${duration('held_for')}`)}
    returning account_id, endpoint_id
  ), counted as (
    select account_id, endpoint_id, count(*) as deliveries from expired group by account_id, endpoint_id
  )
  select json_agg(json_build_object('accountId', account_id, 'endpointId', endpoint_id, 'deliveries', deliveries)),
    coalesce(sum(deliveries), 0) >= most
  into expired, more from counted;
${drop('parked', 'since', `state = 'expired' and since <= now() - ${duration('attempts_for')}`)}
${drop('attempts', 'at', `at <= now() - ${duration('attempts_for')}`)}
${drop('endpoint_history', 'until', `until <= now() - ${duration('events_for')}`)}
${drop('idempotency_keys', 'expires_at', 'expires_at <= now()')}
${drop('revoked_tokens', 'expires_at', "expires_at <= now() - interval '1 day'")}
  with old as materialized (
    select account_id, id, dispatched_at from partnerkit.events
    where dispatched_at <= now() - ${duration('events_for')} and dispatched_at > coalesce(to_timestamp(after), '-infinity')
    order by dispatched_at fetch first (most) rows with ties
  ), locked as (
    select e.* from old o cross join lateral (
      select ctid as place, account_id, id from partnerkit.events where account_id = o.account_id and ${onlyAt('o.id')} for update skip locked
    ) e
  )
  select max(dispatched_at), count(*), (select array_agg(place order by id) from locked),
    (select array_agg(account_id order by id) from locked), (select array_agg(id order by id) from locked)
  into last, count, old_places, old_accounts, old_ids from old;
  with old as (
    select * from unnest(old_accounts, old_ids) as old(account_id, id)
  ), accounts as (
    select distinct account_id from old
  ), needed as materialized (
    ${['queue', 'later', 'leases'].map((table) => needed(table)).join('\n    union all ')}
    union all ${needed('referrals')}
    union all ${needed('parked', "w.state = 'held'")}
  ), dropped as (
    delete from partnerkit.events e using old o where e.ctid = any(old_places) and e.account_id = o.account_id and e.id = o.id
      and e.second <= extract(epoch from now() - ${duration('events_for')})
      and not exists(select from needed n where n.account_id = o.account_id and n.event_id = o.id)
    returning e.second
  )
  insert into partnerkit.pruned (one, second) select true, max(second) from dropped having count(*) > 0
  on conflict (one) do update set second = greatest(pruned.second, excluded.second);
  return json_build_object('expired', expired, 'more', more or count >= most,
    'after', case when count >= most then extract(epoch from last) end);
end $$;`;

/** What goes with time. @internal */
export const pruning = [prune];
