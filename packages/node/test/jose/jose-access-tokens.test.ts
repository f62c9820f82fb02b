import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { audience, issuer, read, someClaims } from '../tokens/support/ring.ts';
import { algorithms, keyOf, publicPart, tokensOf } from './support/ring.ts';

describe('an issued token', () => {
  test('fits in an Authorization header as a bearer token (RFC 6750 §2.1)', async () => {
    const token = await (await tokensOf(await keyOf('ES256'))).issue(someClaims());
    expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
  });

  test.each(algorithms)('%s: returns the claims that it was issued with', async (alg) => {
    const tokens = await tokensOf(await keyOf(alg));
    const claims = someClaims();
    const token = await tokens.issue(claims);
    expect(read(token).header.alg).toBe(alg);
    expect(await tokens.verify(token)).toEqual(claims);
  });

  test.each(algorithms)('%s: verifies with the published keys alone', async (alg) => {
    const tokens = await tokensOf(await keyOf(alg), publicPart(await keyOf('ES384', 'other')));
    const claims = someClaims();
    const published = JSON.parse(JSON.stringify(await tokens.jwks?.())) as JSONWebKeySet;
    const { payload } = await jwtVerify(await tokens.issue(claims), createLocalJWKSet(published), {
      issuer,
      audience,
      typ: 'at+jwt',
    });
    expect(payload).toMatchObject({ client_id: claims.clientId, jti: claims.jti });
  });

  test('differs for other claims and for another ring', async () => {
    const tokens = await tokensOf(await keyOf('EdDSA'));
    const others = await tokensOf(await keyOf('EdDSA', 'b'));
    const claims = someClaims();
    expect(await tokens.issue(claims)).not.toBe(await tokens.issue({ ...claims, accountId: 'other' }));
    expect(await others.verify(await tokens.issue(claims))).toBeUndefined();
  });
});

describe('rotation', () => {
  test('a process that has not yet moved the new key to the front verifies what it signs elsewhere', async () => {
    const [old, fresh] = [await keyOf('ES256', 'a'), await keyOf('EdDSA', 'b')];
    const behind = await tokensOf(old, fresh);
    const ahead = await tokensOf(fresh, old);
    const claims = someClaims();
    expect(await behind.verify(await ahead.issue(claims))).toEqual(claims);
    expect(await ahead.verify(await behind.issue(claims))).toEqual(claims);
  });

  test.each(algorithms)('%s: a token of an old key verifies while its public half stays in the ring', async (alg) => {
    const [old, fresh] = [await keyOf(alg), await keyOf('ES256', 'fresh')];
    const claims = someClaims();
    const token = await (await tokensOf(old)).issue(claims);
    expect(await (await tokensOf(fresh, publicPart(old))).verify(token)).toEqual(claims);
    expect(await (await tokensOf(fresh)).verify(token)).toBeUndefined();
  });
});
