/**
 * The partner's side: verify, deduplicate and dispatch webhooks.
 * @module
 */
export {
  dedupKey,
  type Envelope,
  memorySeenKeys,
  parseEnvelope,
  processOnce,
  type SeenKeys,
  type SigningKey,
  type StandardKey,
  signBody,
  signingKey,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';
export { createReceiver, type Receiver, type ReceiverOptions } from './create-receiver.ts';
export type { DataOf, Handler, Handlers, Received, Schemas, UnknownData } from './handlers.ts';
export type { SchemaOutput, StandardResult, StandardSchema } from './standard-schema.ts';
