/**
 * The partner's side: signatures, envelopes and deduplication, without any of the platform's code.
 * @module core/receiver
 */
export { equalInConstantTime } from './crypto/equal.ts';
export { type Envelope, parseEnvelope } from './envelope/envelope.ts';
export { dedupKey } from './events/dedup-key.ts';

export { memoryInbox } from './memory/inbox.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './memory/seen-keys.ts';
export type { DeadLetter, Inbox, InboxEntry, InboxStats } from './receiver/inbox.ts';
export { type DedupOptions, processOnce } from './receiver/process-once.ts';
export type { SeenClaim, SeenKeys } from './receiver/seen-keys.ts';
export { assertPositiveInteger } from './runtime/positive-integer.ts';
export { fromUtf8 } from './runtime/text.ts';
export { createWakeSignal, type WakeSignal } from './runtime/wake-signal.ts';
export { type Yielding, yieldingOf } from './runtime/yielding.ts';
export {
  type Addressee,
  hasEnded,
  type SignatureVerdict,
  type SignedMessage,
  type SignedRequest,
} from './signature/signature-scheme.ts';
export {
  type StandardKey,
  type StandardRequest,
  standardHeaders,
  standardKey,
  verifyStandard,
} from './signature/standard-webhooks.ts';
export {
  type SignatureFailure,
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from './signature/webhook-signature.ts';
