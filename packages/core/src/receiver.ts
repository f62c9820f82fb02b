/**
 * The partner's side: signatures, envelopes and deduplication, without any of the platform's code.
 * @module core/receiver
 */
export { equalInConstantTime } from './base/crypto/equal.ts';
export { assertPositiveInteger } from './base/runtime/positive-integer.ts';
export { fromUtf8 } from './base/runtime/text.ts';
export { createWakeSignal, type WakeSignal } from './base/runtime/wake-signal.ts';
export { wrongAnswer } from './base/runtime/wrong-answer.ts';
export { type Yielding, yieldingOf } from './base/runtime/yielding.ts';
export { memoryInbox } from './stores/memory/inbox.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './stores/memory/seen-keys.ts';
export type { DeadLetter, Inbox, InboxEntry, InboxStats } from './stores/receiver/inbox.ts';
export { type DedupOptions, processOnce } from './stores/receiver/process-once.ts';
export type { SeenClaim, SeenKeys } from './stores/receiver/seen-keys.ts';
export { type Envelope, parseEnvelope } from './webhooks/envelope/envelope.ts';
export { dedupKey } from './webhooks/events/dedup-key.ts';
export {
  type Addressee,
  hasEnded,
  type SchemeVerdict,
  type SignedMessage,
  type SignedRequest,
} from './webhooks/signature/signature-scheme.ts';
export {
  type StandardKey,
  type StandardRequest,
  standardHeaders,
  standardKey,
  verifyStandard,
} from './webhooks/signature/standard-webhooks.ts';
export {
  type SignatureFailure,
  type SignatureVerdict,
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from './webhooks/signature/webhook-signature.ts';
