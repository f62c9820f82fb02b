import type { EpochMs } from '../../../base/runtime/time.ts';
import type { HandlerAttempt } from '../../../webhooks/deliveries/handler-store.ts';
import { integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** Where a handler is among the past events that it gets. */
export interface Backfill {
  readonly since: EpochMs;
  readonly shard: number;
  /** The last event that was looked at, in the order of dispatch. */
  readonly after?: readonly [dispatchedAt: EpochMs, accountId: string, eventId: string];
}

/** Handlers of the host. */
export const handlers = table({
  name: 'handlers',
  columns: {
    name: text(),
    events: json<readonly string[]>(),
    registeredAt: number(),
    seenAt: number(),
    backfill: optional(json<Backfill>()),
  },
  key: ['name'],
  indexes: { all: { columns: ['name'] } },
  isKept: true,
});

/** Deliveries to handlers. `ready`: due, and takes turns between accounts. */
export const handlerDeliveries = table({
  name: 'handler_deliveries',
  columns: {
    accountId: text(),
    eventId: text(),
    handler: text(),
    state: text<'waiting' | 'ready' | 'handled' | 'exhausted'>(),
    dueAt: number(),
    attempts: integer(),
    log: json<readonly HandlerAttempt[]>(),
  },
  key: ['accountId', 'eventId', 'handler'],
  indexes: {
    event: { columns: ['accountId', 'eventId', 'handler'] },
    due: { columns: ['handler', 'dueAt', 'accountId', 'eventId'], where: ['state', 'waiting'] },
    turns: { columns: ['handler', 'accountId', 'dueAt', 'eventId'], where: ['state', 'ready'] },
    exhausted: { columns: ['handler', 'eventId', 'accountId'], where: ['state', 'exhausted'] },
  },
});

export type HandlerRow = RowOf<typeof handlers>;
export type HandlerDeliveryRow = RowOf<typeof handlerDeliveries>;
