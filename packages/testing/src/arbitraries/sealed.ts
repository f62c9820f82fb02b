import type { Sealed } from '@partnerkit/core/ports';
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
 * Ciphertexts in the format of core, for stores, which treat them as text. No key opens them.
 * @internal
 */
export const sealedArbitrary = (): fc.Arbitrary<Sealed> =>
  fc
    .tuple(keyId, bytes(12), bytes(17, 80))
    .map(([key, nonce, body]) => `v1.${key}.${base64(nonce)}.${base64(body)}` as Sealed);
