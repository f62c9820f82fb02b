import { constants, generateKeyPairSync, sign } from 'node:crypto';
import type { PublicJwk } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { verifyAssertion } from '../../src/tokens/assertion.ts';

test('a signature of RSA is as long as its modulus: without a leading zero it is refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = publicKey.export({ format: 'jwk' }) as unknown as PublicJwk;
  const signing = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  // One signature of 256 begins with a zero.
  for (;;) {
    const signature = sign('sha256', Buffer.from('e30.e30'), signing);
    if (signature[0] !== 0) continue;
    const compact = (bytes: Buffer): string => `e30.e30.${bytes.toString('base64url')}`;
    expect(await verifyAssertion(compact(signature), key, 'PS256')).toBe(true);
    expect(await verifyAssertion(compact(signature.subarray(1)), key, 'PS256')).toBe(false);
    return;
  }
});
