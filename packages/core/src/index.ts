/**
 * The domain of a partner interface: what a host needs to embed partnerkit. Pure: adapters plug in through ports.
 * @module core
 */
export { err, ok, Result, ResultAsync } from 'neverthrow';
export type { Account, AccountDirectory } from './accounts/account.ts';
export { type Catalogue, defineCatalogue } from './catalogue/catalogue.ts';
export { catalogue, defineObject } from './catalogue/default-catalogue.ts';
export type { ObjectDefinition } from './catalogue/define-object.ts';
export type { EventSelector } from './catalogue/event-selector.ts';
export type { EventPairs } from './catalogue/pairs.ts';
export type { EventType, ObjectName, SpecifiedPairs } from './catalogue/specification.ts';
export type { ClientView } from './clients/client.ts';
export type { ClientFailure, Clients, NewClientSecret } from './clients/clients.ts';
export { type SealingKey, sealingKeyId } from './crypto/seal.ts';
export type { EndpointState, EndpointView } from './endpoints/endpoint.ts';
export type { EndpointHealth } from './endpoints/endpoint-store.ts';
export type {
  EndpointFailure,
  EndpointInput,
  Endpoints,
  EndpointUpdate,
  NewWebhookSecret,
} from './endpoints/endpoints.ts';
export type { EventFilter } from './events/event-filter.ts';
export type { EventFailure } from './events/prepare.ts';
export type { EventInput, Events, PublishOptions } from './events/publish.ts';
export { PublishError, type Published, type PublishFailure } from './events/published.ts';
export type { TestEventFailure, TestEventInput } from './events/test-event.ts';
export type { ExportLine, ExportOptions } from './exports/exports.ts';
export type { ClientRow, ImportedSecret } from './imports/import-clients.ts';
export type { EndpointRow } from './imports/import-endpoints.ts';
export type { ImportedRow, ImportOptions, ImportReport } from './imports/import-report.ts';
export type { Imports } from './imports/imports.ts';
export type { CheckFailure, CheckFinding, CheckReport } from './kit/check.ts';
export { createPartnerkit } from './kit/create-partnerkit.ts';
export type { PartnerkitOptions } from './kit/options.ts';
export type { Partnerkit } from './kit/partnerkit.ts';
export type {
  Deliveries,
  ExplainFailure,
  ReplayedBatch,
  ReplayFailure,
  SendAgainFailure,
} from './log/deliveries.ts';
export type { Attempt, Backlog, Delivery, DeliveryFilter, ReplayRange } from './log/delivery-log.ts';
export type { Explanation } from './log/explain.ts';
export type { EndpointStatistics, StatisticsPeriod } from './log/statistics.ts';
export type { ManagementLimits } from './management/limits.ts';
export type { CallContext, ManagedBy } from './management/managed-by.ts';
export type {
  ManagedRequests,
  ManagementAccess,
  ManagementOptions,
  ManagementPart,
  ManagementSession,
} from './management/session.ts';
export type { InvalidCursor, ListFailure } from './pagination/cursor.ts';
export type { ListOptions } from './pagination/list-options.ts';
export type { Page, PageRequest } from './pagination/page.ts';
export type { Caller } from './partner/caller.ts';
export type { MetadataOptions } from './partner/metadata.ts';
export type { PathAliases } from './partner/routes.ts';
export type { Unavailable } from './runtime/call-port.ts';
export type { Failure, InvalidInput, WrongField } from './runtime/failure.ts';
export { PortTimeout } from './runtime/port-limit.ts';
export type { Actor } from './signals/actor.ts';
export type { ErrorListener, Observer } from './signals/listener.ts';
export type { Signal } from './signals/signal.ts';
export type { LoginLimits } from './tokens/grant.ts';
export type { LegacySecrets, LegacyTokenClaims, LegacyTokens } from './tokens/legacy.ts';
export type { Retention } from './worker/retention.ts';
export type { Worker, WorkerState } from './worker/worker.ts';
export type { WorkerOptions } from './worker/worker-options.ts';
