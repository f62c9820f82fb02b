import {
  type DispatchedEvent,
  type EventStore,
  envelopeText,
  firstIdAt,
  type ListedEvent,
  type NewEvent,
  shardOf,
} from '@partnerkit/core/adapter';
import { byShape } from '../database/by-shape.ts';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { asManyAsShown, keysetPage, maxLookedAt, readKeysetPage } from '../database/keyset-page.ts';
import { nullable, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { afterAll, isUuid, zero } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { appendEvents } from './append-events.ts';
import { eventJson } from './event-columns.ts';
import type { InsertEvents } from './insert-events.ts';
import { objectHashOf } from './object-hash.ts';

/** A published or a dispatched event. */
const eventOf = (json: NewEvent | Omit<DispatchedEvent, 'body'>): NewEvent | DispatchedEvent =>
  'timestamp' in json ? { ...json, body: envelopeText(json.timestamp, json.bodyTail) } : json;

const accountId = value('accountId', 'text');
const [objectName, objectId, type] = [
  nullable('objectName', 'text'),
  nullable('objectId', 'text'),
  nullable('type', 'text'),
];

/** The timestamp of the event `e`; null before its dispatch. */
const timestampOf = sql`(select timestamp from ${t.dispatches} where account_id = e.account_id and event_id = e.id)`;

/** Maximum number of events of an object, and of an account's rows in the outbox, by which events are found. */
const maxFound = 1_000;
const oneMore = String(maxFound + 1);

/**
 * The events of an object and of others with its hash: by the index of dispatches, and in the outbox. A null says that
 * the outbox has more.
 */
const eventsOfObject = statement`with waiting as materialized (
    select event_id, object_hash from ${t.outbox} where shard = ${value('shard', 'int')} and account_id = ${accountId} limit ${oneMore}
  ), dispatched as (
    select event_id from ${t.dispatches} where object_hash = ${value('objectHash', 'bigint')} and account_id = ${accountId} limit ${oneMore}
  )
  select event_id::text as id from dispatched
  union all select event_id::text from waiting where object_hash = ${value('objectHash', 'bigint')}
  union all select null from (select count(*) as rows from waiting) w where rows > ${String(maxFound)} and ${plannedAnew(accountId)}`;

/** The named values of a list. */
interface Values {
  readonly accountId: string;
  readonly objectName: string | null;
  readonly objectId: string | null;
  readonly type: string | null;
  /** The events of the object that a filter names. */
  readonly events: readonly string[];
}

/** What a list is filtered by. */
interface Shape {
  readonly isFiltered: boolean;
  /** Whether the events of an object are found first. */
  readonly isOfObject: boolean;
  readonly newestFirst: boolean;
}

const list = byShape(({ isFiltered, isOfObject, newestFirst }: Shape) =>
  keysetPage<Values>(
    {
      key: { id: 'uuid' },
      pieces: [
        {
          rows: sql`select e.id, e.object_name, e.object_id, e.type from ${t.events} e where e.account_id = ${accountId}${
            isOfObject ? sql` and e.id = any(${value('events', 'uuid[]')})` : sql``
          }`,
          key: ['e.id'],
          looked: isFiltered ? maxLookedAt : asManyAsShown,
        },
      ],
      where: sql`(${objectName} is null or d.object_name = ${objectName}) and (${objectId} is null or d.object_id = ${objectId})
        and (${type} is null or d.type = ${type}) and ${plannedAnew(accountId)}`,
      // Only for rows of the page.
      columns: sql`(select ${eventJson(timestampOf, { withBody: false })}::text from ${t.events} e
        where e.account_id = ${accountId} and e.id = d.id) as event`,
    },
    newestFirst,
  ),
);

const id = value('id', 'uuid');
const find = statement`
  select ${eventJson(timestampOf, { withBody: true })}::text as event from ${t.events} e
  where e.account_id = ${accountId} and e.id = ${id}`;

const read = ({ event }: SqlRow): ListedEvent => JSON.parse(String(event));

export const eventStore = <Tx extends object>(database: Database<Tx>, inserts: InsertEvents): EventStore<Tx> => {
  const { run } = database;
  return {
    ...appendEvents(database, inserts),
    listEvents: async (accountId, page, { objectName = null, objectId = null, type = null, from, to } = {}) => {
      const ofObject =
        objectId === null
          ? []
          : await run(eventsOfObject, {
              ...{ accountId, shard: shardOf(accountId), objectHash: objectHashOf(accountId, objectId) },
            });
      const events = ofObject.flatMap(({ id }) => (id === null ? [] : [String(id)]));
      const isOfObject = objectId !== null && events.length === ofObject.length && events.length <= maxFound;
      return readKeysetPage(run, {
        page,
        first: [from === undefined ? zero : firstIdAt(from)],
        last: [to === undefined ? afterAll : firstIdAt(to)],
        parse: (cursor) => (isUuid(cursor) ? [cursor] : undefined),
        isBefore: ([a = ''], [b = '']) => a < b,
        statement: (newestFirst) =>
          list({
            isFiltered: [objectName, objectId, type].some((value) => value !== null),
            isOfObject,
            newestFirst,
          }),
        more: { accountId, objectName, objectId, type, events },
        read,
      });
    },
    findEvent: async (accountId, id) => {
      const [found] = isUuid(id) ? await run(find, { accountId, id }) : [];
      return found && eventOf(JSON.parse(String(found['event'])));
    },
  };
};
