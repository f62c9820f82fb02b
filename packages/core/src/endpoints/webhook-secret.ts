import { type Sealed, type Sealer, sealingKeyId } from '../crypto/seal.ts';
import { toBase64 } from '../runtime/base64.ts';
import type { Random } from '../runtime/random.ts';
import type { Endpoint } from './endpoint.ts';
import { originOf } from './origin.ts';

/**
 * A new webhook secret: `whsec_` and 192 random bits in Base64, the form of Standard Webhooks, so that both kinds of
 * signature use one secret.
 * @internal
 */
export const mintWebhookSecret = (random: Random): string => `whsec_${toBase64(random.bytes(24))}`;

interface ApiKey<Value extends string> {
  readonly header: string;
  readonly value: Value;
}

type Owner = Pick<Endpoint, 'accountId' | 'id'>;

/** An endpoint and the URL that its API key is sent to. */
type Destination = Pick<Endpoint, 'accountId' | 'id' | 'url'>;

/**
 * Seals and opens what belongs to an endpoint: bound to account, endpoint and field. An API key is bound to the origin of the URL and to
 * the name of its header too: whoever can write the database cannot have it sent elsewhere.
 * @internal
 */
export const endpointSealer = (sealer: Sealer) => {
  const secretContext = ({ accountId, id }: Owner) => [accountId, id, 'secret'];
  const apiKeyContext = ({ accountId, id, url }: Destination, header: string) => [
    accountId,
    id,
    'api-key',
    originOf(url),
    header.toLowerCase(),
  ];
  const { activeKeyId } = sealer;
  const again = (sealed: Sealed, context: readonly string[]): Sealed =>
    sealingKeyId(sealed) === activeKeyId ? sealed : sealer.seal(sealer.open(sealed, context), context);
  return {
    /** Whether the active key sealed all of it. */
    isCurrent: ({ secret, nextSecret, apiKey }: Endpoint): boolean =>
      [secret, nextSecret, apiKey?.value].every(
        (sealed) => sealed === undefined || sealingKeyId(sealed) === activeKeyId,
      ),
    /** Seals with the active key what another one sealed. @throws Error when one of the values does not open where it is. */
    reseal: (endpoint: Endpoint): Endpoint => {
      const { nextSecret, apiKey } = endpoint;
      return {
        ...endpoint,
        secret: again(endpoint.secret, secretContext(endpoint)),
        ...(nextSecret === undefined ? {} : { nextSecret: again(nextSecret, secretContext(endpoint)) }),
        ...(apiKey
          ? { apiKey: { ...apiKey, value: again(apiKey.value, apiKeyContext(endpoint, apiKey.header)) } }
          : {}),
      };
    },
    sealSecret: (owner: Owner, clear: string): Sealed => sealer.seal(clear, secretContext(owner)),
    openSecret: (owner: Owner, sealed: Sealed): string => sealer.open(sealed, secretContext(owner)),
    sealApiKey: (to: Destination, { header, value }: ApiKey<string>): Sealed =>
      sealer.seal(value, apiKeyContext(to, header)),
    openApiKey: (to: Destination, { header, value }: ApiKey<Sealed>): string =>
      sealer.open(value, apiKeyContext(to, header)),
  };
};

/** @internal */
export type EndpointSealer = ReturnType<typeof endpointSealer>;
