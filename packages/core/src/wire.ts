/**
 * What a webhook looks like on the wire: envelopes and signatures as values, for the platform and for the partner.
 * @module core/wire
 */

export type { DigestEncoding, HmacAlgorithm } from './base/crypto/hmac.ts';
export {
  defineEnvelope,
  type EnvelopeEvent,
  type ReadEnvelope,
  specificationEnvelope,
  standardWebhooksEnvelope,
  type WebhookEnvelope,
} from './webhooks/envelope/webhook-envelope.ts';
export type { ContentPart, PrefixPart } from './webhooks/signature/content.ts';
export { type Ed25519Key, type Ed25519Options, ed25519 } from './webhooks/signature/ed25519-signature.ts';
export { type HmacOptions, hmac } from './webhooks/signature/hmac-signature.ts';
export type { SignatureOptions, SignatureScheme } from './webhooks/signature/signature-scheme.ts';
export { specificationSignature } from './webhooks/signature/specification-signature.ts';
export { type StandardWebhooksOptions, standardWebhooks } from './webhooks/signature/standard-signature.ts';
export type { HeaderPart, WireProfile } from './webhooks/signature/wire-profile.ts';
