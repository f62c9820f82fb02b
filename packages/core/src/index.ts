/**
 * The domain of a partner interface, pure: adapters plug in through ports.
 * @module
 */
export type { Account, AccountDirectory } from './accounts/account.ts';
export { type EnvironmentReach, reaches } from './accounts/reach.ts';
export {
  catalogue,
  type EventType,
  eventTypes,
  isEventPair,
  type ObjectName,
  objectNames,
} from './catalogue/catalogue.ts';
export {
  defineObject,
  type ObjectDefinition,
  type ObjectShape,
  type PayloadSchema,
} from './catalogue/define-object.ts';
export { type EventSelector, eventSelectors } from './catalogue/event-selector.ts';
export type { LeafPath } from './catalogue/leaf-path.ts';
export type { Check, Finding, NotReady } from './check.ts';
export type { Client, ClientChangeName, ClientSecret, ClientView } from './clients/client.ts';
export type { ClientStore } from './clients/client-store.ts';
export type { ClientFailure, Clients, NewSecret } from './clients/clients.ts';
export { type Sealed, type SealingKey, sealingKeyId } from './crypto/seal.ts';
export type { Inbox, InboxEntry, InboxView, ParkedEntry } from './dedup/inbox.ts';
export { type DedupTimes, processOnce } from './dedup/process-once.ts';
export type { SeenClaim, SeenKeys } from './dedup/seen-keys.ts';
export type {
  Deliveries,
  ExplainFailure,
  InvalidInput,
  ListFailure,
  ReplayFailure,
  SendAgainFailure,
} from './deliveries/deliveries.ts';
export { type DeliveryKey, deliveryIdOf, parseDeliveryId } from './deliveries/delivery-id.ts';
export type {
  Attempt,
  Backlog,
  Delivery,
  DeliveryFilter,
  DeliveryLog,
  Pruned,
  PruneLimits,
  Replayed,
  ReplayRange,
  SentAgain,
} from './deliveries/delivery-log.ts';
export type {
  DeliveryStore,
  Dispatched,
  HealthTransition,
  HealthWrite,
  LoggedAttempt,
  OutboxEvent,
  OwnedEndpoint,
  PendingChange,
  PendingDelivery,
  QueueRead,
  Settled,
  Settlement,
  ShardedKey,
  ShardRange,
  StoredHealth,
  StoreState,
} from './deliveries/delivery-store.ts';
export type {
  DeliveryFact,
  DisabledBy,
  EndpointThen,
  ExpiredBecause,
  Explained,
  ExplainSnapshot,
  Explanation,
} from './deliveries/explain.ts';
export { breakerPauses, disablesAfter, failuresToOpen } from './deliveries/health.ts';
export { type EndpointHealthChange, type HealthChange, maxCounted } from './deliveries/health-change.ts';
export type { ParentPropagation, PropagatedEvent } from './deliveries/parent-propagation.ts';
export type { Retention } from './deliveries/pruner.ts';
export { isDelivered, mostAttempts, pauseAskedFor, retryDelay, retrySchedule } from './deliveries/retry-schedule.ts';
export type { Post, Sender, SendFailure, SendOutcome } from './deliveries/sender.ts';
export { shardCount, shardOf } from './deliveries/shard.ts';
export type { AcquiredShard, Beat, Membership, ShardStore, Wake } from './deliveries/shard-store.ts';
export type { Worker } from './deliveries/worker.ts';
export type { WorkerOptions } from './deliveries/worker-options.ts';
export type { Endpoint, EndpointChangeName, EndpointState, EndpointView } from './endpoints/endpoint.ts';
export type { EndpointStore, SealingKeyCount } from './endpoints/endpoint-store.ts';
export type {
  EndpointFailure,
  EndpointInput,
  Endpoints,
  EndpointUpdate,
  NewWebhookSecret,
} from './endpoints/endpoints.ts';
export type { Resealed } from './endpoints/reseal.ts';
export { dedupKey } from './events/dedup-key.ts';
export { type Envelope, envelopeText, parseEnvelope } from './events/envelope.ts';
export type { NewEvent, StampedEvent } from './events/event.ts';
export type { AppendOutcome, EventFilter, EventStore } from './events/event-store.ts';
export type { EventFailure } from './events/prepare.ts';
export {
  type EventInput,
  type Events,
  PublishError,
  type Published,
  type PublishFailure,
  type PublishOptions,
} from './events/publish.ts';
export { aheadBy, stampSecond } from './events/stamp.ts';
export type { TestEventFailure, TestEventInput } from './events/test-event.ts';
export type { Refused, RouteFailure } from './http/failure.ts';
export type { MetadataOptions } from './http/metadata.ts';
export { mountable, routeFinder } from './http/mountable.ts';
export { nodeBody } from './http/node-body.ts';
export type { AccountHandler, AccountRouteOptions } from './http/partner-routes.ts';
export type { PathParams } from './http/path.ts';
export { readRequest } from './http/read-request.ts';
export { repeatedHeaders } from './http/repeated-headers.ts';
export type {
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  IncomingRequest,
  RequestBody,
  RequestHead,
  Route,
  UnreadBody,
} from './http/route.ts';
export { type ByteStream, unreadBody } from './http/unread-body.ts';
export type { PartnerkitOptions } from './options.ts';
export { createPartnerkit, type Partnerkit } from './partnerkit.ts';
export type { Clock } from './runtime/clock.ts';
export type { InvalidCursor } from './runtime/cursor.ts';
export { firstIdAt } from './runtime/id.ts';
export { assertOptionNames } from './runtime/option-names.ts';
export { type Page, type PageRequest, pageLimit, type StoredPage } from './runtime/page.ts';
export type { Random } from './runtime/random.ts';
export { systemClock, systemRandom } from './runtime/system.ts';
export { type DurationMs, day, type EpochMs, type EpochSeconds, hour, minute, second } from './runtime/time.ts';
export type { Unavailable } from './runtime/unavailable.ts';
export type { ErrorListener, ErrorName, Observer, Signal, TracedEvent } from './signals/signal.ts';
export {
  type StandardKey,
  type StandardRequest,
  standardHeaders,
  standardKey,
  verifyStandard,
} from './signature/standard-webhooks.ts';
export {
  type SignatureFailure,
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from './signature/webhook-signature.ts';
export type { Storage, StorageCheck } from './storage.ts';
export type { AccessTokens, TokenClaims } from './tokens/access-tokens.ts';
export type { ApiLimits } from './tokens/api-limits.ts';
export type { Caller, InactiveChildren } from './tokens/caller.ts';
export type { ClientNews, News } from './tokens/client-news.ts';
export type { LoginLimits } from './tokens/grant.ts';
export type { LimitRule, RateLimiter } from './tokens/rate-limiter.ts';
