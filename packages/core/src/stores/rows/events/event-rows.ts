import type { EpochMs } from '../../../base/runtime/time.ts';
import type { AnnouncedEvent, OutboxEvent } from '../../../webhooks/deliveries/delivery-store.ts';
import { envelopeText } from '../../../webhooks/envelope/envelope.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from '../../../webhooks/events/event.ts';
import { objectHash } from '../../../webhooks/shards/object-hash.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { KeyOf, NewRowOf, RowOf } from '../port/table.ts';
import {
  type DispatchRow,
  dispatches,
  type EventRow,
  events,
  type listedColumns,
  type outbox,
} from '../tables/events.ts';

type ListedRow = Pick<EventRow, (typeof listedColumns)[number]>;
type Fields<T> = { -readonly [K in keyof T]: T[K] };

/** An event of a list, from its row. */
export const listedEvent = (row: ListedRow, dispatch?: Pick<DispatchRow, 'timestamp'>): ListedEvent => {
  const { id, accountId, objectName, objectId, type } = row;
  const event: Fields<ListedEvent> = { id, accountId, objectName, objectId, type };
  if (row.occurredAt !== undefined) event.occurredAt = row.occurredAt;
  if (row.idempotencyKey !== undefined) event.idempotencyKey = row.idempotencyKey;
  if (row.onlyTo !== undefined) event.onlyTo = row.onlyTo;
  if (row.origin !== undefined) event.origin = row.origin;
  if (row.traceContext !== undefined) event.traceContext = row.traceContext;
  if (dispatch) event.timestamp = dispatch.timestamp;
  return event;
};

/** An event that is not dispatched, as workers read it. */
export const outboxEvent = (
  { shard, position }: RowOf<typeof outbox>,
  row: EventRow,
  lastTimestamp: number | undefined,
): OutboxEvent => {
  const event = listedEvent(row) as Fields<OutboxEvent>;
  event.bodyTail = row.bodyTail;
  event.shard = shard;
  event.position = String(position);
  event.storedAt = row.storedAt;
  if (lastTimestamp !== undefined) event.lastTimestamp = lastTimestamp;
  return event;
};

/** A dispatched event, from its rows. */
export const dispatchedEvent = (row: EventRow, dispatch: DispatchRow): DispatchedEvent => {
  const event = listedEvent(row, dispatch) as Fields<DispatchedEvent>;
  event.bodyTail = row.bodyTail;
  event.body = envelopeText(dispatch.timestamp, row.bodyTail);
  return event;
};

/** A stored event, dispatched or not. */
export const storedEvent = (row: EventRow, dispatch: DispatchRow | undefined): NewEvent | DispatchedEvent =>
  dispatch ? dispatchedEvent(row, dispatch) : { ...listedEvent(row), bodyTail: row.bodyTail };

/** The row of a new event. */
export const eventRow = (event: NewEvent, storedAt: EpochMs): EventRow => ({
  accountId: event.accountId,
  id: event.id,
  objectName: event.objectName,
  objectId: event.objectId,
  type: event.type,
  occurredAt: event.occurredAt,
  storedAt,
  onlyTo: event.onlyTo,
  origin: event.origin,
  traceContext: event.traceContext,
  idempotencyKey: event.idempotencyKey,
  bodyTail: event.bodyTail,
});

/** The row of a new event in the outbox. */
export const outboxRow = ({ accountId, id, objectId }: EventRow): NewRowOf<typeof outbox> => ({
  shard: shardOf(accountId),
  accountId,
  id,
  objectHash: objectHash(accountId, objectId),
});

/** What workers are told of an event. `undefined`: it is to be read. */
export const announcedEvent = (row: EventRow): AnnouncedEvent | undefined => {
  const { id, accountId, objectName, objectId, type, occurredAt, storedAt, onlyTo, origin } = row;
  if (onlyTo !== undefined || origin !== undefined) return undefined;
  const announced = { id, accountId, shard: shardOf(accountId), objectName, objectId, type, storedAt };
  return occurredAt === undefined ? announced : { ...announced, occurredAt };
};

/** Adds columns of their events to dispatches of an account. */
export function* withEvents<D extends Pick<DispatchRow, 'id'>, C extends keyof EventRow & string>(
  rows: RowTx,
  accountId: string,
  found: readonly D[],
  columns: readonly C[],
): Plan<readonly (D & Pick<EventRow, C>)[]> {
  const ranges = found.map(({ id }) => ({ prefix: [accountId, id] as const }));
  const ofEvents = yield* rows.scan(events, 'list', ranges, { columns: ['id', ...columns] });
  const byId = new Map(ofEvents.map((row) => [row.id, row]));
  return found.flatMap((dispatch) => {
    const event = byId.get(dispatch.id);
    return event ? [{ ...event, ...dispatch }] : [];
  });
}

/** Reads dispatched events. */
export function* dispatchedEvents(
  rows: RowTx,
  keys: readonly KeyOf<typeof events>[],
): Plan<readonly (DispatchedEvent | undefined)[]> {
  const found = yield* rows.get(events, keys);
  const dispatched = yield* rows.get(dispatches, keys);
  return found.map((row, index) => {
    const dispatch = dispatched[index];
    return row && dispatch && dispatchedEvent(row, dispatch);
  });
}
