/**
 * Receives webhooks: verifies, deduplicates and processes them.
 * @module receiver
 */
export type { EventPairs, EventType, ObjectName, SpecifiedPairs } from '@partnerkit/core';
export type { HttpHeaders, HttpRequest, HttpResponse, RequestBody, Route } from '@partnerkit/core/http';
export {
  type DeadLetter,
  type DedupOptions,
  dedupKey,
  type Envelope,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type MemorySeenKeysOptions,
  memoryInbox,
  memorySeenKeys,
  parseEnvelope,
  processOnce,
  type SeenClaim,
  type SeenKeys,
  type SignatureFailure,
  type SignatureVerdict,
  type SigningKey,
  type StandardKey,
  type StandardRequest,
  signatureHeader,
  signBody,
  signingKey,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';
export type { Clock, DurationMs, EpochMs, EpochSeconds } from '@partnerkit/core/time';
export {
  type ContentPart,
  defineEnvelope,
  type Ed25519Key,
  type Ed25519Options,
  type EnvelopeEvent,
  ed25519,
  type HmacOptions,
  hmac,
  type PrefixPart,
  type ReadEnvelope,
  type SignatureOptions,
  type SignatureScheme,
  type StandardWebhooksOptions,
  specificationEnvelope,
  specificationSignature,
  standardWebhooks,
  standardWebhooksEnvelope,
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
export { createInboxWorker, type InboxError, type InboxWorker, type InboxWorkerOptions } from './inbox-worker.ts';
export type { SchemaOutput, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
