import { describe, expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ hashes: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    hash: (...args: Parameters<typeof crypto.hash>) => {
      counts.hashes++;
      return crypto.hash(...args);
    },
  };
});

const { generateKeyPairSync } = await import('node:crypto');
const { me, loginToken } = await import('../../support/http.ts');
const { platform } = await import('../../support/kit.ts');
const { memoryStorage } = await import('../../../src/stores/memory/storage.ts');
const { memoryRateLimiter } = await import('../../../src/stores/memory/rate-limiter.ts');
const { testClock } = await import('../../support/clock.ts');
const { minute } = await import('../../../src/base/runtime/time.ts');
const { assertion, claimsOf, ed25519, namedTokens, p256, present } = await import('./support/assertions.ts');

const manyFailures = { points: 1_000, window: minute };
const ec = (kid: string) => ({
  ...(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as typeof p256),
  kid,
});

/** A platform that counts its work, and clients of each kind. */
const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const limiter = memoryRateLimiter({ clock });
  const { tokens, verified } = namedTokens();
  const asked: string[] = [];
  const counted = <K extends string, A extends readonly unknown[], R>(name: K, run: (...args: A) => R) => ({
    [name]: (...args: A): R => {
      asked.push(name);
      return run(...args);
    },
  });
  const clients = {
    ...storage.clients,
    ...counted('findClient', storage.clients.findClient),
    ...counted('noteRefusal', storage.clients.noteRefusal),
  };
  const made = platform({
    ...{ clock, tokens, storage: { ...storage, clients } as typeof storage },
    limits: { failedLogins: { perClientAndAddress: manyFailures, perAddress: manyFailures } },
    shared: { limiter: { ...limiter, ...counted('take', limiter.take) } as typeof limiter },
  });
  const add = async (...keys: readonly object[]) => {
    const jwks = keys.length > 0 ? { jwks: { keys: keys as never } } : {};
    return (await made.kit.clients.create('acc_a', { name: 'key', ...jwks }))._unsafeUnwrap().client.id;
  };
  const disabled = await add({ ...p256, kid: 'own' });
  (await made.kit.clients.disable('acc_a', disabled))._unsafeUnwrap();
  const deleted = await add({ ...p256, kid: 'own' });
  (await made.kit.clients.delete('acc_a', deleted))._unsafeUnwrap();
  const ids: Readonly<Record<string, string>> = {
    'an unknown client': '01935a6e-0000-7000-8000-000000000000',
    'a deleted client': deleted,
    'a client with a secret and no keys': await add(),
    'a client with one key': await add({ ...p256, kid: 'own' }),
    'a client with keys of two algorithms': await add({ ...ed25519, kid: 'own' }, { ...p256, kid: 'second' }),
    'a client with five keys': await add({ ...p256, kid: 'own' }, ...['b', 'c', 'd', 'e'].map(ec)),
    'a disabled client': disabled,
  };
  const workOf = async (text: string) => {
    const before = { hashes: counts.hashes, verified: verified.length, asked: asked.length };
    const response = await present(made.kit, text);
    await new Promise(setImmediate);
    return {
      response,
      hashes: counts.hashes - before.hashes,
      verified: verified.slice(before.verified),
      asked: asked.slice(before.asked).toSorted(),
    };
  };
  return { ...made, ids, workOf };
};

const made = await world();
const five = <T>(each: T): readonly T[] => Array.from({ length: 5 }, () => each);

/** Headers, and the keys with which an assertion of a wrong signature is verified. */
const headers: readonly (readonly [object, readonly string[]])[] = [
  [{ alg: 'ES256' }, five('P-256')],
  [{ alg: 'ES384' }, five('P-384')],
  [{ alg: 'Ed25519' }, five('Ed25519')],
  [{ alg: 'EdDSA' }, five('Ed25519')],
  [{ alg: 'RS256' }, five('RSA')],
  [{ alg: 'PS256' }, five('RSA')],
  [{ alg: 'none' }, five('P-256')],
  [{ alg: 'ES256', typ: 'at+jwt' }, five('P-256')],
  [{ alg: 'ES256', crit: ['exp'] }, five('P-256')],
  [{ alg: 'ES256', kid: 'own' }, ['P-256']],
  [{ alg: 'ES256', kid: 'of nobody' }, ['P-256']],
  [{ alg: 'RS256', kid: 'own' }, ['RSA']],
];

describe.each(headers)('a wrong signature under %j', (header, verified) => {
  test.each(Object.keys(made.ids))('%s: the same answer for the same work', async (kind) => {
    const text = assertion(claimsOf(made.ids[kind] as string), { by: 'a stranger', header });
    expect(await made.workOf(text)).toEqual({
      response: expect.objectContaining({
        status: 401,
        body: '{"error":"invalid_client","error_description":"Unknown client, wrong secret, or a client that may not log in."}',
      }),
      hashes: 0,
      verified,
      asked: ['findClient', 'noteRefusal', 'take', 'take', 'take'],
    });
  });
});

test('a call with the token of a public key hashes none of the keys, once they were hashed', async () => {
  const { kit, ids } = made;
  const id = ids['a client with five keys'] as string;
  const token = JSON.parse((await present(kit, assertion(claimsOf(id), { by: 'e' }))).body).access_token;
  const secret = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
  const hashesOf = async (ofCall: string | undefined) => {
    expect((await me(kit, ofCall)).status).toBe(200);
    const before = counts.hashes;
    for (let count = 0; count < 10; count++) await me(kit, ofCall);
    return counts.hashes - before;
  };
  expect(await hashesOf(token)).toBe(await hashesOf(secret));
});
