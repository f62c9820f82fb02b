/**
 * Ports and their types, for authors of storage, token, sender and limiter adapters.
 * @module core/ports
 */

export type { Client, ClientSecret, LoginRefusal, RefusedLogin } from './access/clients/client.ts';
export type { ClientChangeFeed, ClientChanges } from './access/clients/client-change-feed.ts';
export type { ClientStore } from './access/clients/client-store.ts';
export type { AccessTokens, TokenClaims } from './access/tokens/access-tokens.ts';
export type { LimitRule, RateLimiter } from './access/tokens/rate-limiter.ts';
export type { TokenIssuer, TokenKeys } from './access/tokens/token-keys.ts';
export { canAccess, type EnvironmentReach } from './base/accounts/reach.ts';
export type { P256Jwk } from './base/crypto/p256.ts';
export type { Sealed } from './base/crypto/seal.ts';
export type { PathParams } from './base/http/path.ts';
export { pageLimit, type StoredPage } from './base/pagination/page.ts';
export { closestWord } from './base/runtime/did-you-mean.ts';
export { firstIdAt } from './base/runtime/id.ts';
export { assertOptionNames } from './base/runtime/option-names.ts';
export type { Random } from './base/runtime/random.ts';
export { systemRandom } from './base/runtime/system.ts';
export { untilAborted } from './base/runtime/until-aborted.ts';
export type { ClientChangeName, EndpointChangeName } from './base/signals/change-names.ts';
export type { ErrorName } from './base/signals/error-name.ts';
export { type EndpointHealthChange, type HealthChange, maxCounted } from './base/signals/health-change.ts';
export { failureKinds, type OutcomeCode, type SendFailure } from './base/signals/send-failure.ts';
export type { TracedEvent } from './base/signals/signal.ts';
export type { TransactionOptions, Transactions } from './base/transactions/transactions.ts';
export { noTransaction } from './stores/storage/no-transaction.ts';
export type { SecretIdStore } from './stores/storage/secret-id-store.ts';
export type { Storage, StorageCheck } from './stores/storage/storage.ts';
export type { EventContent, ObjectShape, PayloadSchema } from './webhooks/catalogue/define-object.ts';
export type { CatalogueEntry } from './webhooks/catalogue/entries.ts';
export type { LeafPath } from './webhooks/catalogue/leaf-path.ts';
export type { EventTypeInfo } from './webhooks/catalogue/pairs.ts';
export { type DeliveryKey, deliveryIdOf, parseDeliveryId } from './webhooks/deliveries/delivery-id.ts';
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
} from './webhooks/deliveries/delivery-store.ts';
export type { ParentPropagation, PropagatedEvent } from './webhooks/deliveries/parent-propagation.ts';
export type { DeliveryRequest, Sender, SendOutcome } from './webhooks/deliveries/sender.ts';
export { breakerPauses, disableAfter, failuresToOpen } from './webhooks/delivery-rules/breaker.ts';
export {
  isDelivered,
  maxAttempts,
  retryAfterPause,
  retryDelay,
  retrySchedule,
} from './webhooks/delivery-rules/retry-policy.ts';
export { aheadByMs, nextTimestamp } from './webhooks/delivery-rules/timestamp.ts';
export type { DisabledBy, Endpoint } from './webhooks/endpoints/endpoint.ts';
export type {
  EndpointStore,
  ProfileCount,
  SealingKeyCount,
  StoredSealingKeyCount,
} from './webhooks/endpoints/endpoint-store.ts';
export type { ResealOutcome } from './webhooks/endpoints/reseal.ts';
export { envelopeText } from './webhooks/envelope/envelope.ts';
export type { DispatchedEvent, ListedEvent, NewEvent } from './webhooks/events/event.ts';
export type { AppendOutcome, EventStore } from './webhooks/events/event-store.ts';
export type {
  DeliveryLog,
  PruneLimits,
  PruneOutcome,
  ReplayOutcome,
  ReplaySelection,
  SendAgainOutcome,
} from './webhooks/log/delivery-log.ts';
export type { ExplainedDelivery } from './webhooks/log/explain.ts';
export type {
  DeliveryFact,
  EndpointSnapshot,
  ExpiryReason,
  ExplainSnapshot,
} from './webhooks/log/explain-snapshot.ts';
export type {
  AnswerDurations,
  AttemptBucket,
  FailureCounts,
  LastAttempt,
  OutcomeCounts,
  StoredStatistics,
} from './webhooks/log/statistics.ts';
export { objectHash } from './webhooks/shards/object-hash.ts';
export { shardCount, shardOf } from './webhooks/shards/shard.ts';
export type {
  AcquiredShard,
  HeartbeatInput,
  ShardStore,
  ShardWake,
  WorkerMembership,
  WorkerRecord,
} from './webhooks/shards/shard-store.ts';
export { type WrittenRequest, writeRequest } from './webhooks/signature/write-request.ts';
