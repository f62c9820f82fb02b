import { identity, integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** The columns of an event without its body. */
export const listedColumns = [
  'accountId',
  'id',
  'objectName',
  'objectId',
  'type',
  'occurredAt',
  'onlyTo',
  'origin',
  'traceContext',
  'idempotencyKey',
] as const;

/** Events, written once. */
export const events = table({
  name: 'events',
  columns: {
    accountId: text(),
    id: text(),
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
  },
  key: ['accountId', 'id'],
  indexes: { list: { columns: ['accountId', 'id'] } },
});

/** The queue of events that are not dispatched. */
export const outbox = table({
  name: 'outbox',
  columns: { shard: integer(), accountId: text(), position: identity(), id: text(), objectHash: text() },
  key: ['shard', 'accountId', 'position'],
  indexes: { queue: { columns: ['shard', 'accountId', 'position'] }, position: { columns: ['position'] } },
});

/**
 * Dispatches of events, never changed. No two of one object share a timestamp, because receivers deduplicate by it:
 * objects are known by their hash, so that the index stays small.
 *
 * - `position`: the order of dispatch within an account.
 * - `endpointVersion`: the version of the shard's endpoints at the dispatch.
 */
export const dispatches = table({
  name: 'dispatches',
  columns: {
    accountId: text(),
    id: text(),
    position: identity(),
    shard: integer(),
    objectHash: text(),
    dispatchedAt: number(),
    timestamp: integer(),
    endpointVersion: integer(),
    endpointIds: json<readonly string[]>(),
  },
  key: ['accountId', 'id'],
  indexes: {
    list: { columns: ['accountId', 'id'] },
    timestamp: { columns: ['objectHash', 'timestamp'], isUnique: true },
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

export type EventRow = RowOf<typeof events>;
export type DispatchRow = RowOf<typeof dispatches>;
