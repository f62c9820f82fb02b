import { byKey, duration, settings } from './0001-shared.ts';

/**
 * Claims keys, of which no two are equal. Answers one of each, in their order: its lease, `done`, `busy`, or null where another is about
 * to change it, so that it is asked for again. Rows that somebody has locked are passed by: a handler that marks its key in its own
 * transaction may take its time.
 */
const claimKeys = `
create function partnerkit.claim_keys(keys text[], times float8[]) returns json ${settings} as $$
declare
  answers json;
  any_lapsed boolean;
begin
  with given as (
    select * from unnest(keys, times) with ordinality as given(key, lasts, place)
  ), known as materialized (
    select key, lease is null as done, expires_at > now() as lives from partnerkit.seen_keys where key = any(keys)
  ), claimed as (
    insert into partnerkit.seen_keys (key, lease, expires_at)
    select key, gen_random_uuid(), now() + ${duration('lasts')} from given
    where key not in (select key from known)
    -- In one order, so that no two wait in a circle.
    order by key
    on conflict do nothing returning key, lease
  )
  select json_agg(coalesce(c.lease::text, case when k.lives then case when k.done then 'done' else 'busy' end end) order by g.place),
    bool_or(not k.lives)
  into answers, any_lapsed
  from given g left join known k on k.key = g.key left join claimed c on c.key = g.key;
  if any_lapsed then
    delete from partnerkit.seen_keys where ctid = any(array(
      select ctid from partnerkit.seen_keys where key = any(keys) and expires_at <= now() for update skip locked));
  end if;
  -- Now and then the oldest of those whose time has passed, more of them than come.
  if random() < 0.25 then
    delete from partnerkit.seen_keys where ctid = any(array(
      select ctid from partnerkit.seen_keys where expires_at <= now() order by expires_at limit 8 * cardinality(keys)
      for update skip locked));
  end if;
  return answers;
end $$;`;

/**
 * Confirms keys. Answers the places, from 1, of those whose lease was still the one given. Who has locked such a row takes a lapsed lease
 * over, or is done with it too. Whichever way a join goes, keys that were not given are not looked at.
 */
const confirmKeys = `
create function partnerkit.confirm_keys(keys text[], leases uuid[], times float8[]) returns json ${settings} ${byKey} as $$
declare
  answers json;
begin
  with given as (
    select * from unnest(keys, leases, times) with ordinality as given(key, lease, lasts, place)
  ), held as (
    select s.key, g.lasts, g.place from given g join partnerkit.seen_keys s on s.key = g.key and s.lease = g.lease
    where s.key = any(keys) for update of s skip locked
  ), confirmed as (
    update partnerkit.seen_keys s set lease = null, expires_at = now() + ${duration('h.lasts')} from held h
    where s.key = h.key and s.key = any(keys) returning h.place
  )
  select coalesce(json_agg(place), '[]') from confirmed into answers;
  return answers;
end $$;`;

/** What receivers have processed, many keys at once. @internal */
export const dedup: readonly string[] = [claimKeys, confirmKeys];
