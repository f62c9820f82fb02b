import type { SendOutcome } from '../../../webhooks/deliveries/sender.ts';
import { flag, identity, integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** The outcome of an attempt; an expiry without attempt is none. */
export type LoggedOutcome =
  | SendOutcome
  | { readonly kind: 'expired'; readonly reason: 'endpoint_deleted' | 'held_too_long' };

const delivery = { accountId: text(), eventId: text(), endpointId: text(), replay: integer() };
const deliveryKey = ['accountId', 'eventId', 'endpointId', 'replay'] as const;

/** The log of deliveries. The last row of a finished delivery has its state. */
export const attempts = table({
  name: 'attempts',
  columns: {
    ...delivery,
    number: integer(),
    at: number(),
    outcome: json<LoggedOutcome>(),
    state: optional(text<'delivered' | 'exhausted' | 'expired'>()),
  },
  key: [...deliveryKey, 'number'],
  indexes: {
    delivery: { columns: [...deliveryKey, 'number'] },
    state: { columns: ['accountId', 'endpointId', 'state', 'eventId', 'replay', 'number'] },
  },
});

/** Unfinished deliveries, except those that wait in their owner's memory for the first attempt. */
export const pending = table({
  name: 'pending',
  columns: {
    ...delivery,
    shard: integer(),
    state: text<'scheduled' | 'queued'>(),
    dueAt: number(),
    attempts: integer(),
    logged: integer(),
    isAbandoned: flag(),
    isUrgent: flag(),
    since: number(),
  },
  key: deliveryKey,
  indexes: {
    event: { columns: deliveryKey },
    scheduled: {
      columns: ['shard', 'dueAt', ...deliveryKey],
      where: ['state', 'scheduled'],
    },
    endpoint: { columns: ['shard', 'accountId', 'endpointId', 'dueAt', 'eventId', 'replay'] },
    queued: {
      columns: ['shard', 'accountId', 'endpointId', 'dueAt', 'eventId', 'replay'],
      where: ['state', 'queued'],
    },
    attempted: {
      columns: ['shard', 'accountId', 'endpointId', '-attempts', 'dueAt', 'eventId', 'replay'],
      where: ['state', 'queued'],
    },
  },
});

/** Failed deliveries of an endpoint in an hour, until their number is told. */
export const failedHours = table({
  name: 'failed_hours',
  columns: {
    hour: number(),
    accountId: text(),
    endpointId: text(),
    state: text<'exhausted' | 'expired'>(),
    deliveries: integer(),
  },
  key: ['hour', 'accountId', 'endpointId', 'state'],
  indexes: { all: { columns: ['hour', 'accountId', 'endpointId', 'state'] } },
});

/** Dispatched events to copy to the parent of their account. */
export const parentPropagation = table({
  name: 'parent_propagation',
  columns: {
    accountId: text(),
    eventId: text(),
    shard: integer(),
    position: identity(),
    objectName: text(),
    type: text(),
  },
  key: ['accountId', 'eventId'],
  indexes: {
    queue: { columns: ['shard', 'accountId', 'position'] },
    event: { columns: ['eventId', 'accountId'] },
  },
});

export type AttemptRow = RowOf<typeof attempts>;
export type PendingRow = RowOf<typeof pending>;
