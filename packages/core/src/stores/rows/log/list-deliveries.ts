import { type PageRequest, pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import { isId } from '../../../base/runtime/id.ts';
import type { EventPairs } from '../../../webhooks/catalogue/pairs.ts';
import type { DeliveryKey } from '../../../webhooks/deliveries/delivery-id.ts';
import type { Delivery, DeliveryFilter } from '../../../webhooks/log/delivery-log.ts';
import type { DispatchedRow } from '../deliveries/dispatched.ts';
import { withEvents } from '../events/event-rows.ts';
import { fitsEvent } from '../events/events.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { attempts, pending } from '../tables/deliveries.ts';
import { dispatches } from '../tables/events.ts';
import { dispatchedColumns, factOf, type KnownDelivery, readDeliveries, readSurroundings } from './facts.ts';

/** Maximum number of deliveries that a page reads. */
const maxSeen = 1_000;
/** Number of events whose deliveries are read at once. */
const batch = 100;

interface ListedRow extends DispatchedRow {
  readonly objectName: string;
  readonly objectId: string;
  readonly type: string;
  readonly timestamp: number;
  readonly onlyTo: string | undefined;
}

type Position = Pick<DeliveryKey, 'eventId' | 'endpointId' | 'replay'>;

const cursorOf = ({ eventId, endpointId, replay }: Position): string => `${eventId}.${endpointId}.${replay}`;
const positionOf = (cursor: string): Position | undefined => {
  const [, eventId = '', endpointId = '', replay] = /^([^.]+)\.([^.]+)\.(\d{1,5})$/.exec(cursor) ?? [];
  return isId(eventId) && isId(endpointId) ? { eventId, endpointId, replay: Number(replay) } : undefined;
};
const compare = (a: Position, b: Position): number => {
  if (a.eventId !== b.eventId) return a.eventId < b.eventId ? -1 : 1;
  if (a.endpointId !== b.endpointId) return a.endpointId < b.endpointId ? -1 : 1;
  return a.replay - b.replay;
};

/** Whether a filter needs the stored event. */
const isOfEvents = ({ objectName, objectId, type, from, to }: DeliveryFilter<EventPairs>): boolean =>
  [objectName, objectId, type, from, to].some((value) => value !== undefined);

const fits = (
  { key, event }: KnownDelivery & { readonly event: ListedRow | undefined },
  state: Delivery['state'],
  filter: DeliveryFilter<EventPairs>,
): boolean => {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  if ((filter.endpointId ?? key.endpointId) !== key.endpointId || (filter.state ?? state) !== state) return false;
  if (!event) return !isOfEvents(filter);
  return event.dispatchedAt >= from && event.dispatchedAt < to && fitsEvent(event, filter);
};

/** The ids of the next events with deliveries, from one on; stored ones, and pruned ones whose rows are left. */
function* nextEvents(
  rows: RowTx,
  accountId: string,
  newestFirst: boolean,
  bounds: {
    readonly from?: readonly [string];
    readonly to?: readonly [string];
    readonly after?: readonly [string];
    readonly before?: readonly [string];
  },
): Plan<{ readonly ids: readonly string[]; readonly found: readonly ListedRow[] }> {
  const range = { prefix: [accountId] as const, ...bounds };
  const options = { limit: batch, newestFirst };
  const distinct = { ...options, distinct: 2, columns: ['eventId'] as const };
  const columns = [...dispatchedColumns, 'timestamp'] as const;
  const dispatched = yield* rows.scan(dispatches, 'list', [range], { ...options, columns });
  const found = yield* withEvents(rows, accountId, dispatched, ['objectName', 'objectId', 'type', 'onlyTo']);
  const logged = yield* rows.scan(attempts, 'delivery', [range], distinct);
  const unfinished = yield* rows.scan(pending, 'event', [range], distinct);
  const all = new Set([...found.map(({ id }) => id), ...[...logged, ...unfinished].map(({ eventId }) => eventId)]);
  const sorted = [...all].sort();
  const ids = (newestFirst ? sorted.reverse() : sorted).slice(0, batch);
  const kept = new Set(ids);
  return { ids, found: found.filter(({ id }) => kept.has(id)) };
}

/** Lists deliveries: the events in order, then the deliveries of each. */
export function* listDeliveries(
  rows: RowTx,
  accountId: string,
  filter: DeliveryFilter<EventPairs>,
  page: PageRequest,
): Plan<StoredPage<Delivery>> {
  const { newestFirst = false } = page;
  const after = page.after === undefined ? undefined : positionOf(page.after);
  if (page.after !== undefined && !after) return { items: [], invalidCursor: true };
  const direction = newestFirst ? -1 : 1;
  const only = filter.eventId === undefined ? {} : { from: [filter.eventId] as const, to: [filter.eventId] as const };
  const items: Delivery[] = [];
  let seen = 0;
  let last: string | undefined;
  let start: object = after ? (newestFirst ? { to: [after.eventId] } : { from: [after.eventId] }) : {};
  for (;;) {
    const isPastOnly = filter.eventId !== undefined && after !== undefined && after.eventId !== filter.eventId;
    const bounds = isPastOnly
      ? { from: [filter.eventId] as const, to: [filter.eventId] as const }
      : { ...start, ...only };
    const { ids, found } = yield* nextEvents(rows, accountId, newestFirst, bounds);
    const known = yield* readDeliveries(rows, accountId, found, { eventIds: ids });
    const surroundings = yield* readSurroundings(
      rows,
      accountId,
      known.map(({ key }) => key.endpointId),
    );
    const byId = new Map(found.map((row) => [row.id, row]));
    for (const each of newestFirst ? known.toReversed() : known) {
      if (after && compare(each.key, after) * direction <= 0) continue;
      const { eventId, endpointId } = each.key;
      const event = byId.get(eventId);
      const { id, state, attempts: counted } = factOf(each, surroundings);
      const doesFit = seen < maxSeen && fits({ ...each, event }, state, filter);
      if (last !== undefined && (seen === maxSeen || (doesFit && items.length === pageLimit(page))))
        return { items, next: last };
      seen++;
      last = cursorOf(each.key);
      if (!doesFit) continue;
      const about = event && {
        ...{ objectName: event.objectName, objectId: event.objectId, type: event.type, timestamp: event.timestamp },
        isTest: event.onlyTo !== undefined,
      };
      items.push({ id, eventId, endpointId, state, attempts: counted, ...(about ? { event: about } : {}) });
    }
    const end = ids.at(-1);
    if (ids.length < batch || end === undefined || filter.eventId !== undefined) return { items };
    start = newestFirst ? { before: [end] } : { after: [end] };
  }
}
