import { memoryStorage } from '@partnerkit/core/memory';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  adapters,
  claimsOf,
  issuer,
  loginAddress,
  type Pair,
  type Platform,
  pairOf,
  sign,
  startPlatform,
  tokenOf,
} from './support/platform.ts';

let pair: Pair;
let platform: Platform;
beforeAll(async () => {
  pair = await pairOf('ES256');
  platform = await startPlatform();
});

test.each(adapters)('%s: each algorithm of the metadata logs in, at both endpoints', async (_name, make) => {
  const { ask, addClient, present, me, revoke } = await startPlatform({ tokens: await make() });
  const metadata = JSON.parse((await ask('GET', '/.well-known/oauth-authorization-server')).body);
  const algorithms: readonly string[] = metadata.token_endpoint_auth_signing_alg_values_supported;
  expect(algorithms.length).toBeGreaterThan(5);
  expect(metadata.revocation_endpoint_auth_signing_alg_values_supported).toEqual(algorithms);
  expect(metadata.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
  for (const alg of algorithms) {
    const own = await pairOf(alg);
    const clientId = await addClient([own.publicJwk]);
    const token = tokenOf(await present(await sign(own, claimsOf(clientId))));
    expect(await me(token)).toBe(200);
    const client_assertion = await sign(own, claimsOf(clientId));
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    expect((await revoke({ token, client_assertion, client_assertion_type })).status).toBe(200);
    expect(await me(token)).toBe(401);
  }
});

describe('a login that is granted', () => {
  test.each([
    ['the issuer as audience', { aud: issuer }],
    ['the address of the login as audience', { aud: loginAddress }],
    ['a list of one audience', { aud: [issuer] }],
    ['no iat and no nbf', { iat: undefined, nbf: undefined }],
    ['times with fractions', { exp: Date.now() / 1_000 + 60.5 }],
    ['the longest lifetime', { exp: Math.floor(Date.now() / 1_000) + 300 }],
    ['a clock that is 20 s ahead', { iat: Date.now() / 1_000 + 20, nbf: Date.now() / 1_000 + 20 }],
    ['a clock that is 20 s behind', { exp: Date.now() / 1_000 - 20 }],
    ['a jti of 128 bytes', { jti: 'é'.repeat(64) }],
    ['further claims', { custom: { deep: [1] } }],
  ])('%s', async (_name, changes) => {
    const clientId = await platform.addClient([pair.publicJwk]);
    expect((await platform.present(await sign(pair, { ...claimsOf(clientId), ...changes }))).status).toBe(200);
  });

  test.each([
    ['typ JWT', { typ: 'JWT' }],
    ['typ client-authentication+jwt', { typ: 'client-authentication+jwt' }],
    ['the kid of the key', { kid: 'mine' }],
  ])('%s', async (_name, header) => {
    const clientId = await platform.addClient([(await pairOf('ES256')).publicJwk, { ...pair.publicJwk, kid: 'mine' }]);
    expect((await platform.present(await sign(pair, claimsOf(clientId), header))).status).toBe(200);
  });

  test('without a kid, each key of the algorithm is tried', async () => {
    const others = await Promise.all(['ES256', 'ES384', 'ES256', 'EdDSA'].map((alg) => pairOf(alg)));
    const clientId = await platform.addClient([...others.map(({ publicJwk }) => publicJwk), pair.publicJwk]);
    expect((await platform.present(await sign(pair, claimsOf(clientId)))).status).toBe(200);
    for (const each of others) expect((await platform.present(await sign(each, claimsOf(clientId)))).status).toBe(200);
  });

  test('with the client_id, and as JSON', async () => {
    const clientId = await platform.addClient([pair.publicJwk]);
    const named = await platform.present(await sign(pair, claimsOf(clientId)), { client_id: clientId });
    expect(named.status).toBe(200);
  });

  test('beside a secret: both log in', async () => {
    const created = (await platform.kit.clients.create('acc_a', { name: 'Both' }))._unsafeUnwrap();
    const jwks = { keys: [pair.publicJwk] };
    (await platform.kit.clients.update('acc_a', created.client.id, { jwks }))._unsafeUnwrap();
    const { id } = created.client;
    expect((await platform.logIn({ client_id: id, client_secret: created.secret })).status).toBe(200);
    expect((await platform.present(await sign(pair, claimsOf(id)))).status).toBe(200);
  });
});

describe('a right assertion is refused', () => {
  test.each([
    ['disabled', { disabled: true }],
    ['expired', { expiresAt: 1 }],
    ['address_not_allowed', { networks: ['203.0.113.0/24'] }],
  ])('%s: of a client that is closed, as a right secret is', async (reason, change) => {
    const storage = memoryStorage();
    const { addClient, present, refusalOf } = await startPlatform({ storage, api: { trustRemoteAddress: true } });
    const clientId = await addClient([pair.publicJwk]);
    const stored = await storage.clients.findClient(clientId);
    if (!stored) expect.fail('The client is stored.');
    await storage.clients.replaceClient({ ...stored, ...change });
    expect((await present(await sign(pair, claimsOf(clientId)))).status).toBe(401);
    expect(await refusalOf(clientId)).toBe(reason);
  });
});

describe('one use of an assertion', () => {
  test('of eight logins at once with one assertion, one is granted', async () => {
    const clientId = await platform.addClient([pair.publicJwk]);
    const assertion = await sign(pair, claimsOf(clientId));
    const answers = await Promise.all(Array.from({ length: 8 }, () => platform.present(assertion)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    expect(await platform.refusalOf(clientId)).toBe('repeated_assertion');
  });

  test('another assertion with the same jti is refused; of another client it is granted', async () => {
    const [first, second] = [await platform.addClient([pair.publicJwk]), await platform.addClient([pair.publicJwk])];
    const present = async (clientId: string) =>
      (await platform.present(await sign(pair, { ...claimsOf(clientId), jti: 'same' }))).status;
    expect([await present(first), await present(first), await present(second)]).toEqual([200, 401, 200]);
  });

  test('the limiter holds one point of the jti until every server refuses the exp', async () => {
    const taken: (readonly [string, number, number])[] = [];
    const limiter = {
      take: async (key: string, { points, window }: { readonly points: number; readonly window: number }) => {
        if (key.startsWith('assertion:')) taken.push([key, points, window]);
        return 0;
      },
      refund: async () => undefined,
    };
    const { addClient, present } = await startPlatform({ shared: { limiter } });
    const clientId = await addClient([pair.publicJwk]);
    expect((await present(await sign(pair, claimsOf(clientId)))).status).toBe(200);
    expect((await present(`${await sign(pair, claimsOf(clientId))}A`)).status).toBe(401);
    expect(taken).toHaveLength(1);
    const [[key, points, window] = ['', 0, 0]] = taken;
    expect([key.startsWith(`assertion:${clientId}:`), points]).toEqual([true, 1]);
    // 60 s of the assertion, 30 s for the client's clock and 60 s for those of other servers.
    expect(window).toBeGreaterThan(140_000);
    expect(window).toBeLessThanOrEqual(150_000);
  });

  test('without an answer of the limiter, the login is 503', async () => {
    const limiter = {
      take: async (key: string) => (key.startsWith('assertion:') ? Promise.reject(new Error('down')) : 0),
      refund: async () => undefined,
    };
    const { addClient, present } = await startPlatform({ shared: { limiter } });
    expect((await present(await sign(pair, claimsOf(await addClient([pair.publicJwk]))))).status).toBe(503);
  });
});

describe('the end of tokens and logins', () => {
  test('removing a key ends the tokens that it verified, and no others', async () => {
    const other = await pairOf('ES256');
    const clientId = await platform.addClient([pair.publicJwk, other.publicJwk]);
    const [ended, kept] = [
      tokenOf(await platform.present(await sign(pair, claimsOf(clientId)))),
      tokenOf(await platform.present(await sign(other, claimsOf(clientId)))),
    ];
    const jwks = { keys: [other.publicJwk] };
    (await platform.kit.clients.update('acc_a', clientId, { jwks }))._unsafeUnwrap();
    expect([await platform.me(ended), await platform.me(kept)]).toEqual([401, 200]);
    (await platform.kit.clients.update('acc_a', clientId, { jwks: null }))._unsafeUnwrap();
    expect(await platform.me(kept)).toBe(401);
    expect((await platform.present(await sign(other, claimsOf(clientId)))).status).toBe(401);
  });

  test('another key with the same kid ends them, too', async () => {
    const clientId = await platform.addClient([{ ...pair.publicJwk, kid: 'k' }]);
    const token = tokenOf(await platform.present(await sign(pair, claimsOf(clientId))));
    const jwks = { keys: [{ ...(await pairOf('ES256')).publicJwk, kid: 'k' }] };
    (await platform.kit.clients.update('acc_a', clientId, { jwks }))._unsafeUnwrap();
    expect(await platform.me(token)).toBe(401);
  });

  test('the same key with another kid keeps them', async () => {
    const clientId = await platform.addClient([{ ...pair.publicJwk, kid: 'before' }]);
    const token = tokenOf(await platform.present(await sign(pair, claimsOf(clientId))));
    const jwks = { keys: [{ ...pair.publicJwk, kid: 'after' }] };
    (await platform.kit.clients.update('acc_a', clientId, { jwks }))._unsafeUnwrap();
    expect(await platform.me(token)).toBe(200);
  });

  test('a disabled client is refused, and its assertion is not used up', async () => {
    const clientId = await platform.addClient([pair.publicJwk]);
    const assertion = await sign(pair, claimsOf(clientId));
    (await platform.kit.clients.disable('acc_a', clientId))._unsafeUnwrap();
    expect((await platform.present(assertion)).status).toBe(401);
    expect(await platform.refusalOf(clientId)).toBe('disabled');
    (await platform.kit.clients.enable('acc_a', clientId))._unsafeUnwrap();
    expect((await platform.present(assertion)).status).toBe(200);
  });
});

test('a client with keys has no secret, until one is added', async () => {
  const created = (
    await platform.kit.clients.create('acc_a', { name: 'Keys', jwks: { keys: [pair.publicJwk] } })
  )._unsafeUnwrap();
  expect(Object.keys(created)).toEqual(['client']);
  expect(created.client.secrets).toEqual([]);
  const { secret } = (await platform.kit.clients.addSecret('acc_a', created.client.id))._unsafeUnwrap();
  expect((await platform.logIn({ client_id: created.client.id, client_secret: secret })).status).toBe(200);
});

test('failed assertions count in the limits of failed logins, and successes do not', async () => {
  const { addClient, present } = await startPlatform();
  const clientId = await addClient([pair.publicJwk]);
  const stranger = await pairOf('ES256');
  for (let count = 0; count < 12; count++)
    expect((await present(await sign(pair, claimsOf(clientId)))).status).toBe(200);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++)
    statuses.push((await present(await sign(stranger, claimsOf(clientId)))).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect((await present(await sign(pair, claimsOf(clientId)))).status).toBe(200);
});
