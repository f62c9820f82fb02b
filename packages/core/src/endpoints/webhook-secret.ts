import type { Sealed, Sealer } from '../crypto/seal.ts';
import { toBase64 } from '../runtime/base64.ts';
import type { Random } from '../runtime/random.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * A new webhook secret: `whsec_` and 192 random bits in Base64, the form of Standard Webhooks, so that both kinds of
 * signature use one secret.
 * @internal
 */
export const mintWebhookSecret = (random: Random): string => `whsec_${toBase64(random.bytes(24))}`;

type Owner = Pick<Endpoint, 'accountId' | 'id'>;

/** Seals and opens what belongs to an endpoint: bound to account, endpoint and field. @internal */
export const endpointSealer = (sealer: Sealer) => {
  const context = (owner: Owner, field: 'secret' | 'api-key') => [owner.accountId, owner.id, field];
  return {
    sealSecret: (owner: Owner, clear: string): Sealed => sealer.seal(clear, context(owner, 'secret')),
    openSecret: (owner: Owner, sealed: Sealed): string => sealer.open(sealed, context(owner, 'secret')),
    sealApiKey: (owner: Owner, clear: string): Sealed => sealer.seal(clear, context(owner, 'api-key')),
    openApiKey: (owner: Owner, sealed: Sealed): string => sealer.open(sealed, context(owner, 'api-key')),
  };
};

/** @internal */
export type EndpointSealer = ReturnType<typeof endpointSealer>;
