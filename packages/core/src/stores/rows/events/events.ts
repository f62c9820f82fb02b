import { type PageRequest, pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import { firstIdAt, isId } from '../../../base/runtime/id.ts';
import type { EventPairs } from '../../../webhooks/catalogue/pairs.ts';
import type { ListedEvent, NewEvent } from '../../../webhooks/events/event.ts';
import type { EventFilter } from '../../../webhooks/events/event-filter.ts';
import type { EventStore } from '../../../webhooks/events/event-store.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { dispatches, type EventRow, events, listedColumns } from '../tables/events.ts';
import { appendEvents } from './append.ts';
import { listedEvent, storedEvent } from './event-rows.ts';

/** Maximum number of events that a page reads. */
const maxSeen = 1_000;

/** Whether an event is about the object and type of a filter. */
export const fitsEvent = (
  event: Pick<NewEvent, 'objectName' | 'objectId' | 'type'>,
  { objectName = event.objectName, objectId = event.objectId, type = event.type }: EventFilter<EventPairs>,
): boolean => event.objectName === objectName && event.objectId === objectId && event.type === type;

type Ids = readonly [string];

/** The range of ids of a page of an account. */
export const idRange = (
  accountId: string,
  { after, newestFirst }: PageRequest,
  { from, to }: Pick<EventFilter, 'from' | 'to'>,
) => {
  const last = to === undefined ? undefined : firstIdAt(to);
  // Both bounds may be given: the narrower one counts.
  const before = newestFirst && after !== undefined && !(last !== undefined && last < after) ? after : last;
  return {
    prefix: [accountId] as const,
    from: from === undefined ? undefined : ([firstIdAt(from)] as Ids),
    after: newestFirst || after === undefined ? undefined : ([after] as Ids),
    before: before === undefined ? undefined : ([before] as Ids),
  };
};

function* listEvents(
  rows: RowTx,
  accountId: string,
  page: PageRequest,
  filter: EventFilter<EventPairs>,
): Plan<StoredPage<ListedEvent>> {
  const { after, newestFirst = false } = page;
  if (after !== undefined && !isId(after)) return { items: [], invalidCursor: true };
  const range = idRange(accountId, page, filter);
  const limit = maxSeen + 1;
  const all = yield* rows.scan(events, 'list', [range], { limit, newestFirst, columns: listedColumns });
  const fitting: Pick<EventRow, (typeof listedColumns)[number]>[] = [];
  let [last, next]: (string | undefined)[] = [];
  for (const [seen, row] of all.entries()) {
    const fits = seen < maxSeen && fitsEvent(row, filter);
    if (last !== undefined && (seen === maxSeen || (fits && fitting.length === pageLimit(page)))) {
      next = last;
      break;
    }
    last = row.id;
    if (fits) fitting.push(row);
  }
  const dispatched = yield* rows.get(
    dispatches,
    fitting.map(({ id }) => [accountId, id]),
  );
  const items = fitting.map((row, index) => listedEvent(row, dispatched[index]));
  return next === undefined ? { items } : { items, next };
}

/** Events over rows. */
export const rowEvents = <Tx extends object>(store: Pick<RowStore<Tx>, 'run' | 'join'>): EventStore<Tx> => ({
  append: (tx, appended) => store.join(tx, (rows) => appendEvents(rows, appended)),
  appendAlone: (appended) => store.run('write', (rows) => appendEvents(rows, appended)),
  listEvents: (accountId, page, filter = {}) => store.run('read', (rows) => listEvents(rows, accountId, page, filter)),
  findEvent: (accountId, eventId) =>
    store.run('read', function* (rows) {
      const [row] = yield* rows.get(events, [[accountId, eventId]]);
      const [dispatch] = yield* rows.get(dispatches, [[accountId, eventId]]);
      return row && storedEvent(row, dispatch);
    }),
});
