/**
 * The domain of a partner interface: what a host needs to embed partnerkit. Pure: adapters plug in through ports.
 * @module core
 */
export { err, errAsync, ok, okAsync, Result, ResultAsync, safeTry } from '#result';
export type { ClientView } from './access/clients/client.ts';
export type { CallRefusal, ClientUsage, RefusedCall } from './access/clients/client-usage.ts';
export type {
  ClientFailure,
  ClientInput,
  ClientSecretInput,
  Clients,
  ClientUpdate,
  NewClient,
  NewClientSecret,
} from './access/clients/clients.ts';
export type { ClientKeySet, ClientKeySetInput, PublicJwkInput } from './access/clients/public-keys.ts';
export type { LoginLimits } from './access/tokens/authenticate.ts';
export type { LegacySecrets, LegacyTokenClaims, LegacyTokens } from './access/tokens/legacy.ts';
export type { TokenKeys } from './access/tokens/token-keys.ts';
export type { CreationLimits } from './api/management/limits.ts';
export type {
  ManagedRequests,
  ManagementAccess,
  ManagementOptions,
  ManagementPart,
  ManagementSession,
} from './api/management/session.ts';
export type { Code } from './api/operations/codes.ts';
export type { OpenApiDocument, OpenApiOptions } from './api/operations/document-options.ts';
export type { RouteFailure, RouteRefusal } from './api/operations/failure.ts';
export type { JsonSchema } from './api/operations/json-schema.ts';
export type { AccountOperation, OperationAnswer, OperationInput, Read, Refused } from './api/operations/operation.ts';
export type { AccountHandler, AccountRouteOptions } from './api/partner/account-route.ts';
export type { Authenticate, Caller, InactiveChildren, RefusedRequest } from './api/partner/caller.ts';
export type { MetadataOptions } from './api/partner/metadata.ts';
export type { PathAliases } from './api/partner/routes.ts';
export type { AccountOf } from './api/partner/routes-by-account.ts';
export type { Account, AccountDirectory } from './base/accounts/account.ts';
export type { EnvironmentReach } from './base/accounts/reach.ts';
export type { NeededRight, Right } from './base/accounts/rights.ts';
export type { Alerts } from './base/alerts/alerts.ts';
export type { AuditEntry, AuditType, NewAuditEntry, OperationsSelector } from './base/audit/audit-entry.ts';
export type { AuditProblem, AuditReport, AuditTrail } from './base/audit/audit-trail.ts';
export type { SealingKey } from './base/crypto/seal.ts';
export { deprecated } from './base/fields/deprecated.ts';
export type { Deprecation } from './base/http/deprecation.ts';
export type { PathParams } from './base/http/path.ts';
export type { HttpHeaders, HttpRequest, HttpResponse, RequestBody, RequestHead, Route } from './base/http/route.ts';
export type { ImportedRow, ImportOptions, ImportReport } from './base/imports/import-report.ts';
export type { InvalidCursor, ListFailure } from './base/pagination/cursor.ts';
export type { ListOptions } from './base/pagination/list-options.ts';
export type { Page, PageRequest } from './base/pagination/page.ts';
export type { Unavailable } from './base/runtime/call-port.ts';
export type { Failure, InvalidInput, WrongField } from './base/runtime/failure.ts';
export type { VersionCondition } from './base/runtime/if-version.ts';
export { PortTimeout } from './base/runtime/port-limit.ts';
export { type DurationMs, day, type EpochMs, type EpochSeconds, hour, minute, second } from './base/runtime/time.ts';
export type { Actor } from './base/signals/actor.ts';
export type { ClientChangeName, EndpointChangeName } from './base/signals/change-names.ts';
export type { ActorOptions, ChangeOptions } from './base/signals/change-options.ts';
export type { ErrorName } from './base/signals/error-name.ts';
export type { EndpointHealthChange, HealthChange, LastFailure } from './base/signals/health-change.ts';
export type { ErrorListener, Observer } from './base/signals/listener.ts';
export type { Signal, TracedEvent } from './base/signals/signal.ts';
export type { CheckFailure, CheckReport } from './kit/check.ts';
export type { CheckFinding } from './kit/check-finding.ts';
export { createPartnerkit } from './kit/create-partnerkit.ts';
export type { AccessLine, ApiKeyAccess, EndpointAccess } from './kit/exports/access-lines.ts';
export type { ExportLine, ExportOptions } from './kit/exports/exports.ts';
export type { HealthOptions, HealthReport, WorkerHealth } from './kit/health-report.ts';
export type { AlertAddressRow } from './kit/imports/import-alert-addresses.ts';
export type { ClientRow, ImportedSecret } from './kit/imports/import-clients.ts';
export type { EndpointRow } from './kit/imports/import-endpoints.ts';
export type { Imports } from './kit/imports/imports.ts';
export { type DividedStorages, type Kits, type KitsOptions, kitsOver, type PartKit } from './kit/kits-over.ts';
export type { Observability, PartnerkitOptions } from './kit/options.ts';
export type { Partnerkit } from './kit/partnerkit.ts';
export type { Secret, SecretSource } from './kit/secret.ts';
export type { Catalogue, PairsOf } from './webhooks/catalogue/catalogue.ts';
export {
  defineObject,
  type EventContent,
  type ObjectDefinition,
  type ObjectShape,
  type PayloadSchema,
} from './webhooks/catalogue/define-object.ts';
export type { CatalogueEntry } from './webhooks/catalogue/entries.ts';
export type { EventSelector } from './webhooks/catalogue/event-selector.ts';
export type { LeafPath } from './webhooks/catalogue/leaf-path.ts';
export type { EventPairs, EventTypeInfo } from './webhooks/catalogue/pairs.ts';
export type { EventType, ObjectName, SpecifiedPairs } from './webhooks/catalogue/specification.ts';
export type {
  HandlerAttempt,
  HandlerDelivery,
  HandlerDeliveryKey,
  HandlerOutcome,
  HandlerStatus,
  RegisteredHandler,
} from './webhooks/deliveries/handler-store.ts';
export type { DisableAfter } from './webhooks/delivery-rules/breaker.ts';
export type { DeliveryPolicy } from './webhooks/delivery-rules/delivery-policy.ts';
export type { EndpointState, EndpointView } from './webhooks/endpoints/endpoint.ts';
export type { EndpointHealth } from './webhooks/endpoints/endpoint-store.ts';
export type {
  EndpointFailure,
  EndpointInput,
  Endpoints,
  EndpointUpdate,
  NewWebhookSecret,
  PullEndpointInput,
} from './webhooks/endpoints/endpoints.ts';
export type { ResealOutcome } from './webhooks/endpoints/reseal.ts';
export type { EventFilter } from './webhooks/events/event-filter.ts';
export type { InvalidEvent } from './webhooks/events/invalid-event.ts';
export type { EventFailure } from './webhooks/events/prepare.ts';
export type { EventInput, Events, PublishOptions } from './webhooks/events/publish.ts';
export { PublishError, type Published, type PublishFailure } from './webhooks/events/published.ts';
export type { TestEventFailure, TestEventInput } from './webhooks/events/test-event.ts';
export type {
  PullEvents,
  PulledEvent,
  PulledEvents,
  PulledPage,
  PullFailure,
  PullOptions,
} from './webhooks/feeds/pull-events.ts';
export type {
  Handler,
  HandlerContext,
  HandlerEvent,
  Handlers,
  HandlersOption,
  OperationsEvent,
} from './webhooks/handlers/handler.ts';
export type { HandleAgainFailure, HandlerAdmin } from './webhooks/handlers/handler-admin.ts';
export type {
  Deliveries,
  ExplainFailure,
  ReplayedBatch,
  ReplayFailure,
  SendAgainFailure,
} from './webhooks/log/deliveries.ts';
export type { Attempt, Backlog, Delivery, DeliveryFilter, ReplayRange } from './webhooks/log/delivery-log.ts';
export type { ExplainedDelivery, Explanation } from './webhooks/log/explain.ts';
export type { HealthSnapshot, StoredWorker, TableSize, TroubledEndpoint } from './webhooks/log/health-snapshot.ts';
export type { EndpointStatistics, StatisticsPeriod } from './webhooks/log/statistics.ts';
export type { Sending, SendingFailure } from './webhooks/sending/sending.ts';
export type { SendingPause, SendingScope } from './webhooks/sending/sending-store.ts';
export type { Retention } from './webhooks/worker/context/retention.ts';
export type { WorkerOptions } from './webhooks/worker/context/worker-options.ts';
export type { Worker, WorkerState } from './webhooks/worker/worker.ts';
