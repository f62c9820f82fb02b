import type { EventPairs } from '../catalogue/pairs.ts';
import type { Delivery, DeliveryFilter, DeliveryLog } from '../log/delivery-log.ts';
import { type DeliveryFacts, deliveriesOf } from './delivery-facts.ts';
import { fitsEvent } from './event-store.ts';
import { readPage } from './pages.ts';
import type { AccountRow, DeliveryRow } from './rows.ts';
import { isDispatched, type Tables } from './tables.ts';

/** Maximum number of deliveries that a page reads. */
const maxSeen = 1_000;

/** Includes logged deliveries of pruned events. */
const rowsOf = function* (account: AccountRow | undefined): Iterable<DeliveryRow> {
  for (const event of account?.events.values() ?? []) if (isDispatched(event)) yield* deliveriesOf(event);
};

const cursorOf = ({ event, endpointId, replay }: DeliveryRow): string => `${event.position}.${endpointId}.${replay}`;

const compare = (cursor: string): ((row: DeliveryRow) => number) | undefined => {
  const [, position, endpointId = '', replay] = /^(\d{1,15})\.([^.]+)\.(\d{1,5})$/.exec(cursor) ?? [];
  if (position === undefined || replay === undefined) return undefined;
  return (row) =>
    row.event.position - Number(position) ||
    (row.endpointId === endpointId ? row.replay - Number(replay) : row.endpointId < endpointId ? -1 : 1);
};

/** Whether the filter needs the stored event. */
const isOfEvents = ({ objectName, objectId, type, from, to }: DeliveryFilter<EventPairs>): boolean =>
  [objectName, objectId, type, from, to].some((value) => value !== undefined);

const fitsRow = ({ event, endpointId }: DeliveryRow, filter: DeliveryFilter<EventPairs>): boolean => {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  if (event.isDropped && isOfEvents(filter)) return false;
  return (
    (filter.endpointId ?? endpointId) === endpointId &&
    (filter.eventId ?? event.event.id) === event.event.id &&
    event.dispatch.at >= from &&
    event.dispatch.at < to &&
    fitsEvent(event.event, filter)
  );
};

/** Lists deliveries. @internal */
export const listDeliveries = ({ findAccount }: Tables, facts: DeliveryFacts): DeliveryLog['listDeliveries'] => {
  const deliveryOf = (row: DeliveryRow): Delivery => {
    const { id, state, attempts } = facts.of(row);
    const { event, dispatch, isDropped } = row.event;
    const { objectName, objectId, type } = event;
    return {
      ...{ id, eventId: event.id, endpointId: row.endpointId, state, attempts },
      ...(isDropped ? {} : { event: { objectName, objectId, type, timestamp: dispatch.timestamp } }),
    };
  };

  return async (accountId, filter, page) => {
    const fits = (row: DeliveryRow): boolean =>
      fitsRow(row, filter) && (filter.state === undefined || facts.of(row).state === filter.state);
    const rows = rowsOf(findAccount(accountId));
    const { items, ...rest } = readPage({ rows, fits, cursorOf, compare, maxSeen }, page);
    return { ...rest, items: items.map(deliveryOf) };
  };
};
