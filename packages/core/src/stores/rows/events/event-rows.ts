import type { AnnouncedEvent, OutboxEvent } from '../../../webhooks/deliveries/delivery-store.ts';
import { envelopeText } from '../../../webhooks/envelope/envelope.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from '../../../webhooks/events/event.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import type { NewRowOf } from '../port/table.ts';
import type { EventRow, listedColumns, OutboxRow, outbox } from '../tables/events.ts';

type ListedRow = Pick<OutboxRow, (typeof listedColumns)[number]>;
type Fields<T> = { -readonly [K in keyof T]: T[K] };

/** An event of a list, from its row. */
export const listedEvent = (row: ListedRow & { readonly timestamp?: number }): ListedEvent => {
  const { id, accountId, objectName, objectId, type } = row;
  const event: Fields<ListedEvent> = { id, accountId, objectName, objectId, type };
  if (row.occurredAt !== undefined) event.occurredAt = row.occurredAt;
  if (row.idempotencyKey !== undefined) event.idempotencyKey = row.idempotencyKey;
  if (row.onlyTo !== undefined) event.onlyTo = row.onlyTo;
  if (row.origin !== undefined) event.origin = row.origin;
  if (row.traceContext !== undefined) event.traceContext = row.traceContext;
  if (row.timestamp !== undefined) event.timestamp = row.timestamp;
  return event;
};

/** An event that is not dispatched, from its row. */
export const newEvent = (row: OutboxRow): NewEvent => ({ ...listedEvent(row), bodyTail: row.bodyTail });

/** An event that is not dispatched, as workers read it. */
export const outboxEvent = (row: OutboxRow, lastTimestamp: number | undefined): OutboxEvent => {
  const event = listedEvent(row) as Fields<OutboxEvent>;
  event.bodyTail = row.bodyTail;
  event.shard = row.shard;
  event.position = String(row.position);
  event.storedAt = row.storedAt;
  if (lastTimestamp !== undefined) event.lastTimestamp = lastTimestamp;
  return event;
};

/** A dispatched event, from its row. */
export const dispatchedEvent = (row: EventRow): DispatchedEvent => {
  const event = listedEvent(row) as Fields<DispatchedEvent>;
  event.bodyTail = row.bodyTail;
  event.body = envelopeText(row.timestamp, row.bodyTail);
  return event;
};

/** The row of a new event. */
export const outboxRow = (event: NewEvent, storedAt: number): NewRowOf<typeof outbox> => ({
  accountId: event.accountId,
  id: event.id,
  shard: shardOf(event.accountId),
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

/** What workers are told of an event. `undefined`: it is to be read. */
export const announcedEvent = (row: NewRowOf<typeof outbox>): AnnouncedEvent | undefined => {
  const { id, accountId, shard, objectName, objectId, type, occurredAt, storedAt, onlyTo, origin } = row;
  if (onlyTo !== undefined || origin !== undefined) return undefined;
  const announced = { id, accountId, shard, objectName, objectId, type, storedAt };
  return occurredAt === undefined ? announced : { ...announced, occurredAt };
};
