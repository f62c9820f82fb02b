/**
 * What the partner's side needs of core, without any of the platform's: signatures, envelopes, deduplication, routes.
 * @module
 */
export type { EventType, ObjectName } from './catalogue/catalogue.ts';
export { equalInConstantTime } from './crypto/equal.ts';
export { type DedupTimes, processOnce } from './dedup/process-once.ts';
export type { SeenClaim, SeenKeys } from './dedup/seen-keys.ts';
export { dedupKey } from './events/dedup-key.ts';
export { type Envelope, parseEnvelope } from './events/envelope.ts';
export { problemResponse } from './http/problem.ts';
export {
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type RequestBody,
  type Route,
  singleHeader,
} from './http/route.ts';
export { memorySeenKeys } from './memory/seen-keys.ts';
export type { Clock } from './runtime/clock.ts';
export { systemClock } from './runtime/system.ts';
export { fromUtf8 } from './runtime/text.ts';
export type { DurationMs, EpochMs, EpochSeconds } from './runtime/time.ts';
export { type StandardKey, type StandardRequest, standardKey, verifyStandard } from './signature/standard-webhooks.ts';
export {
  type SignatureFailure,
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from './signature/webhook-signature.ts';
