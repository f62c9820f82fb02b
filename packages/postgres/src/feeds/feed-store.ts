import type { FeedKey, FeedPart, FeedProgress, FeedStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { nullsOf, selectList } from '../database/selection.ts';
import { nullable, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { dispatchedEventOf, dispatchedEvents, dispatchedSelection } from '../events/event-columns.ts';

const [accountId, endpointId] = [value('accountId', 'text'), value('endpointId', 'uuid')];

const progress = sql`f.last::text as last, f.pruned::text as pruned, f.asked::text as asked, ${ms('f.asked_at')} as askedat`;

/** Feeds of endpoints that are stored. */
const stored = sql`${t.feeds} f join ${t.endpoints} p on p.account_id = f.account_id and p.id = f.endpoint_id`;

const isOfFeed = sql`account_id = ${accountId} and endpoint_id = ${endpointId}`;

/** The feed, then the places, then the entries; in one statement and so of one moment. */
const read = statement`with feed as materialized (
    select f.* from ${stored} where f.account_id = ${accountId} and f.endpoint_id = ${endpointId}
  ), next as materialized (
    select n.number, n.event_id from feed f cross join lateral (
      select number, event_id from ${t.feed_entries} where ${isOfFeed} and number > coalesce(${nullable('after', 'bigint')}, f.pruned)
      order by number limit ${value('limit', 'int')}
    ) n
  ), measured as (
    select n.number, n.event_id, sum(length(e.body_tail)) over (order by n.number) - length(e.body_tail) as before
    from next n join ${t.events} e on e.account_id = ${accountId} and e.id = n.event_id
  )
  select 'feed' as part, null::text as number, null::text as event, ${progress}, f.pruned_event::text as prunedevent, ${ms('now()')} as now, ${nullsOf(dispatchedSelection)}
    from feed f
  union all
  select 'place', number::text, event_id::text, null, null, null, null, null, null, ${nullsOf(dispatchedSelection)}
    from ${t.feed_entries} where ${isOfFeed} and number = any(${value('places', 'bigint[]')})
  union all
  select 'entry', n.number::text, n.event_id::text, null, null, null, null, null, null, ${selectList(dispatchedSelection)}
    from measured n join ${dispatchedEvents} on e.account_id = ${accountId} and e.id = n.event_id
    where n.before < ${value('maxLength', 'int')} and ${plannedAnew(accountId)}`;

const note = statement`update ${t.feeds} set asked = ${value('number', 'bigint')}, asked_at = now() where ${isOfFeed}`;

const wanted = rows<'wanted', FeedKey>('wanted', {
  account_id: ['text', ({ accountId }) => accountId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
});
const readAll = statement`select f.account_id as account, f.endpoint_id::text as endpoint, ${progress}
  from ${wanted.few('w')} join (${stored}) on f.account_id = w.account_id and f.endpoint_id = w.endpoint_id`;

const find = statement`select number::text as number from ${t.feed_entries} where ${isOfFeed} and event_id = ${value('eventId', 'uuid')}`;

const progressOf = (row: SqlRow): FeedProgress => ({
  last: Number(row['last']),
  pruned: Number(row['pruned']),
  ...(row['asked'] === null ? {} : { asked: { number: Number(row['asked']), at: Number(row['askedat']) } }),
});

const placeOf = (row: SqlRow) => ({ number: Number(row['number']), eventId: String(row['event']) });

/** Feeds of pull endpoints. */
export const feedStore = <Tx extends object>(
  { run }: Database<Tx>,
  watchFeeds: FeedStore['watchFeeds'],
): FeedStore => ({
  readFeed: async (accountId, endpointId, { after = null, ...wanted }): Promise<FeedPart | undefined> => {
    if (!isUuid(endpointId)) return undefined;
    const found = await run(read, { accountId, endpointId, after, ...wanted });
    const of = (part: string) => found.filter((row) => row['part'] === part);
    const [feed] = of('feed');
    if (!feed) return undefined;
    const own = progressOf(feed);
    const pruned = feed['prunedevent'];
    return {
      ...own,
      now: Number(feed['now']),
      places: [
        ...of('place').map(placeOf),
        ...(pruned === null ? [] : [{ number: own.pruned, eventId: String(pruned) }]),
      ],
      entries: of('entry')
        .map((row) => ({ ...placeOf(row), event: dispatchedEventOf(row, accountId) }))
        .sort((a, b) => a.number - b.number),
    };
  },
  noteAsked: async (accountId, endpointId, number) => {
    if (isUuid(endpointId)) await run(note, { accountId, endpointId, number });
  },
  readProgress: async (keys) => {
    const wanted = keys.filter(({ endpointId }) => isUuid(endpointId));
    const found = wanted.length === 0 ? [] : await run(readAll, { wanted });
    return found.map((row) => ({
      ...{ accountId: String(row['account']), endpointId: String(row['endpoint']) },
      ...progressOf(row),
    }));
  },
  findEntry: async (accountId, endpointId, eventId) => {
    if (![endpointId, eventId].every(isUuid)) return undefined;
    const [row] = await run(find, { accountId, endpointId, eventId });
    return row && Number(row['number']);
  },
  watchFeeds,
});
