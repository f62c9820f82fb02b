import { endpointJson } from './endpoints.ts';
import { eventColumns } from './events.ts';
import { duration } from './times.ts';
import { zero } from './uuid.ts';

/** More than so many endpoints that may not be served are not looked at in one claim. */
const mostTurns = 1_000;

/** Whether endpoint \`n\` may be served, and whether it is the last one to be looked at. */
const visited = (turn: string, usable: string): string => `
  n.account_id, n.endpoint_id, ${turn} as turn,
  (${usable})::int + (n.enabled and n.leases < $3::int and n.mine < $4::int)::int as usable,
  n.enabled and n.leases < $3::int and n.mine < $4::int as serves, n.leases, n.mine`;

/** The next endpoint in line, and how busy it and its account are. */
const nextEndpoint = (where: string): string => `
  select q.account_id, q.endpoint_id, b.leases, b.mine, exists(select from partnerkit.endpoints e
    where e.account_id = q.account_id and e.id = q.endpoint_id and e.state = 'enabled') as enabled
  from (
    select account_id, endpoint_id from partnerkit.queue where ${where} order by account_id, endpoint_id limit 1
  ) q cross join lateral (
    select count(*) filter (where l.endpoint_id = q.endpoint_id) as leases, count(*) filter (where l.worker = $1) as mine
    from partnerkit.leases l where l.account_id = q.account_id and l.expires_at > now()
  ) b`;

/**
 * Leases due deliveries. Runs alone.
 *
 * Endpoints take turns in the order of their keys, from where the last claim left off (`$6`, `$7`) and once around: each step finds the
 * next endpoint that has something due by one look into the index, so a thousand others that have nothing cost nothing, and ten thousand
 * deliveries of one cost as much as one. Among those whose turn it is accounts are served in turn, then endpoints.
 *
 * `$1` worker, `$2` limit, `$3` per endpoint, `$4` per account, `$5` lease in milliseconds. There is at least one row if there is
 * anything in line: it names the endpoint that was looked at last.
 * @internal
 */
export const claimStatement = `
  with recursive onward as (
    select * from (
      select ${visited('1', '0')}
      from (${nextEndpoint('(account_id, endpoint_id) > ($6, $7::uuid)')}) n
    ) first
    union all
    select ${visited('o.turn + 1', 'o.usable')}
    from onward o cross join lateral (${nextEndpoint('(account_id, endpoint_id) > (o.account_id, o.endpoint_id)')}) n
    where o.usable < $2::int and o.turn < ${mostTurns}
  ), half as (
    select coalesce(max(turn), 0) as turn, coalesce(max(usable), 0) as usable from onward
  ), around as (
    select * from (
      select ${visited('h.turn + 1', 'h.usable')}
      from half h cross join lateral (
        ${nextEndpoint(`(account_id, endpoint_id) > ('', '${zero}'::uuid) and (account_id, endpoint_id) <= ($6, $7::uuid)`)}
      ) n where h.usable < $2::int and h.turn < ${mostTurns}
    ) first
    union all
    select ${visited('o.turn + 1', 'o.usable')}
    from around o cross join lateral (
      ${nextEndpoint('(account_id, endpoint_id) > (o.account_id, o.endpoint_id) and (account_id, endpoint_id) <= ($6, $7::uuid)')}
    ) n where o.usable < $2::int and o.turn < ${mostTurns}
  ), turns as materialized (
    select * from onward union all select * from around
  ), candidates as (
    select q.place, q.nth, t.turn, t.mine, t.account_id,
      row_number() over (partition by t.account_id order by q.nth, t.turn) as of_account
    from turns t cross join lateral (
      select ctid as place, row_number() over (order by due_at, id) as nth from partnerkit.queue
      where account_id = t.account_id and endpoint_id = t.endpoint_id order by due_at, id
      limit case when (select max(usable) from turns) >= $2::int then 1 else $3::int - t.leases end
    ) q
    where t.serves
  ), chosen as (
    select place, of_account, turn from candidates where of_account <= $4::int - mine order by of_account, turn limit $2::int
  ), taken as (
    delete from partnerkit.queue where ctid = any(array(select place from chosen)) returning *
  ), leased as (
    insert into partnerkit.leases (account_id, lease, endpoint_id, id, event_id, attempts, worker, expires_at)
    select account_id, gen_random_uuid(), endpoint_id, id, event_id, attempts, $1, now() + ${duration('$5')} from taken
    returning *
  )
  select v.account_id as lastaccount, v.endpoint_id::text as lastendpoint,
    l.id::text as delivery, l.lease::text as lease, l.attempts + 1 as attempt, e.*, p.endpoint
  from (select account_id, endpoint_id from turns order by turn desc limit 1) v
  left join leased l on true
  left join lateral (
    select ${eventColumns('e.second::float8')} from partnerkit.events e
    where e.account_id = l.account_id and e.id = l.event_id limit 1
  ) e on true
  left join lateral (
    select ${endpointJson} as endpoint from partnerkit.endpoints e
    where e.account_id = l.account_id and e.id = l.endpoint_id limit 1
  ) p on true`;
