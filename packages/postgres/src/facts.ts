import type { DeliveryFact, DeliveryFacts, EndpointThen, ExpiredBecause } from '@partnerkit/core';
import { type LoggedOutcome, outcomeOf } from './attempts.ts';
import type { Database } from './database.ts';
import { ms } from './fragments.ts';

/** What the statement answers. */
interface Found {
  readonly now: number;
  readonly event: {
    readonly type: string;
    readonly only: string | null;
    readonly origin: string | null;
    readonly at: number | null;
  } | null;
  readonly referring: string | null;
  readonly endpoint: { readonly by: string | null; readonly paused: number | null } | null;
  readonly stood: EndpointThen;
  readonly deliveries:
    | readonly {
        readonly id: string;
        readonly state: DeliveryFact['state'];
        readonly attempts: number;
        readonly at: number;
        readonly why: ExpiredBecause;
        readonly last: LoggedOutcome | null;
      }[]
    | null;
}

const between = (id: string): string => `${id} >= e.low and ${id} < e.high`;
const ofPair = 'account_id = $1 and endpoint_id = $3::uuid and event_id = $2::uuid';

/** All deliveries of an event were made with the time of its dispatch in their ids: `e` has the bounds. */
const deliveries = [
  `select id, 'waiting' as state, attempts, least(due_at, now()) as at, null::text as why from partnerkit.queue where ${ofPair} and ${between('id')}`,
  `select id, 'waiting', attempts, due_at, null from partnerkit.later where ${ofPair} and ${between('id')}`,
  `select id, 'leased', attempts, expires_at, null from partnerkit.leases where ${ofPair} and ${between('id')}`,
  `select id, state, attempts, since, why from partnerkit.parked where ${ofPair} and ${between('id')}`,
  `select delivery_id, state, number, at, null from partnerkit.attempts where ${ofPair} and ${between('delivery_id')} and state is not null`,
].join('\n        union all ');

const statement = `
  with e as materialized (
    select type, only_to, origin, null::timestamptz as at, null::uuid as low, null::uuid as high from partnerkit.outbox where account_id = $1 and id = $2::uuid
    union all
    select type, only_to, origin, dispatched_at, partnerkit.id_at(dispatched_at), partnerkit.id_at(dispatched_at + interval '1 millisecond')
    from partnerkit.events where account_id = $1 and id = $2::uuid
  ), history as materialized (
    select * from partnerkit.endpoint_history where account_id = $1 and endpoint_id = $3::uuid
  ), first as (
    select * from history order by since limit 1
  ), latest as (
    select * from history order by since desc limit 1
  )
  select json_build_object(
    'now', ${ms('now()')},
    'event', (select json_build_object('type', type, 'only', only_to, 'origin', origin, 'at', ${ms('at')}) from e),
    'referring', (select account_id from partnerkit.referrals where event_id = $2::uuid and not exists(select from e) limit 1),
    'endpoint', (select json_build_object(
      'by', case when until = 'infinity' then disabled_by end,
      'paused', (select ${ms('greatest(open_until, asked_until)')} from partnerkit.health
        where account_id = $1 and endpoint_id = $3::uuid and greatest(open_until, asked_until) > now())) from latest),
    'stood', coalesce(
      (select json_build_object('kind', 'there', 'state', h.state, 'events', h.events, 'includeChildren', h.include_children,
        'since', ${ms('h.since')})
        from history h, e where h.since <= e.at and h.until > e.at),
      (select json_build_object('kind', 'created_later', 'at', ${ms('h.since')}) from first h, e where h.first and h.since > e.at),
      (select json_build_object('kind', 'deleted_before', 'at', ${ms('h.until')}) from latest h, e where h.until <= e.at),
      json_build_object('kind', 'forgotten')),
    'deliveries', (select json_agg(json_build_object('id', d.id, 'state', d.state, 'attempts', d.attempts, 'at', ${ms('d.at')},
        'why', coalesce(d.why, case when exists(select from latest where until > d.at) then 'held_too_long' else 'endpoint_deleted' end),
        'last', (select json_build_object('took', a.took, 'status', a.status, 'reason', a.reason, 'retry', a.retry_after, 'body', a.body)
          from partnerkit.attempts a where a.account_id = $1 and a.delivery_id = d.id order by a.at desc, a.abandoned limit 1)) order by d.place)
      from (select d.*, row_number() over (order by case when state in ('delivered', 'exhausted', 'expired') then 0 else 1 end, d.at, d.id) as place
        from e cross join lateral (${deliveries}) d) d)
  )::text as facts`;

/** What explains an event's way to an endpoint, in one statement: of one moment. @internal */
export const deliveryFacts = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const find = sql(statement);
  return async (accountId: string, eventId: string, endpointId: string): Promise<DeliveryFacts> => {
    const [row] = await run(find, [accountId, eventId, endpointId]);
    const { now, event, referring, endpoint, stood, deliveries: found }: Found = JSON.parse(String(row?.['facts']));
    return {
      now,
      ...(event
        ? {
            event: {
              type: event.type as NonNullable<DeliveryFacts['event']>['type'],
              ...(event.only === null ? {} : { onlyTo: event.only }),
              ...(event.origin === null ? {} : { origin: event.origin }),
              ...(event.at === null ? {} : { dispatched: { at: event.at, endpoint: stood } }),
            },
          }
        : {}),
      ...(referring === null ? {} : { referring }),
      ...(endpoint
        ? {
            endpoint: {
              ...(endpoint.by === null ? {} : { disabledBy: endpoint.by as 'partner' }),
              ...(endpoint.paused === null ? {} : { pausedUntil: endpoint.paused }),
            },
          }
        : {}),
      deliveries: (found ?? []).map(({ id, state, attempts, at, why, last }): DeliveryFact => {
        const fact = { id, attempts, ...(last ? { last: outcomeOf(last) } : {}) };
        if (state === 'waiting') return { ...fact, state, dueAt: at };
        if (state === 'leased') return { ...fact, state, until: at };
        return state === 'expired' ? { ...fact, state, since: at, why } : { ...fact, state, since: at };
      }),
    };
  };
};
