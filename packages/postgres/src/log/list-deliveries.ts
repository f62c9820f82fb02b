import type { Delivery } from '@partnerkit/core';
import { type DeliveryLog, deliveryIdOf, shardOf } from '@partnerkit/core/adapter';
import { countAttempts } from '../database/attempts.ts';
import { byShape } from '../database/by-shape.ts';
import type { Database } from '../database/database.ts';
import { isSince, moment, plannedAnew } from '../database/fragments.ts';
import {
  asManyAsShown,
  type Key,
  keysetPage,
  maxLookedAt,
  type Piece,
  readKeysetPage,
} from '../database/keyset-page.ts';
import { nullable, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { afterAll, isUuid, zero } from '../database/uuid.ts';
import { isUnknown } from '../deliveries/recover.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { dispatchedEvents } from '../events/event-columns.ts';
import { objectHashOf } from '../events/object-hash.ts';

const keyOf = (alias: string): readonly string[] =>
  ['event_id', 'endpoint_id', 'replay'].map((name) => `${alias}.${name}`);
const columns = (alias: string): string => `${alias}.account_id, ${keyOf(alias).join(', ')}`;

/** Maximum number of events read for deliveries that are only in the memory of the shard's owner. */
const maxFresh = 10_000;

/** The named values of a list; those of filters may be null. */
interface Values {
  readonly accountId: string;
  readonly shard: number;
  readonly state: string | null;
  readonly endpointId: string | null;
  /** Of the events: the name and id of their object, their type, and when they were dispatched. */
  readonly objectName: string | null;
  readonly objectId: string | null;
  readonly type: string | null;
  readonly from: number | null;
  readonly to: number | null;
  /** The events of the object that a filter names. */
  readonly events: readonly string[];
}

/** Maximum number of events of an object that are found by the object's id. */
const maxOfObject = 1_000;

/** By an index of objects. */
const eventsOfObject = statement`select event_id::text as id from ${t.dispatches}
  where object_hash = ${value('objectHash', 'bigint')} and account_id = ${value('accountId', 'text')} limit ${String(maxOfObject + 1)}`;

const [account, shard] = [value('accountId', 'text'), value('shard', 'int')];

type Looked = Piece<Values>['looked'];

/** Only rows of the events that are found by the id of their object, if a filter names one. */
const ofObject = (alias: string, isOfObject: boolean) =>
  isOfObject ? sql` and ${alias}.event_id = any(${value('events', 'uuid[]')})` : sql``;

/** Finished deliveries: the last row of each in the log. `state` is one with an index, or nothing. */
const finished = (state: string, looked: Looked, isOfObject: boolean): Piece<Values> => ({
  rows: sql`select ${columns('a')}, a.state, null::int as attempts from ${t.attempts} a where a.account_id = ${account} and a.state ${state}${ofObject('a', isOfObject)}`,
  key: keyOf('a'),
  looked,
});

const pending = (looked: Looked, isOfObject: boolean): Piece<Values> => ({
  rows: sql`select ${columns('p')}, case e.state when 'enabled' then 'waiting' else case when e.state is null then 'expired' else 'held' end end as state,
      p.attempts::int as attempts
    from ${t.pending} p left join lateral (
      select state from ${t.endpoints} where account_id = p.account_id and id = p.endpoint_id offset 0
    ) e on true where p.account_id = ${account}${ofObject('p', isOfObject)}`,
  key: keyOf('p'),
  looked,
});

/**
 * Deliveries that only the shard's owner has, in its memory: neither logged nor pending. Their events are a separate
 * CTE: before PostgreSQL 17, the planner underestimates the rows of a parallel scan and would scan the whole table.
 */
const fresh = (looked: Looked, isOfObject: boolean): Piece<Values> => ({
  rows: sql`select d.*, 'waiting' as state, 0 as attempts from (
      with recent as materialized (
        select account_id, event_id as id, endpoints from ${t.dispatches}
        where shard = ${shard} and ${isSince(sql`(select watermark from ${t.shards} where shard = ${shard})`)}
        order by dispatched_at limit ${maxFresh}
      )
      select e.account_id, e.id as event_id, unnest(e.endpoints) as endpoint_id, 0::smallint as replay from recent e where e.account_id = ${account}
    ) d where ${isUnknown}${ofObject('d', isOfObject)}`,
  key: keyOf('d'),
  looked,
});

/** What a list is filtered by. */
interface Shape {
  readonly state: Delivery['state'] | undefined;
  readonly isOfEndpoint: boolean;
  readonly isOfEvents: boolean;
  /** Whether the events of an object are found first. */
  readonly isOfObject: boolean;
  readonly newestFirst: boolean;
}

/** The sources of deliveries in a state. */
const piecesOf = ({ state, isOfEndpoint, isOfEvents, isOfObject }: Shape): readonly Piece<Values>[] => {
  const isFiltered = isOfEndpoint || isOfEvents;
  const all = isFiltered ? maxLookedAt : asManyAsShown;
  switch (state) {
    case 'waiting':
      return [pending(maxLookedAt, isOfObject), fresh(all, isOfObject)];
    case 'held':
      return [pending(maxLookedAt, isOfObject)];
    case 'exhausted':
      return [finished("= 'exhausted'", all, isOfObject)];
    case 'delivered':
      return [finished('is not null', maxLookedAt, isOfObject)];
    case 'expired':
      return [finished('is not null', maxLookedAt, isOfObject), pending(maxLookedAt, isOfObject)];
    default:
      return [finished('is not null', all, isOfObject), pending(all, isOfObject), fresh(all, isOfObject)];
  }
};

const key = { event_id: 'uuid', endpoint_id: 'uuid', replay: 'int' } as const;

const eventOf = sql`select json_build_object('objectName', object_name, 'objectId', object_id, 'type', type,
        'timestamp', timestamp, 'isTest', only_to is not null)::text from ${dispatchedEvents} where e.account_id = d.account_id and e.id = d.event_id`;

const [state, endpointId] = [nullable('state', 'text'), nullable('endpointId', 'uuid')];
const [objectName, objectId, type] = [
  nullable('objectName', 'text'),
  nullable('objectId', 'text'),
  nullable('type', 'text'),
];
const [from, to] = [nullable('from', 'float8'), nullable('to', 'float8')];

const isOfDelivery = keyOf('a')
  .map((name, nth) => `${name} = ${keyOf('d')[nth]}`)
  .join(' and ');

const list = byShape((shape: Shape) =>
  keysetPage<Values>(
    {
      key,
      pieces: piecesOf(shape),
      columns: sql`d.state, coalesce(d.attempts, ${countAttempts(`a.account_id = d.account_id and ${isOfDelivery}`)}) as attempts, (${eventOf}) as event`,
      joins: shape.isOfEvents
        ? sql`join lateral (
          select * from ${dispatchedEvents} where e.account_id = d.account_id and e.id = d.event_id offset 0
        ) e on true`
        : sql``,
      where: sql`(${state} is null or d.state = ${state}) and (${endpointId} is null or d.endpoint_id = ${endpointId}) and ${plannedAnew(shard)}${
        shape.isOfEvents
          ? sql` and (${objectName} is null or e.object_name = ${objectName}) and (${objectId} is null or e.object_id = ${objectId})
        and (${type} is null or e.type = ${type}) and (${from} is null or e.dispatched_at >= ${moment(from)})
        and (${to} is null or e.dispatched_at < ${moment(to)})`
          : ''
      }`,
    },
    shape.newestFirst,
  ),
);

const parse = (cursor: string): Key | undefined => {
  const [eventId = '', endpointId = '', replay = '', more] = cursor.split('.');
  const isKey = isUuid(eventId) && isUuid(endpointId) && /^-?\d{1,5}$/.test(replay) && more === undefined;
  return isKey ? [eventId, endpointId, Number(replay)] : undefined;
};

const isBefore = (a: Key, b: Key): boolean => {
  const nth = a.findIndex((value, index) => value !== b[index]);
  return nth >= 0 && (a[nth] as string | number) < (b[nth] as string | number);
};

export const listDeliveries =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['listDeliveries'] =>
  async (accountId, filter, page) => {
    const { endpointId, eventId, state, objectName, objectId, type, from, to } = filter;
    if ([endpointId, eventId].some((id) => id !== undefined && !isUuid(id))) return { items: [] };
    const found =
      objectId === undefined
        ? []
        : await run(eventsOfObject, { accountId, objectHash: objectHashOf(accountId, objectId) });
    const isOfObject = objectId !== undefined && found.length <= maxOfObject;
    return readKeysetPage<Values, Delivery>(run, {
      page,
      first: [eventId ?? zero, zero, -1],
      last: [eventId ?? afterAll, afterAll, 32_767],
      parse,
      isBefore,
      statement: (newestFirst) =>
        list({
          state,
          isOfEndpoint: endpointId !== undefined,
          isOfEvents: [objectName, objectId, type, from, to].some((value) => value !== undefined),
          isOfObject,
          newestFirst,
        }),
      more: {
        accountId,
        shard: shardOf(accountId),
        state: state ?? null,
        endpointId: endpointId ?? null,
        objectName: objectName ?? null,
        objectId: objectId ?? null,
        type: type ?? null,
        from: from ?? null,
        to: to ?? null,
        events: found.map((row) => String(row['id'])),
      },
      read: (row: SqlRow): Delivery => {
        const [event, endpoint, replay] = [String(row['key0']), String(row['key1']), Number(row['key2'])];
        return {
          id: deliveryIdOf({ accountId, eventId: event, endpointId: endpoint, replay }),
          eventId: event,
          endpointId: endpoint,
          state: row['state'] as Delivery['state'],
          attempts: Number(row['attempts']),
          ...(row['event'] === null ? {} : { event: JSON.parse(String(row['event'])) }),
        };
      },
    });
  };
