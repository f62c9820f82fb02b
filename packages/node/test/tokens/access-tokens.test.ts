import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateSigningKey } from '../../src/tokens/signing-key.ts';
import { adapters, audience, forge, freezeDate, issuer, now, publicPart, read, someClaims } from './support/ring.ts';

beforeAll(freezeDate);
afterAll(() => {
  vi.useRealTimers();
});

const [a, b] = [generateSigningKey(), generateSigningKey()];

describe.each(adapters)('%s', (_, tokensOf) => {
  test('issues RFC 9068 access tokens: header and claims, and nothing else', async () => {
    const claims = someClaims();
    expect(read(await (await tokensOf(a)).issue(claims))).toEqual({
      header: { typ: 'at+jwt', alg: 'ES256', kid: a.kid },
      payload: {
        iss: issuer,
        aud: audience,
        sub: claims.clientId,
        client_id: claims.clientId,
        iat: claims.issuedAt,
        exp: claims.expiresAt,
        jti: claims.jti,
        scope: 'USER',
        account: claims.accountId,
        environment: 'prod',
        secret_id: claims.secretId,
      },
    });
  });

  test('names its issuer, which the kit compares with the metadata', async () => {
    expect((await tokensOf(a)).issuer).toBe(issuer);
  });

  test('publishes the keys in the order of the ring, and jose verifies tokens with these alone', async () => {
    const tokens = await tokensOf(a, b);
    const published = JSON.parse(JSON.stringify(await tokens.jwks?.())) as JSONWebKeySet;
    expect(published.keys).toEqual([a, b].map((key) => ({ ...publicPart(key), use: 'sig' })));
    const claims = someClaims();
    const options = { issuer, audience, typ: 'at+jwt' };
    const { payload } = await jwtVerify(await tokens.issue(claims), createLocalJWKSet(published), options);
    expect(payload).toMatchObject({ client_id: claims.clientId, jti: claims.jti });
  });

  test('verifies tokens that jose signed', async () => {
    const claims = { clientId: 'client', accountId: 'account', secretId: 'secret', issuedAt: now, expiresAt: now + 60 };
    expect(await (await tokensOf(a)).verify(await forge(a))).toMatchObject(claims);
  });

  test('a token is valid until the second before exp, and not at exp', async () => {
    const tokens = await tokensOf(a);
    expect(await tokens.verify(await tokens.issue(someClaims({ expiresAt: now + 1 })))).toBeDefined();
    expect(await tokens.verify(await tokens.issue(someClaims({ expiresAt: now })))).toBeUndefined();
  });

  test('a token is valid from nbf', async () => {
    const tokens = await tokensOf(a);
    expect(await tokens.verify(await forge(a, { payload: { nbf: now } }))).toBeDefined();
    expect(await tokens.verify(await forge(a, { payload: { nbf: now + 1 } }))).toBeUndefined();
  });

  test('a token can have iat in the next second, as core issues it after a revocation', async () => {
    const tokens = await tokensOf(a);
    const claims = someClaims({ issuedAt: now + 1 });
    expect(await tokens.verify(await tokens.issue(claims))).toEqual(claims);
  });

  test('the first key signs, and a process with another order verifies', async () => {
    const [behind, ahead] = [await tokensOf(a, b), await tokensOf(b, a)];
    const claims = someClaims();
    const [early, late] = [await behind.issue(claims), await ahead.issue(claims)];
    expect([early, late].map((token) => read(token).header.kid)).toEqual([a.kid, b.kid]);
    expect(await behind.verify(late)).toEqual(claims);
    expect(await ahead.verify(early)).toEqual(claims);
  });

  test('a token of an old key verifies while its public half stays in the ring', async () => {
    const claims = someClaims();
    const token = await (await tokensOf(a)).issue(claims);
    expect(await (await tokensOf(b, publicPart(a))).verify(token)).toEqual(claims);
    expect(await (await tokensOf(b)).verify(token)).toBeUndefined();
  });
});

test('each adapter verifies the tokens of the other', async () => {
  const [own, other] = await Promise.all(adapters.map(([, tokensOf]) => tokensOf(a)));
  const claims = someClaims();
  expect(await own?.verify((await other?.issue(claims)) ?? '')).toEqual(claims);
  expect(await other?.verify((await own?.issue(claims)) ?? '')).toEqual(claims);
});
