/**
 * The partner's side: signatures, envelopes and deduplication, without any of the platform's code.
 * @module core/receiver
 */
export { equalInConstantTime } from './crypto/equal.ts';
export { type Envelope, parseEnvelope } from './envelope/envelope.ts';
export {
  defineEnvelope,
  type EnvelopeEvent,
  type ReadEnvelope,
  specificationEnvelope,
  standardWebhooksEnvelope,
  type WebhookEnvelope,
} from './envelope/webhook-envelope.ts';
export { dedupKey } from './events/dedup-key.ts';

export { memoryInbox } from './memory/inbox.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './memory/seen-keys.ts';
export type { DeadLetter, Inbox, InboxEntry, InboxStats } from './receiver/inbox.ts';
export { type DedupOptions, processOnce } from './receiver/process-once.ts';
export type { SeenClaim, SeenKeys } from './receiver/seen-keys.ts';
export { assertPositiveInteger } from './runtime/positive-integer.ts';
export { fromUtf8 } from './runtime/text.ts';
export { createWakeSignal, type WakeSignal } from './runtime/wake-signal.ts';
export type { ContentPart, PrefixPart } from './signature/content.ts';
export { type Ed25519Key, type Ed25519Options, ed25519 } from './signature/ed25519-signature.ts';
export { type HmacOptions, hmac } from './signature/hmac-signature.ts';
export {
  hasEnded,
  type SignatureOptions,
  type SignatureScheme,
  type SignatureVerdict,
  type SignedMessage,
  type SignedRequest,
} from './signature/signature-scheme.ts';
export { specificationSignature } from './signature/specification-signature.ts';
export { type StandardWebhooksOptions, standardWebhooks } from './signature/standard-signature.ts';
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
