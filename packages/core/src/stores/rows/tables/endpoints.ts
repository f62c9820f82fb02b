import type { LastFailure } from '../../../base/signals/health-change.ts';
import type { DisabledBy, Endpoint, EndpointState } from '../../../webhooks/endpoints/endpoint.ts';
import { flag, identity, integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** Endpoints. `since`: when it was last enabled or disabled. */
export const endpoints = table({
  name: 'endpoints',
  columns: { accountId: text(), id: text(), position: identity(), endpoint: json<Endpoint>(), since: number() },
  key: ['accountId', 'id'],
  indexes: {
    id: { columns: ['id'], isUnique: true },
    account: { columns: ['accountId', 'position'] },
    all: { columns: ['position'] },
  },
});

/**
 * Past and present configurations of endpoints. `from` and `to` are versions of the shard: they order changes within
 * one millisecond, and with clocks that are set back.
 */
export const endpointHistory = table({
  name: 'endpoint_history',
  columns: {
    accountId: text(),
    endpointId: text(),
    from: integer(),
    to: number(),
    since: number(),
    until: number(),
    isFirst: flag(),
    state: text<EndpointState>(),
    events: json<readonly string[]>(),
    includeChildren: flag(),
    disabledBy: text<DisabledBy>(),
  },
  key: ['accountId', 'endpointId', 'from'],
  indexes: {
    endpoint: { columns: ['accountId', 'endpointId', 'from'] },
    until: { columns: ['until', 'accountId', 'endpointId', 'from'] },
  },
});

/** Failures of enabled endpoints. An endpoint that does not fail has no row. */
export const health = table({
  name: 'health',
  columns: {
    accountId: text(),
    endpointId: text(),
    failures: integer(),
    failingSince: number(),
    isExhausted: flag(),
    openCount: integer(),
    openUntil: number(),
    retryAfterUntil: number(),
    lastFailure: optional(json<LastFailure>()),
  },
  key: ['accountId', 'endpointId'],
  indexes: { all: { columns: ['accountId', 'endpointId'] } },
});

export type EndpointRow = RowOf<typeof endpoints>;
export type HistoryRow = RowOf<typeof endpointHistory>;
export type HealthRow = RowOf<typeof health>;
