/**
 * What the partner's side needs of core, without any of the platform's: signatures, envelopes, deduplication, routes.
 * @module
 */
export type { EventType, ObjectName } from './catalogue/catalogue.ts';
export { equalInConstantTime } from './crypto/equal.ts';
export type { Inbox, InboxEntry, InboxView, ParkedEntry } from './dedup/inbox.ts';
export { type DedupTimes, processOnce } from './dedup/process-once.ts';
export type { SeenClaim, SeenKeys } from './dedup/seen-keys.ts';
export { dedupKey } from './events/dedup-key.ts';
export { type Envelope, parseEnvelope } from './events/envelope.ts';
export { problemResponse } from './http/problem.ts';
export { readRequest } from './http/read-request.ts';
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
export { memoryInbox } from './memory/inbox.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './memory/seen-keys.ts';
export { type Bell, createBell } from './runtime/bell.ts';
export type { Clock } from './runtime/clock.ts';
export { systemClock } from './runtime/system.ts';
export { fromUtf8 } from './runtime/text.ts';
export { type DurationMs, day, type EpochMs, type EpochSeconds, hour, minute, second } from './runtime/time.ts';
export { type StandardKey, type StandardRequest, standardKey, verifyStandard } from './signature/standard-webhooks.ts';
export {
  type SignatureFailure,
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from './signature/webhook-signature.ts';
