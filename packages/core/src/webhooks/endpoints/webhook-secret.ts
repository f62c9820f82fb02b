import { type Sealed, type Sealer, sealingKeyId } from '../../base/crypto/seal.ts';
import { toBase64 } from '../../base/runtime/base64.ts';
import type { Random } from '../../base/runtime/random.ts';
import type { Endpoint } from './endpoint.ts';
import { originOf } from './origin.ts';

/**
 * A new webhook secret: `whsec_` and 192 random bits in Base64, as in Standard Webhooks. Both kinds of signature use
 * it.
 */
export const mintWebhookSecret = (random: Random): string => `whsec_${toBase64(random.bytes(24))}`;

export interface DeliveryHeader<Value extends string> {
  readonly name: string;
  readonly value: Value;
}

type Owner = Pick<Endpoint, 'accountId' | 'id'>;

/** An endpoint and the URL that receives its API key. */
type Destination = Owner & { readonly url?: string | undefined };

/**
 * Seals and opens the values of an endpoint, bound to account, endpoint and field. An API key is also bound to URL
 * origin and header name: write access to the database does not allow sending it elsewhere.
 */
export const endpointSealer = (sealer: Sealer) => {
  const secretContext = ({ accountId, id }: Owner) => [accountId, id, 'secret'];
  const deliveryHeaderContext = ({ accountId, id, url }: Destination, name: string) => [
    accountId,
    id,
    'delivery-header',
    originOf(url),
    name.toLowerCase(),
  ];
  const { activeKeyId } = sealer;
  const again = (sealed: Sealed, context: readonly string[]): Sealed =>
    sealingKeyId(sealed) === activeKeyId ? sealed : sealer.seal(sealer.open(sealed, context), context);
  /** Opens one value that the key sealed. @throws Error when it does not open. */
  const openOneOf = (endpoint: Endpoint, keyId: string): void => {
    const { secret, nextSecret, deliveryHeader } = endpoint;
    const sealed = [secret, nextSecret].find((value) => value !== undefined && sealingKeyId(value) === keyId);
    if (sealed !== undefined) sealer.open(sealed, secretContext(endpoint));
    else if (deliveryHeader) sealer.open(deliveryHeader.value, deliveryHeaderContext(endpoint, deliveryHeader.name));
  };
  return {
    openOneOf,
    /** The id of a key that does not open a value of the endpoint, if any. */
    unopenedKeyId: (endpoint: Endpoint): string | undefined =>
      [endpoint.secret, endpoint.nextSecret, endpoint.deliveryHeader?.value]
        .flatMap((value) => (value === undefined ? [] : [sealingKeyId(value)]))
        .find((keyId) => {
          try {
            openOneOf(endpoint, keyId);
            return false;
          } catch {
            return true;
          }
        }),
    /** Whether the active key sealed every value. */
    isCurrent: ({ secret, nextSecret, deliveryHeader }: Endpoint): boolean =>
      [secret, nextSecret, deliveryHeader?.value].every(
        (sealed) => sealed === undefined || sealingKeyId(sealed) === activeKeyId,
      ),
    /** Seals values of other keys with the active key. @throws Error when a value does not open. */
    reseal: (endpoint: Endpoint): Endpoint => {
      const { secret, nextSecret, deliveryHeader } = endpoint;
      return {
        ...endpoint,
        ...(secret === undefined ? {} : { secret: again(secret, secretContext(endpoint)) }),
        ...(nextSecret === undefined ? {} : { nextSecret: again(nextSecret, secretContext(endpoint)) }),
        ...(deliveryHeader
          ? {
              deliveryHeader: {
                ...deliveryHeader,
                value: again(deliveryHeader.value, deliveryHeaderContext(endpoint, deliveryHeader.name)),
              },
            }
          : {}),
      };
    },
    sealSecret: (owner: Owner, clear: string): Sealed => sealer.seal(clear, secretContext(owner)),
    openSecret: (owner: Owner, sealed: Sealed): string => sealer.open(sealed, secretContext(owner)),
    sealDeliveryHeader: (to: Destination, { name, value }: DeliveryHeader<string>): Sealed =>
      sealer.seal(value, deliveryHeaderContext(to, name)),
    openDeliveryHeader: (to: Destination, { name, value }: DeliveryHeader<Sealed>): string =>
      sealer.open(value, deliveryHeaderContext(to, name)),
  };
};

export type EndpointSealer = ReturnType<typeof endpointSealer>;
