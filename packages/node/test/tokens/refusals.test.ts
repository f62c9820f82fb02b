import fc from 'fast-check';
import { CompactEncrypt, importJWK } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { generateSigningKey } from '../../src/tokens/signing-key.ts';
import { adapters, audience, forge, issuer, publicPart, someClaims } from './support/ring.ts';

const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');
const key = generateSigningKey();

// The contract of access tokens has the table of refused tokens. Here stand the laws for random texts, and what needs
// the process or another library.
describe.each(adapters)('%s', (_, tokensOf) => {
  const ring = () => tokensOf(key, publicPart(generateSigningKey()));

  test('law: a token with any changed bit is refused', async () => {
    const tokens = await ring();
    const parts = (await tokens.issue(someClaims())).split('.').map((part) => Buffer.from(part, 'base64url'));
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(), fc.nat(7), async (part, at, bit) => {
        const changed = parts.map((bytes) => Buffer.from(bytes));
        const bytes = changed[part] as Buffer;
        const index = at % bytes.length;
        bytes[index] = (bytes[index] as number) ^ (1 << bit);
        expect(await tokens.verify(changed.map(base64url).join('.'))).toBeUndefined();
      }),
      propertyRuns(200),
    );
  });

  test('law: any text is refused, without an exception', async () => {
    const tokens = await ring();
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json().map(base64url));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        expect(await tokens.verify(parts.join('.'))).toBeUndefined();
      }),
      propertyRuns(300),
    );
  });

  test('a header that names the URL of a key causes no request', async () => {
    const tokens = await ring();
    const stranger = generateSigningKey();
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
    const headers = [{ jku: 'https://evil.example/jwks.json' }, { x5u: 'https://evil.example/chain.pem' }];
    for (const header of headers) {
      const token = await forge(stranger, { header: { kid: key.kid, ...header } });
      expect(await tokens.verify(token)).toBeUndefined();
    }
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  test('a token encrypted to the public key is refused', async () => {
    const tokens = await ring();
    const encrypted = await new CompactEncrypt(Buffer.from(await forge(key)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', typ: 'at+jwt', kid: key.kid })
      .encrypt(await importJWK({ ...publicPart(key) }, 'ECDH-ES'));
    expect(encrypted.split('.')).toHaveLength(5);
    expect(await tokens.verify(encrypted)).toBeUndefined();
  });

  test('a token for another issuer or another audience is refused', async () => {
    const genuine = { iss: issuer, aud: audience };
    const tokens = await ring();
    expect(await tokens.verify(await forge(key))).toBeDefined();
    for (const change of [{ iss: `${issuer}/` }, { aud: issuer }, { aud: [] }])
      expect(await tokens.verify(await forge(key, { payload: { ...genuine, ...change } }))).toBeUndefined();
  });
});
