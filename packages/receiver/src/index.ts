/**
 * Receives webhooks: verifies, deduplicates and processes them.
 * @module receiver
 */
export type {
  DurationMs,
  EpochMs,
  EpochSeconds,
  EventPairs,
  EventType,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  ObjectName,
  RequestBody,
  Route,
  SpecifiedPairs,
} from '@partnerkit/core';
export {
  type Clock,
  type DeadLetter,
  type DedupOptions,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type LatestTimestamps,
  processOnce,
  type SeenClaim,
  type SeenKeys,
  type StoredInbox,
  type StoredSeenKeys,
} from '@partnerkit/core/adapter';
export { type MemorySeenKeysOptions, memoryInbox, memorySeenKeys } from '@partnerkit/core/memory';
export {
  type ContentPart,
  dedupKey,
  defineEnvelope,
  type Ed25519Key,
  type Ed25519Options,
  type Envelope,
  type EnvelopeEvent,
  ed25519,
  type HmacOptions,
  hmac,
  type PrefixPart,
  parseEnvelope,
  type ReadEnvelope,
  type SignatureFailure,
  type SignatureOptions,
  type SignatureScheme,
  type SignatureVerdict,
  type SigningKey,
  type StandardKey,
  type StandardRequest,
  type StandardWebhooksOptions,
  signatureHeader,
  signBody,
  signingKey,
  specificationEnvelope,
  specificationSignature,
  standardKey,
  standardWebhooks,
  standardWebhooksEnvelope,
  verifySignature,
  verifyStandard,
  type WebhookEnvelope,
} from '@partnerkit/core/wire';
export type { ReceiverProfile } from './check-signature.ts';
export {
  createReceiver,
  type EnqueueOptions,
  type ProcessOptions,
  type Receiver,
  type ReceiverOptions,
  type VerifyOptions,
} from './create-receiver.ts';
export type { Processing } from './find-work.ts';
export type {
  DataOf,
  EventTypesOf,
  Handler,
  HandlerNames,
  Handlers,
  ObjectHandlers,
  Received,
  Schemas,
  UnknownData,
} from './handlers.ts';
export {
  createInboxWorker,
  type InboxError,
  type InboxWorker,
  type InboxWorkerOptions,
} from './inbox-worker.ts';
export type { EventOrder, MarkArguments, MarkIn } from './latest.ts';
export type { SchemaOutput, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
