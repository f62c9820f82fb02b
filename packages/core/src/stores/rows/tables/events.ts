import { identity, integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

const event = {
  accountId: text(),
  id: text(),
  shard: integer(),
  objectName: text(),
  objectId: text(),
  type: text(),
  occurredAt: optional(number()),
  storedAt: number(),
  onlyTo: optional(text()),
  origin: optional(text()),
  traceContext: optional(text()),
  idempotencyKey: optional(text()),
  bodyTail: text(),
};

/** The columns of an event without its body. */
export const listedColumns = [
  'accountId',
  'id',
  'shard',
  'objectName',
  'objectId',
  'type',
  'occurredAt',
  'onlyTo',
  'origin',
  'traceContext',
  'idempotencyKey',
] as const;

/** Committed events that are not dispatched. */
export const outbox = table({
  name: 'outbox',
  columns: { ...event, position: identity() },
  key: ['accountId', 'id'],
  indexes: {
    queue: { columns: ['shard', 'accountId', 'position'] },
    list: { columns: ['accountId', 'id'] },
    position: { columns: ['position'] },
  },
});

/**
 * Dispatched events. `endpointVersion`: the version of the shard's endpoints at the dispatch. No two events of one
 * object share a timestamp, because receivers deduplicate by it.
 */
export const events = table({
  name: 'events',
  columns: {
    ...event,
    dispatchedAt: number(),
    timestamp: integer(),
    endpointVersion: integer(),
    endpointIds: json<readonly string[]>(),
  },
  key: ['accountId', 'id'],
  indexes: {
    list: { columns: ['accountId', 'id'] },
    timestamp: { columns: ['accountId', 'objectId', 'timestamp'], isUnique: true },
    dispatched: { columns: ['shard', 'dispatchedAt', 'accountId', 'id'] },
  },
});

/** Idempotency keys of published events. `content`: SHA-256 of the body after its timestamp. */
export const idempotencyKeys = table({
  name: 'idempotency_keys',
  columns: { accountId: text(), key: text(), eventId: text(), content: text(), expiresAt: number() },
  key: ['accountId', 'key'],
  indexes: { expiry: { columns: ['expiresAt', 'accountId', 'key'] } },
});

export type OutboxRow = RowOf<typeof outbox>;
export type EventRow = RowOf<typeof events>;
