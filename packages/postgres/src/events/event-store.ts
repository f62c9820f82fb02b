import {
  type DispatchedEvent,
  type EventStore,
  envelopeText,
  firstIdAt,
  type ListedEvent,
  type NewEvent,
  shardOf,
} from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { eventJson, plannedAnew } from '../database/fragments.ts';
import { asManyAsShown, keysetPage, maxLookedAt, readKeysetPage } from '../database/keyset-page.ts';
import { afterAll, isUuid, zero } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { appendEvents } from './append-events.ts';

/** A published or a dispatched event. */
const eventOf = (json: NewEvent | Omit<DispatchedEvent, 'body'>): NewEvent | DispatchedEvent =>
  'timestamp' in json ? { ...json, body: envelopeText(json.timestamp, json.bodyTail) } : json;

/** Events. @internal */
export const eventStore = <Tx extends object>(database: Database<Tx>, announces: boolean): EventStore<Tx> => {
  const { sql, run } = database;
  // `$5` to `$7` are an object's name and id, and a type, or null for all; `$8` is the shard. An index has all events
  // of
  // one object.
  const list = (filtered: boolean, ofObject: boolean, newestFirst: boolean): string => {
    const looked = filtered ? maxLookedAt : asManyAsShown;
    const columns = 'e.id, e.object_name, e.object_id, e.type';
    const events = ofObject
      ? '(select * from partnerkit.events where account_id = $1 and object_id = $6::text offset 0) e where true'
      : 'partnerkit.events e where e.account_id = $1';
    return sql(
      keysetPage(
        {
          key: { id: 'uuid' },
          pieces: [
            {
              rows: `select ${columns}, false as dispatched from partnerkit.outbox e where e.shard = $8::int and e.account_id = $1`,
              key: ['e.id'],
              looked,
            },
            { rows: `select ${columns}, true as dispatched from ${events}`, key: ['e.id'], looked },
          ],
          where: `($5::text is null or d.object_name = $5) and ($6::text is null or d.object_id = $6) and ($7::text is null or d.type = $7)
            and ${plannedAnew('$8::int')}`,
          // Only for rows of the page.
          columns: `case when d.dispatched
            then (select ${eventJson('e.timestamp')}::text from partnerkit.events e where e.account_id = $1 and e.id = d.id)
            else (select ${eventJson('null::bigint')}::text from partnerkit.outbox e
              where e.shard = $8::int and e.account_id = $1 and e.id = d.id) end as event`,
        },
        newestFirst,
      ),
    );
  };

  const read = ({ event }: SqlRow): ListedEvent => JSON.parse(String(event));
  const body = ", 'bodyTail', e.body_tail";
  const find = sql(`
    select ${eventJson('e.timestamp', body)}::text as event from partnerkit.events e
      where e.account_id = $1 and e.id = $2::uuid
    union all
    select ${eventJson('null::bigint', body)}::text from partnerkit.outbox e
      where e.shard = $3::int and e.account_id = $1 and e.id = $2::uuid`);
  return {
    ...appendEvents(database, announces),
    listEvents: (accountId, page, { objectName = null, objectId = null, type = null, from, to } = {}) =>
      readKeysetPage(run, {
        accountId,
        page,
        first: [from === undefined ? zero : firstIdAt(from)],
        last: [to === undefined ? afterAll : firstIdAt(to)],
        parse: (cursor) => (isUuid(cursor) ? [cursor] : undefined),
        isBefore: ([a = ''], [b = '']) => a < b,
        statement: (newestFirst) =>
          list(
            [objectName, objectId, type].some((value) => value !== null),
            objectId !== null,
            newestFirst,
          ),
        more: [objectName, objectId, type, shardOf(accountId)],
        read,
      }),
    findEvent: async (accountId, eventId) => {
      const [found] = isUuid(eventId) ? await run(find, [accountId, eventId, shardOf(accountId)]) : [];
      return found && eventOf(JSON.parse(String(found['event'])));
    },
  };
};
