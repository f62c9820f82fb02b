/**
 * What a webhook looks like on the wire: envelopes and signatures as values, for the platform and for the partner.
 * @module core/wire
 */

export type { DigestEncoding, HmacAlgorithm } from './crypto/hmac.ts';
export {
  defineEnvelope,
  type EnvelopeEvent,
  type ReadEnvelope,
  specificationEnvelope,
  standardWebhooksEnvelope,
  type WebhookEnvelope,
} from './envelope/webhook-envelope.ts';
export type { ContentPart, PrefixPart } from './signature/content.ts';
export { type Ed25519Key, type Ed25519Options, ed25519 } from './signature/ed25519-signature.ts';
export { type HmacOptions, hmac } from './signature/hmac-signature.ts';
export type { SignatureOptions, SignatureScheme } from './signature/signature-scheme.ts';
export { specificationSignature } from './signature/specification-signature.ts';
export { type StandardWebhooksOptions, standardWebhooks } from './signature/standard-signature.ts';
export type { HeaderPart, WireProfile } from './signature/wire-profile.ts';
