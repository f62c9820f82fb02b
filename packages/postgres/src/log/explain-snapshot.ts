import {
  type DeliveryFact,
  type DeliveryLog,
  deliveryIdOf,
  type EndpointSnapshot,
  type ExpiryReason,
  type ExplainSnapshot,
} from '@partnerkit/core/adapter';
import { countAttempts, isAttempt } from '../database/attempts.ts';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { nullable, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import { isUnknown } from '../deliveries/recover.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { pausedUntil } from '../endpoints/health.ts';
import { outcomeOf } from './list-attempts.ts';

/** The statement's result. */
interface Found {
  readonly now: number;
  readonly event: {
    readonly object: string;
    readonly type: string;
    readonly only: string | null;
    readonly origin: string | null;
    readonly dispatched: boolean;
  } | null;
  readonly propagating: string | null;
  readonly endpoint: { readonly by: string | null; readonly paused: number | null } | null;
  readonly stood: EndpointSnapshot;
  readonly deliveries:
    | readonly {
        readonly replay: number;
        readonly state: DeliveryFact['state'];
        readonly attempts: number;
        readonly at: number;
        readonly why: ExpiryReason | null;
        readonly last: SqlRow | null;
      }[]
    | null;
}

const [accountId, eventId, endpointId] = [
  value('accountId', 'text'),
  nullable('eventId', 'uuid'),
  nullable('endpointId', 'uuid'),
];

const ofPair = (alias: string) =>
  sql`${alias}.account_id = ${accountId} and ${alias}.event_id = ${eventId} and ${alias}.endpoint_id = ${endpointId}`;

/** All deliveries of the event to the endpoint. A replayed one (due at infinity) is due as soon as no other is. */
const deliveries = sql`
      select a.replay, a.state, null::int as attempts, a.at, case a.state when 'expired' then a.reason end as why
      from ${t.attempts} a where ${ofPair('a')} and a.state is not null
      union all
      select p.replay, case s.state when 'enabled' then 'waiting' else case when s.state is null then 'expired' else 'held' end end, p.attempts,
        case s.state when 'enabled' then case when p.due_at = 'infinity' then p.since else p.due_at end
          else case when s.state is null then coalesce((select until from latest where until <> 'infinity'), p.since)
            else greatest(s.state_since, p.since) end end,
        'endpoint_deleted'
      from ${t.pending} p left join standing s on true where ${ofPair('p')}
      union all
      select 0, 'waiting', 0, d.at, null
      from (select ${accountId} as account_id, ${eventId} as event_id, ${endpointId} as endpoint_id, at, shard, endpoints from e) d
      where ${endpointId} = any(d.endpoints) and d.at >= (select watermark from ${t.shards} s where s.shard = d.shard) and ${isUnknown}`;

const find = statement`
  with e as materialized (
    select e.object_name, e.type, e.only_to, e.origin, d.dispatched_at as at, d.shard, d.endpoints
    from ${t.events} e left join ${t.dispatches} d on d.account_id = e.account_id and d.event_id = e.id
    where e.account_id = ${accountId} and e.id = ${eventId}
  ), standing as materialized (
    select state, state_since from ${t.endpoints} where account_id = ${accountId} and id = ${endpointId}
  ), history as materialized (
    select * from ${t.endpoint_history} where account_id = ${accountId} and endpoint_id = ${endpointId}
  ), first as (
    select * from history order by since limit 1
  ), latest as (
    select * from history order by since desc limit 1
  )
  select json_build_object(
    'now', ${ms('now()')},
    'event', (select json_build_object('object', object_name, 'type', type, 'only', only_to, 'origin', origin,
      'dispatched', at is not null) from e),
    'propagating', (select account_id from ${t.parent_propagation} where event_id = ${eventId} and not exists (select 1 from e) limit 1),
    'endpoint', (select json_build_object(
      'by', case when until = 'infinity' then disabled_by end,
      'paused', (select ${pausedUntil} from ${t.health} h
        where account_id = ${accountId} and endpoint_id = ${endpointId} and greatest(open_until, retry_after_until) > now())) from latest),
    'stood', coalesce(
      (select json_build_object('kind', 'there', 'state', h.state, 'events', h.events, 'includeChildren', h.include_children,
        'since', ${ms('h.since')})
        from history h, e where h.since <= e.at and h.until > e.at),
      (select json_build_object('kind', 'created_later', 'at', ${ms('h.since')}) from first h, e where h.is_first and h.since > e.at),
      (select json_build_object('kind', 'deleted_before', 'at', ${ms('h.until')}) from latest h, e where h.until <= e.at),
      json_build_object('kind', 'forgotten')),
    'deliveries', (select json_agg(json_build_object('replay', d.replay, 'state', d.state,
        'attempts', coalesce(d.attempts, ${countAttempts(sql`${ofPair('a')} and a.replay = d.replay`)}), 'at', ${ms('d.at')}, 'why', d.why,
        'last', (select json_build_object('duration', a.duration_ms, 'status', a.status, 'reason', a.reason, 'retry', a.retry_after, 'body', a.body)
          from ${t.attempts} a where ${ofPair('a')} and a.replay = d.replay and ${isAttempt} order by a.number desc limit 1))
        order by d.replay) from (${deliveries}) d)
  )::text as snapshot where ${plannedAnew(accountId)}`;

const factOf = (
  id: string,
  { state, attempts, at, why, last }: NonNullable<Found['deliveries']>[number],
): DeliveryFact => {
  const fact = { id, attempts, ...(last ? { last: outcomeOf(last) } : {}) };
  if (state === 'waiting') return { ...fact, state, dueAt: at };
  return state === 'expired'
    ? { ...fact, state, since: at, reason: why ?? 'out_of_reach' }
    : { ...fact, state, since: at };
};

/** Reads the facts that explain an event for an endpoint, in one statement and so of one moment. */
export const readExplainSnapshot =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['readExplainSnapshot'] =>
  async (accountId, eventId, endpointId): Promise<ExplainSnapshot> => {
    const known = (id: string): string | null => (isUuid(id) ? id : null);
    const ids = { eventId: known(eventId), endpointId: known(endpointId) };
    const [row] = await run(find, { accountId, ...ids });
    const {
      now,
      event,
      propagating,
      endpoint,
      stood,
      deliveries: found,
    }: Found = JSON.parse(String(row?.['snapshot']));
    return {
      now,
      ...(event
        ? {
            event: {
              objectName: event.object as NonNullable<ExplainSnapshot['event']>['objectName'],
              type: event.type as NonNullable<ExplainSnapshot['event']>['type'],
              ...(event.only === null ? {} : { onlyTo: event.only }),
              ...(event.origin === null ? {} : { origin: event.origin }),
              ...(event.dispatched ? { endpointSnapshot: stood } : {}),
            },
          }
        : {}),
      ...(propagating === null ? {} : { propagating }),
      ...(endpoint
        ? {
            endpoint: {
              ...(endpoint.by === null ? {} : { disabledBy: endpoint.by as 'partner' }),
              ...(endpoint.paused === null ? {} : { pausedUntil: endpoint.paused }),
            },
          }
        : {}),
      deliveries: (found ?? []).map((each) =>
        factOf(deliveryIdOf({ accountId, eventId, endpointId, replay: each.replay }), each),
      ),
    };
  };
