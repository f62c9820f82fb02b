/**
 * The partner's side: verify, deduplicate and dispatch webhooks.
 * @module
 */
export {
  type Clock,
  type DedupTimes,
  type DurationMs,
  dedupKey,
  type Envelope,
  type EpochMs,
  type EpochSeconds,
  type EventType,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type Inbox,
  type InboxEntry,
  type InboxView,
  type MemorySeenKeysOptions,
  memoryInbox,
  memorySeenKeys,
  type ObjectName,
  type ParkedEntry,
  parseEnvelope,
  processOnce,
  type RequestBody,
  type Route,
  type SeenClaim,
  type SeenKeys,
  type SignatureFailure,
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
export {
  createReceiver,
  type KeepingOptions,
  type ProcessingOptions,
  type Receiver,
  type ReceiverOptions,
  type VerifyingOptions,
} from './create-receiver.ts';
export type { DataOf, Handler, Handlers, Received, Schemas, UnknownData } from './handlers.ts';
export { createInboxWorker, type InboxTrouble, type InboxWorker, type InboxWorkerOptions } from './inbox-worker.ts';
export type { SchemaOutput, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
export type { Processing } from './work.ts';
