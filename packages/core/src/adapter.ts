/**
 * For authors of adapters: the ports and their types, storage over rows, and routes without a framework. Without zod.
 *
 * What is marked as internal is for the packages of partnerkit, in the same version.
 * @module core/adapter
 */

export type { Client, ClientSecret, LoginRefusal, RefusedLogin } from './access/clients/client.ts';
export type { ClientChangeFeed, ClientChanges } from './access/clients/client-change-feed.ts';
export type { ClientStore } from './access/clients/client-store.ts';
export type { UsageDay } from './access/clients/client-usage.ts';
export type { AccessTokens, TokenClaims } from './access/tokens/access-tokens.ts';
export type { LimitRule, RateLimiter } from './access/tokens/rate-limiter.ts';
export type { TokenIssuer } from './access/tokens/token-keys.ts';
export { codes } from './api/operations/codes.ts';
export { problemResponse } from './api/operations/problem.ts';
export { canAccess } from './base/accounts/reach.ts';
export type { AlertStore } from './base/alerts/alert-store.ts';
export type { AuditEntry, NewAuditEntry } from './base/audit/audit-entry.ts';
export type { AuditChain, AuditStore, ChainPlace, LinkedEntry } from './base/audit/audit-store.ts';
export { equalInConstantTime } from './base/crypto/equal.ts';
export type { P256Jwk } from './base/crypto/p256.ts';
export type { AssertionAlgorithm, PublicJwk } from './base/crypto/public-jwk.ts';
export { type Sealed, sealingKeyId } from './base/crypto/seal.ts';
export { matchesIfNoneMatch } from './base/http/entity-tag.ts';
export { mountRoutes, routeFinder } from './base/http/mount-routes.ts';
export { nodeBody } from './base/http/node-body.ts';
export { pathSegment } from './base/http/path-segment.ts';
export { readRequest } from './base/http/read-request.ts';
export { repeatedHeaders } from './base/http/repeated-headers.ts';
export type { IncomingRequest, UnreadBody } from './base/http/route.ts';
export { type ByteStream, unreadBody } from './base/http/unread-body.ts';
export { pageLimit, type StoredPage } from './base/pagination/page.ts';
export type { Clock } from './base/runtime/clock.ts';
export { closestWord } from './base/runtime/did-you-mean.ts';
export { firstIdAt } from './base/runtime/id.ts';
export { assertOptionNames, type OptionKind } from './base/runtime/option-names.ts';
export {
  assertOptions,
  type OptionProblem,
  type OptionRule,
  type OptionRules,
  optionRules,
  type RequiredMethods,
} from './base/runtime/option-rules.ts';
export { assertPositiveInteger } from './base/runtime/positive-integer.ts';
export type { Random } from './base/runtime/random.ts';
export { systemClock, systemRandom } from './base/runtime/system.ts';
export { fromUtf8 } from './base/runtime/text.ts';
export { untilAborted } from './base/runtime/until-aborted.ts';
export { createWakeSignal } from './base/runtime/wake-signal.ts';
export { wrongAnswer } from './base/runtime/wrong-answer.ts';
export { type Yielding, yieldingOf } from './base/runtime/yielding.ts';
export { maxCounted } from './base/signals/health-change.ts';
export { failureKinds, type OutcomeCode, type SendFailure } from './base/signals/send-failure.ts';
export type { TransactionOptions, Transactions } from './base/transactions/transactions.ts';
export { type PartnerSettings, partnerSettingsOf } from './kit/partner-settings.ts';
export type { ClaimedCommand, DueAccount, DueChange, DueCommandKey, DueStore } from './requests/stores/due-store.ts';
export type { IdempotencyKey, IdempotencyStore, StoredResponse } from './requests/stores/idempotency-store.ts';
export type { ReferenceKey, ReferenceStore } from './requests/stores/references.ts';
export type { RequestRecordStores, RequestStore, RequestStores } from './requests/stores/stores.ts';
export type {
  StoredTransaction,
  TransactionObject,
  TransactionStore,
  TransactionTotal,
} from './requests/stores/transaction-store.ts';
export type { DeadLetter, Inbox, InboxEntry, InboxStats, StoredInbox } from './stores/receiver/inbox.ts';
export type { LatestTimestamps } from './stores/receiver/latest-timestamps.ts';
export { type DedupOptions, processOnce } from './stores/receiver/process-once.ts';
export type { SeenClaim, SeenKeys, StoredSeenKeys } from './stores/receiver/seen-keys.ts';
export { type AppendedRows, appendedRows } from './stores/rows/events/append.ts';
export { groupRanges } from './stores/rows/port/group-ranges.ts';
export { done, later, perform, performNow, stepsOf } from './stores/rows/port/plan.ts';
export { type Repetition, repeatConflicts } from './stores/rows/port/repeat-conflicts.ts';
export type { Lock, Plan, RowStore, RowTx, RunMode, ScanOptions, Step } from './stores/rows/port/row-store.ts';
export {
  type AnyRange,
  type Condition,
  conditionOf,
  type Dialect,
  ddlOf,
  orderOf,
  quoted,
} from './stores/rows/port/sql.ts';
export type { FirstRows, ReportColumns, ReportRow, SqlReports } from './stores/rows/port/sql-reports.ts';
export {
  type Column,
  column,
  type IndexOf,
  type KeyOf,
  type NewRowOf,
  type RangeOf,
  type RowOf,
  type Table,
  type TableIndex,
  table,
} from './stores/rows/port/table.ts';
export { createTurns } from './stores/rows/port/turns.ts';
export { rowInbox } from './stores/rows/receiver/inbox.ts';
export { rowSeenKeys } from './stores/rows/receiver/seen-keys.ts';
export { rowStorage, type StorageOverrides } from './stores/rows/storage.ts';
export { rowTables } from './stores/rows/tables/index.ts';
export { noTransaction } from './stores/storage/no-transaction.ts';
export type { SecretIdStore } from './stores/storage/secret-id-store.ts';
export type { Storage, StorageCheck } from './stores/storage/storage.ts';
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
export type {
  ClaimedDelivery,
  HandlerAttempt,
  HandlerDelivery,
  HandlerDeliveryKey,
  HandlerOutcome,
  HandlerRegistration,
  HandlerSettlement,
  HandlerStatus,
  HandlerStore,
  RegisteredHandler,
} from './webhooks/deliveries/handler-store.ts';
export { operationalEvent } from './webhooks/deliveries/operational-event.ts';
export type { ParentPropagation, PropagatedEvent } from './webhooks/deliveries/parent-propagation.ts';
export type { DeliveryRequest, Sender, SendOutcome } from './webhooks/deliveries/sender.ts';
export { disableAfter, failuresToOpen } from './webhooks/delivery-rules/breaker.ts';
export { maxAttempts, retrySchedule } from './webhooks/delivery-rules/retry-policy.ts';
export { nextTimestamp } from './webhooks/delivery-rules/timestamp.ts';
export type { DisabledBy, Endpoint } from './webhooks/endpoints/endpoint.ts';
export type {
  EndpointStore,
  ProfileCount,
  SealingKeyCount,
  StoredSealingKeyCount,
} from './webhooks/endpoints/endpoint-store.ts';
export { envelopeText } from './webhooks/envelope/envelope.ts';
export type { DispatchedEvent, ListedEvent, NewEvent } from './webhooks/events/event.ts';
export type { AppendOutcome, EventStore } from './webhooks/events/event-store.ts';
export type { FeedKey, FeedPart, FeedPlace, FeedProgress, FeedRead, FeedStore } from './webhooks/feeds/feed-store.ts';
export type {
  DeliveryLog,
  EndpointPlace,
  FailedHour,
  FailedHourKey,
  FailingEndpoint,
  PruneLimits,
  PruneOutcome,
  ReplayOutcome,
  ReplaySelection,
  SendAgainOutcome,
} from './webhooks/log/delivery-log.ts';
export type { DeliveryFact, EndpointSnapshot, ExpiryReason, ExplainSnapshot } from './webhooks/log/explain-snapshot.ts';
export { type HealthSnapshot, maxCountedOfEndpoint, maxTroubled } from './webhooks/log/health-snapshot.ts';
export type {
  AnswerDurations,
  AttemptBucket,
  FailureCounts,
  LastAttempt,
  OutcomeCounts,
  StoredStatistics,
} from './webhooks/log/statistics.ts';
export type { SendingPause, SendingScope, SendingStore } from './webhooks/sending/sending-store.ts';
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
export { createWakes, type StoreWake, type Wakes } from './webhooks/shards/wakes.ts';
export { specificationSnippets, verifySnippetsOf } from './webhooks/signature/snippets/verify-snippets.ts';
