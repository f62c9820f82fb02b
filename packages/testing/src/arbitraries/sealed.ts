import type { Sealed, SealingKey } from '@partnerkit/core';
import fc from 'fast-check';

const keyId = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
  minLength: 1,
  maxLength: 32,
});
const bytes = (minLength: number, maxLength = minLength): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength, maxLength });
const base64 = (raw: Uint8Array): string => Buffer.from(raw).toString('base64');

/**
 * Keys that core takes to seal with.
 * @example
 * const property = fc.asyncProperty(sealingKeyArbitrary(), async (key) => {
 *   const { publish, deliver } = await scriptedHost({ sealingKeys: [key] });
 *   await publish();
 *   strictEqual(await deliver(), 1);
 * });
 * await fc.assert(property);
 * @public
 */
export const sealingKeyArbitrary = (): fc.Arbitrary<SealingKey> =>
  fc.record({ id: keyId, key: bytes(32) }, { noNullPrototype: true });

/**
 * Ciphertexts in the form that core gives them, for stores, to which they are texts. Sealed with no key: nothing opens them.
 * @example
 * fc.assert(fc.property(sealedArbitrary(), (sealed) => sealed.startsWith('v1.')));
 * @public
 */
export const sealedArbitrary = (): fc.Arbitrary<Sealed> =>
  fc
    .tuple(keyId, bytes(12), bytes(17, 80))
    .map(([key, nonce, body]) => `v1.${key}.${base64(nonce)}.${base64(body)}` as Sealed);

/**
 * Webhook secrets in the form that core gives them and Standard Webhooks take: `whsec_`, and 24 to 64 bytes in Base64.
 * @example
 * fc.assert(fc.property(webhookSecretArbitrary(), (secret) => standardKey(secret) !== undefined));
 * @public
 */
export const webhookSecretArbitrary = (): fc.Arbitrary<string> => bytes(24, 64).map((key) => `whsec_${base64(key)}`);
