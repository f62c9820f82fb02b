/**
 * Receives webhooks: verifies, deduplicates and processes them.
 * @module receiver
 */
export type { EventPairs, EventType, ObjectName, SpecifiedPairs } from '@partnerkit/core';
export type { HttpHeaders, HttpRequest, HttpResponse, RequestBody, Route } from '@partnerkit/core/http';
export {
  type ContentPart,
  type DeadLetter,
  type DedupOptions,
  dedupKey,
  defineEnvelope,
  type Ed25519Key,
  type Ed25519Options,
  type Envelope,
  type EnvelopeEvent,
  ed25519,
  type HmacOptions,
  hmac,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type MemorySeenKeysOptions,
  memoryInbox,
  memorySeenKeys,
  type PrefixPart,
  parseEnvelope,
  processOnce,
  type ReadEnvelope,
  type SeenClaim,
  type SeenKeys,
  type SignatureFailure,
  type SignatureOptions,
  type SignatureScheme,
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
} from '@partnerkit/core/receiver';
export type { Clock, DurationMs, EpochMs, EpochSeconds } from '@partnerkit/core/time';
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
export type { DataOf, EventTypesOf, Handler, Handlers, Received, Schemas, UnknownData } from './handlers.ts';
export { createInboxWorker, type InboxError, type InboxWorker, type InboxWorkerOptions } from './inbox-worker.ts';
export type { SchemaOutput, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
