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
  memorySeenKeys,
  type ObjectName,
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
export { createReceiver, type Receiver, type ReceiverOptions } from './create-receiver.ts';
export type { DataOf, Handler, Handlers, Received, Schemas, UnknownData } from './handlers.ts';
export type { SchemaOutput, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
