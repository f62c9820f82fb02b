/**
 * Ports and their types, for authors of storage, token, sender and limiter adapters.
 * @module core/ports
 */
export { canAccess, type EnvironmentReach } from './accounts/reach.ts';
export type { CatalogueEntry } from './catalogue/catalogue.ts';
export type { DefinitionOf, ObjectShape, PayloadSchema } from './catalogue/define-object.ts';
export type { LeafPath } from './catalogue/leaf-path.ts';
export type { CatalogueInput, EventTypeInfo, PairsOf } from './catalogue/pairs.ts';
export type { Client, ClientSecret, LoginRefusal, RefusedLogin } from './clients/client.ts';
export type { ClientChangeFeed, ClientChanges } from './clients/client-change-feed.ts';
export type { ClientStore } from './clients/client-store.ts';
export type { Sealed } from './crypto/seal.ts';
export { type DeliveryKey, deliveryIdOf, parseDeliveryId } from './deliveries/delivery-id.ts';
export type {
  AnnouncedDispatch,
  AnnouncedEvent,
  DeliveryStore,
  DispatchableEvent,
  EventDispatch,
  HealthTransition,
  HealthWrite,
  LoggedAttempt,
  OutboxEvent,
  OwnedEndpoint,
  PendingChange,
  PendingDelivery,
  QueueRead,
  Settlement,
  SettleOutcome,
  ShardedKey,
  ShardRange,
  StoredHealth,
  StoreState,
} from './deliveries/delivery-store.ts';
export type { ParentPropagation, PropagatedEvent } from './deliveries/parent-propagation.ts';
export type { DeliveryRequest, Sender, SendOutcome } from './deliveries/sender.ts';
export { breakerPauses, disableAfter, failuresToOpen } from './delivery-rules/breaker.ts';
export {
  isDelivered,
  maxAttempts,
  retryAfterPause,
  retryDelay,
  retrySchedule,
} from './delivery-rules/retry-policy.ts';
export { aheadByMs, nextTimestamp } from './delivery-rules/timestamp.ts';
export type { DisabledBy, Endpoint } from './endpoints/endpoint.ts';
export type {
  EndpointStore,
  ProfileCount,
  SealingKeyCount,
  StoredSealingKeyCount,
} from './endpoints/endpoint-store.ts';
export type { ResealOutcome } from './endpoints/reseal.ts';
export { envelopeText } from './envelope/envelope.ts';
export type { DispatchedEvent, ListedEvent, NewEvent } from './events/event.ts';
export type { AppendOutcome, EventStore } from './events/event-store.ts';
export type { PathParams } from './http/path.ts';
export type {
  DeliveryLog,
  PruneLimits,
  PruneOutcome,
  ReplayOutcome,
  ReplaySelection,
  SendAgainOutcome,
} from './log/delivery-log.ts';
export type { ExplainedDelivery } from './log/explain.ts';
export type {
  DeliveryFact,
  EndpointSnapshot,
  ExpiryReason,
  ExplainSnapshot,
} from './log/explain-snapshot.ts';
export type {
  AnswerDurations,
  AttemptBucket,
  FailureCounts,
  LastAttempt,
  OutcomeCounts,
  StoredStatistics,
} from './log/statistics.ts';
export { pageLimit, type StoredPage } from './pagination/page.ts';
export { closestWord } from './runtime/did-you-mean.ts';
export { firstIdAt } from './runtime/id.ts';
export { assertOptionNames } from './runtime/option-names.ts';
export type { Random } from './runtime/random.ts';
export { systemRandom } from './runtime/system.ts';
export { untilAborted } from './runtime/until-aborted.ts';
export { shardCount, shardOf } from './shards/shard.ts';
export type {
  AcquiredShard,
  HeartbeatInput,
  ShardStore,
  ShardWake,
  WorkerMembership,
  WorkerRecord,
} from './shards/shard-store.ts';
export type { ClientChangeName, EndpointChangeName } from './signals/change-names.ts';
export type { ErrorName } from './signals/error-name.ts';
export { type EndpointHealthChange, type HealthChange, maxCounted } from './signals/health-change.ts';
export { failureKinds, type OutcomeCode, type SendFailure } from './signals/send-failure.ts';
export type { TracedEvent } from './signals/signal.ts';
export { type WrittenRequest, writeRequest } from './signature/write-request.ts';
export { noTransaction } from './storage/no-transaction.ts';
export type { Storage, StorageCheck } from './storage/storage.ts';
export type { AccessTokens, TokenClaims } from './tokens/access-tokens.ts';
export type { LimitRule, RateLimiter } from './tokens/rate-limiter.ts';
export type { TransactionOptions, Transactions } from './transactions/transactions.ts';
