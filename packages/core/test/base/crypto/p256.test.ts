import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { p256Bytes, p256Key } from '../../../src/base/crypto/p256.ts';
import { runs } from '../../support/runs.ts';
import vectors from '../../vectors/secret-vectors.json' with { type: 'json' };

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('secret-vectors.json, computed with cryptography and OpenSSL', () => {
  test.each(vectors.secrets.flatMap(({ signing }) => signing))('the key $kid', ({ bytes: given, d, x, y, kid }) => {
    expect(p256Key(bytes(given))).toEqual({
      ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', x, y, kid },
      d: Buffer.from(d, 'hex').toString('base64url'),
    });
  });

  test.each(vectors.edges)('the least and the greatest private keys: $bytes', ({ bytes: given, d, x, y }) => {
    expect(p256Key(bytes(given))).toMatchObject({ x, y, d: Buffer.from(d, 'hex').toString('base64url') });
  });
});

test('any bytes give a key pair whose halves belong together', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: p256Bytes, maxLength: p256Bytes }), fc.uint8Array(), (given, message) => {
      const { d, ...publicJwk } = p256Key(given);
      const privateKey = createPrivateKey({ key: { ...publicJwk, d }, format: 'jwk' });
      const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
      expect(verify('sha256', message, publicKey, sign('sha256', message, privateKey))).toBe(true);
      expect([d, publicJwk.x, publicJwk.y].map((part) => Buffer.from(part, 'base64url').length)).toEqual([32, 32, 32]);
    }),
    runs,
  );
});
