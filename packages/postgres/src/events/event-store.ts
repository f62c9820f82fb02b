import {
  type DispatchedEvent,
  type EventStore,
  envelopeText,
  firstIdAt,
  type ListedEvent,
  type NewEvent,
  shardOf,
} from '@partnerkit/core/ports';
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

/** A published or a dispatched event. */
const eventOf = (json: NewEvent | Omit<DispatchedEvent, 'body'>): NewEvent | DispatchedEvent =>
  'timestamp' in json ? { ...json, body: envelopeText(json.timestamp, json.bodyTail) } : json;

const [accountId, shard] = [value('accountId', 'text'), value('shard', 'int')];
const [objectName, objectId, type] = [
  nullable('objectName', 'text'),
  nullable('objectId', 'text'),
  nullable('type', 'text'),
];

/** The named values of a list. */
interface Values {
  readonly accountId: string;
  readonly shard: number;
  readonly objectName: string | null;
  readonly objectId: string | null;
  readonly type: string | null;
}

/** What a list is filtered by. An index has all events of one object. */
interface Shape {
  readonly isFiltered: boolean;
  readonly isOfObject: boolean;
  readonly newestFirst: boolean;
}

const list = byShape(({ isFiltered, isOfObject, newestFirst }: Shape) => {
  const looked = isFiltered ? maxLookedAt : asManyAsShown;
  const columns = 'e.id, e.object_name, e.object_id, e.type';
  const events = isOfObject
    ? sql`(select * from ${t.events} where account_id = ${accountId} and object_id = ${objectId} offset 0) e where true`
    : sql`${t.events} e where e.account_id = ${accountId}`;
  return keysetPage<Values>(
    {
      key: { id: 'uuid' },
      pieces: [
        {
          rows: sql`select ${columns}, false as dispatched from ${t.outbox} e where e.shard = ${shard} and e.account_id = ${accountId}`,
          key: ['e.id'],
          looked,
        },
        { rows: sql`select ${columns}, true as dispatched from ${events}`, key: ['e.id'], looked },
      ],
      where: sql`(${objectName} is null or d.object_name = ${objectName}) and (${objectId} is null or d.object_id = ${objectId})
        and (${type} is null or d.type = ${type}) and ${plannedAnew(shard)}`,
      // Only for rows of the page.
      columns: sql`case when d.dispatched
        then (select ${eventJson('e.timestamp', { withBody: false })}::text from ${t.events} e where e.account_id = ${accountId} and e.id = d.id)
        else (select ${eventJson('null::bigint', { withBody: false })}::text from ${t.outbox} e
          where e.shard = ${shard} and e.account_id = ${accountId} and e.id = d.id) end as event`,
    },
    newestFirst,
  );
});

const id = value('id', 'uuid');
const find = statement`
  select ${eventJson('e.timestamp', { withBody: true })}::text as event from ${t.events} e
    where e.account_id = ${accountId} and e.id = ${id}
  union all
  select ${eventJson('null::bigint', { withBody: true })}::text from ${t.outbox} e
    where e.shard = ${shard} and e.account_id = ${accountId} and e.id = ${id}`;

const read = ({ event }: SqlRow): ListedEvent => JSON.parse(String(event));

export const eventStore = <Tx extends object>(database: Database<Tx>, announces: boolean): EventStore<Tx> => {
  const { run } = database;
  return {
    ...appendEvents(database, announces),
    listEvents: (accountId, page, { objectName = null, objectId = null, type = null, from, to } = {}) =>
      readKeysetPage(run, {
        page,
        first: [from === undefined ? zero : firstIdAt(from)],
        last: [to === undefined ? afterAll : firstIdAt(to)],
        parse: (cursor) => (isUuid(cursor) ? [cursor] : undefined),
        isBefore: ([a = ''], [b = '']) => a < b,
        statement: (newestFirst) =>
          list({
            isFiltered: [objectName, objectId, type].some((value) => value !== null),
            isOfObject: objectId !== null,
            newestFirst,
          }),
        more: { accountId, shard: shardOf(accountId), objectName, objectId, type },
        read,
      }),
    findEvent: async (accountId, id) => {
      const [found] = isUuid(id) ? await run(find, { accountId, id, shard: shardOf(accountId) }) : [];
      return found && eventOf(JSON.parse(String(found['event'])));
    },
  };
};
