import type { Delivery, DeliveryFilter, EventPairs } from '@partnerkit/core';
import { type DeliveryLog, deliveryIdOf, shardOf } from '@partnerkit/core/ports';
import { countAttempts } from '../database/attempts.ts';
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
import { afterAll, isUuid, zero } from '../database/uuid.ts';
import { isUnknown } from '../deliveries/recover.ts';
import type { SqlRow } from '../drivers/driver.ts';

const keyOf = (alias: string): readonly string[] =>
  ['event_id', 'endpoint_id', 'replay'].map((name) => `${alias}.${name}`);
const columns = (alias: string): string => `${alias}.account_id, ${keyOf(alias).join(', ')}`;

/** Maximum number of events read for deliveries that are only in the memory of the shard's owner. */
const maxFresh = 10_000;

/** Finished deliveries: the last row of each in the log. `state` is one with an index, or nothing. */
const finished = (state: string, looked: string): Piece => ({
  rows: `select ${columns('a')}, a.state, null::int as attempts from partnerkit.attempts a where a.account_id = $1 and a.state ${state}`,
  key: keyOf('a'),
  looked,
});

const pending = (looked: string): Piece => ({
  rows: `select ${columns('p')}, case e.state when 'enabled' then 'waiting' else case when e.state is null then 'expired' else 'held' end end as state,
      p.attempts::int as attempts
    from partnerkit.pending p left join lateral (
      select state from partnerkit.endpoints where account_id = p.account_id and id = p.endpoint_id offset 0
    ) e on true where p.account_id = $1`,
  key: keyOf('p'),
  looked,
});

/**
 * Deliveries that only the shard's owner has, in its memory: neither logged nor pending. Their events are a separate
 * CTE: before PostgreSQL 17, the planner underestimates the rows of a parallel scan and would scan the whole table.
 */
const fresh = (looked: string): Piece => ({
  rows: `select d.*, 'waiting' as state, 0 as attempts from (
      with recent as materialized (
        select account_id, id, endpoints from partnerkit.events
        where shard = $9::int and ${isSince('(select watermark from partnerkit.shards where shard = $9::int)')}
        order by dispatched_at limit ${maxFresh}
      )
      select e.account_id, e.id as event_id, unnest(e.endpoints) as endpoint_id, 0::smallint as replay from recent e where e.account_id = $1
    ) d where ${isUnknown}`,
  key: keyOf('d'),
  looked,
});

/** The sources of deliveries in a state. */
const piecesOf = (state: Delivery['state'] | undefined, isFiltered: boolean): readonly Piece[] => {
  const all = isFiltered ? maxLookedAt : asManyAsShown;
  switch (state) {
    case 'waiting':
      return [pending(maxLookedAt), fresh(all)];
    case 'held':
      return [pending(maxLookedAt)];
    case 'exhausted':
      return [finished("= 'exhausted'", all)];
    case 'delivered':
      return [finished('is not null', maxLookedAt)];
    case 'expired':
      return [finished('is not null', maxLookedAt), pending(maxLookedAt)];
    default:
      return [finished('is not null', all), pending(all), fresh(all)];
  }
};

const key = { event_id: 'uuid', endpoint_id: 'uuid', replay: 'int' };

const eventOf = `select json_build_object('objectName', object_name, 'objectId', object_id, 'type', type,
        'timestamp', timestamp)::text from partnerkit.events where account_id = d.account_id and id = d.event_id`;

/**
 * `$9` is the shard, `$10` a state and `$11` an endpoint, or null. Of the events: `$12` an object's name, `$13` its id,
 * `$14` a type, `$15` and `$16` when they were dispatched, or null.
 */
const statement = (filter: DeliveryFilter<EventPairs>, newestFirst: boolean): string => {
  const { state, endpointId, objectName, objectId, type, from, to } = filter;
  const ofEvents = [objectName, objectId, type, from, to].some((value) => value !== undefined);
  return keysetPage(
    {
      key,
      pieces: piecesOf(state, ofEvents || endpointId !== undefined),
      columns: `d.state, coalesce(d.attempts, ${countAttempts(
        `a.account_id = d.account_id and ${keyOf('a')
          .map((name, nth) => `${name} = ${keyOf('d')[nth]}`)
          .join(' and ')}`,
      )}) as attempts, (${eventOf}) as event`,
      joins: ofEvents
        ? 'join lateral (select * from partnerkit.events where account_id = d.account_id and id = d.event_id offset 0) e on true'
        : '',
      where: `($10::text is null or d.state = $10) and ($11::uuid is null or d.endpoint_id = $11::uuid) and ${plannedAnew('$9::int')}${
        ofEvents
          ? ` and ($12::text is null or e.object_name = $12) and ($13::text is null or e.object_id = $13)
        and ($14::text is null or e.type = $14) and ($15::float8 is null or e.dispatched_at >= ${moment('$15')})
        and ($16::float8 is null or e.dispatched_at < ${moment('$16')})`
          : ''
      }`,
    },
    newestFirst,
  );
};

const parse = (cursor: string): Key | undefined => {
  const [eventId = '', endpointId = '', replay = '', more] = cursor.split('.');
  const isKey = isUuid(eventId) && isUuid(endpointId) && /^-?\d{1,5}$/.test(replay) && more === undefined;
  return isKey ? [eventId, endpointId, Number(replay)] : undefined;
};

const isBefore = (a: Key, b: Key): boolean => {
  const nth = a.findIndex((value, index) => value !== b[index]);
  return nth >= 0 && (a[nth] as string | number) < (b[nth] as string | number);
};

/** Lists deliveries. @internal */
export const listDeliveries = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryLog['listDeliveries'] => {
  const statements = new Map<string, string>();
  return async (accountId, filter, page) => {
    const { endpointId, eventId, state, objectName, objectId, type, from, to } = filter;
    if ([endpointId, eventId].some((id) => id !== undefined && !isUuid(id))) return { items: [] };
    const ofEvents = [objectName, objectId, type, from, to].map((value) => value ?? null);
    const isOfEvents = ofEvents.some((value) => value !== null);
    return readKeysetPage(run, {
      accountId,
      page,
      first: [eventId ?? zero, zero, -1],
      last: [eventId ?? afterAll, afterAll, 32_767],
      parse,
      isBefore,
      statement: (newestFirst) => {
        const shape = JSON.stringify([state, endpointId !== undefined, isOfEvents, newestFirst]);
        const known = statements.get(shape) ?? sql(statement(filter, newestFirst));
        statements.set(shape, known);
        return known;
      },
      more: [shardOf(accountId), state ?? null, endpointId ?? null, ...(isOfEvents ? ofEvents : [])],
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
};
