/**
 * What a webhook looks like on the wire: envelopes and signatures as values, for the platform and for the partner.
 * @module core/wire
 */

export type { DigestEncoding, HmacAlgorithm } from './base/crypto/hmac.ts';
export { type Envelope, parseEnvelope } from './webhooks/envelope/envelope.ts';
export {
  defineEnvelope,
  type EnvelopeEvent,
  type ReadEnvelope,
  specificationEnvelope,
  standardWebhooksEnvelope,
  type WebhookEnvelope,
} from './webhooks/envelope/webhook-envelope.ts';
export { dedupKey } from './webhooks/events/dedup-key.ts';
export type { ContentPart, PrefixPart } from './webhooks/signature/content.ts';
export { type Ed25519Key, type Ed25519Options, ed25519 } from './webhooks/signature/ed25519-signature.ts';
export { type HmacOptions, hmac } from './webhooks/signature/hmac-signature.ts';
export {
  type Addressee,
  hasEnded,
  type SchemeVerdict,
  type SignatureOptions,
  type SignatureScheme,
  type SignedMessage,
  type SignedRequest,
} from './webhooks/signature/signature-scheme.ts';
export { specificationSignature } from './webhooks/signature/specification-signature.ts';
export { type StandardWebhooksOptions, standardWebhooks } from './webhooks/signature/standard-signature.ts';
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
export type { HeaderPart, WireProfile } from './webhooks/signature/wire-profile.ts';
export { type WrittenRequest, writeRequest } from './webhooks/signature/write-request.ts';
