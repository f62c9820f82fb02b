import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/accounts/account.ts';
import { day, second } from '../../../src/base/runtime/time.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memoryClientChangeFeed } from '../../../src/stores/memory/client-change-feed.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';
import { call, loginToken, me, withoutRequestId } from '../../support/http.ts';
import { accounts, platform } from '../../support/kit.ts';
import { runs } from '../../support/runs.ts';

type Options = Parameters<typeof platform>[0];

const world = async (options: Options = {}) => {
  const made = platform(options);
  const added = (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const token = (await loginToken(made.kit, added)) as string;
  expect(token).toBeTypeOf('string');
  return { ...made, ...added, token };
};
const invalid = { status: 401, code: 'invalid_token', challenge: 'Bearer realm="partner", error="invalid_token"' };
const verdict = async (response: ReturnType<typeof me>) => {
  const { status, headers, body } = await response;
  return { status, code: JSON.parse(body).code, challenge: headers['www-authenticate'] };
};

test('golden: the account of the path (specification §2.1)', async () => {
  const { kit, token } = await world();
  expect(await me(kit, token, 'acc_child')).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'content-length': '72' },
    body: '{"id":"acc_child","name":"Child","status":"active","environment":"prod"}',
  });
});

test('a request is answered in the same turn when its token, client and account are at hand', async () => {
  const { kit, token } = await world({ accounts: { find: (id) => accounts.find((account) => account.id === id) } });
  await me(kit, token, 'acc_child');
  const route = kit.routes.find(({ path }) => path.endsWith('/me'));
  const statuses: number[] = [];
  for (const account of ['acc_child', 'acc_b', 'acc_a']) {
    const target = `/api/v1/partner/organisations/${account}/me`;
    const headers = { authorization: `Bearer ${token}` };
    void route?.handle({ method: 'GET', target, headers, body: new Uint8Array() }).then(({ status }) => {
      statuses.push(status);
    });
  }
  await undefined;
  expect(statuses).toEqual([200, 404, 200]);
});

describe('the Authorization header', () => {
  const ask = (kit: Parameters<typeof call>[0], authorization: string | readonly string[] | undefined) =>
    verdict(call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', { headers: { authorization } }));

  test('absent: missing_token', async () => {
    const { kit } = await world();
    expect(await ask(kit, undefined)).toEqual({
      status: 401,
      code: 'missing_token',
      challenge: 'Bearer realm="partner"',
    });
  });

  test('one token, the scheme in any case', async () => {
    const { kit, token } = await world();
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, [`Bearer ${token}`]]) {
      expect((await ask(kit, authorization)).status).toBe(200);
    }
  });

  test('of the scheme with a wrong token: invalid_token', async () => {
    const { kit, token } = await world();
    const wrong = [
      'Bearer',
      'Bearer ',
      `Bearer ${token} `,
      `Bearer ${token},x`,
      `Bearer ${token}é`,
      `Bearer ${token}=x`,
      `Bearer x${token}`,
      [],
    ];
    for (const authorization of wrong) expect(await ask(kit, authorization)).toEqual(invalid);
  });

  test('more than once, also as a fetch runtime joins them: 400 invalid_request (RFC 6750 §3.1)', async () => {
    const { kit, token } = await world();
    const several = [
      [`Bearer ${token}`, `Bearer ${token}`],
      [`Bearer ${token}`, 'Basic eDp5'],
      ['', ''],
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token},bearer x`,
      `Basic eDp5, Bearer ${token}`,
    ];
    for (const authorization of several)
      expect(await ask(kit, authorization)).toEqual({
        status: 400,
        code: 'invalid_request',
        challenge: 'Bearer realm="partner", error="invalid_request"',
      });
    // One credential of a scheme with parameters is one.
    const digest = 'Digest username="a b", realm="x", nonce="1", uri="/, Bearer", qop=auth';
    expect(await ask(kit, digest)).toMatchObject({ status: 401, code: 'missing_token' });
  });

  test('of another scheme: no error code (RFC 6750 §3.1)', async () => {
    const { kit, token } = await world();
    for (const authorization of ['', token, `Basic ${token}`, ` Bearer ${token}`, `Bearer\t${token}`]) {
      const { body, headers } = await call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', {
        headers: { authorization },
      });
      expect([JSON.parse(body).code, headers['www-authenticate']]).toEqual(['missing_token', 'Bearer realm="partner"']);
    }
  });

  test('a token in the query is ignored', async () => {
    const { kit, token } = await world();
    const response = await call(kit, 'GET', `/api/v1/partner/organisations/acc_a/me?access_token=${token}`);
    expect(JSON.parse(response.body).code).toBe('missing_token');
  });
});

describe('wrong claims of a token are refused', () => {
  const claimsWith = async (change: object) => {
    const tokens = memoryAccessTokens();
    const { kit, token } = await world({
      tokens: {
        ...tokens,
        verify: async (sent) => {
          const claims = await tokens.verify(sent);
          return claims && { ...claims, ...change };
        },
      },
    });
    return verdict(me(kit, token));
  };

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 4_102_444_800.5, '4102444800', null, undefined])(
    'an end or a beginning that is no whole number: %s',
    async (time) => {
      expect(await claimsWith({ expiresAt: time })).toEqual(invalid);
      expect(await claimsWith({ issuedAt: time })).toEqual(invalid);
    },
  );

  test('the scope of a route is needed: 403 insufficient_scope (RFC 6750 §3.1)', async () => {
    const challenge = 'Bearer realm="partner", error="insufficient_scope", scope="USER"';
    for (const scope of ['', 'ADMIN', 'user', 'USERS', 'ADMIN,USER'])
      expect(await claimsWith({ scope })).toEqual({ status: 403, code: 'insufficient_scope', challenge });
    for (const scope of ['USER', 'USER ADMIN', 'ADMIN USER']) expect((await claimsWith({ scope })).status).toBe(200);
  });
});

describe('a token ends', () => {
  test('with its lifetime, to the second, whatever the port says', async () => {
    const clock = testClock();
    const { kit, token } = await world({ clock });
    clock.set(start + 30 * day - 1);
    expect((await me(kit, token)).status).toBe(200);
    clock.set(start + 30 * day);
    expect(await verdict(me(kit, token))).toEqual(invalid);
  });

  test('when its secret is revoked; one of another secret does not', async () => {
    const { kit, token, client, secretId } = await world();
    const second = (await kit.clients.addSecret('acc_a', client.id))._unsafeUnwrap();
    const otherToken = await loginToken(kit, second);
    (await kit.clients.revokeSecret('acc_a', client.id, secretId))._unsafeUnwrap();
    expect(await verdict(me(kit, token))).toEqual(invalid);
    expect((await me(kit, otherToken)).status).toBe(200);
  });

  test('not when its secret expires: only logins end', async () => {
    const { kit, token, client, secretId, secret } = await world();
    (await kit.clients.expireSecret('acc_a', client.id, secretId, { at: start }))._unsafeUnwrap();
    expect(await loginToken(kit, { client, secret })).toBeUndefined();
    expect((await me(kit, token)).status).toBe(200);
  });

  test('when it is revoked; other tokens do not', async () => {
    const { kit, token, client, secret } = await world();
    const sister = await loginToken(kit, { client, secret });
    (await kit.clients.revokeToken('acc_a', token))._unsafeUnwrap();
    expect(await verdict(me(kit, token))).toEqual(invalid);
    expect((await me(kit, sister)).status).toBe(200);
  });

  test('while its client is disabled', async () => {
    const { kit, token, client } = await world();
    (await kit.clients.disable('acc_a', client.id))._unsafeUnwrap();
    expect(await verdict(me(kit, token))).toEqual(invalid);
    (await kit.clients.enable('acc_a', client.id))._unsafeUnwrap();
    expect((await me(kit, token)).status).toBe(200);
  });

  test('when all tokens of its client are revoked; new tokens work at once', async () => {
    const clock = testClock(start + 100);
    const { kit, token, client, secret } = await world({ clock });
    clock.set(start + 900);
    (await kit.clients.revokeTokens('acc_a', client.id))._unsafeUnwrap();
    expect(await verdict(me(kit, token))).toEqual(invalid);
    const fresh = await loginToken(kit, { client, secret });
    expect((await me(kit, fresh)).status).toBe(200);
    clock.set(start + 5 * second);
    expect((await me(kit, fresh)).status).toBe(200);
  });

  test('revokeTokens ends every token issued before it, also with rapid revocations and logins', async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('login' as const, 'revoke' as const) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const clock = testClock();
        const { kit, token, client, secret } = await world({ clock });
        let alive = [token];
        const dead: string[] = [];
        for (const each of steps) {
          if (typeof each === 'number') clock.set(clock.now() + each);
          else if (each === 'login') alive.push((await loginToken(kit, { client, secret })) as string);
          else {
            (await kit.clients.revokeTokens('acc_a', client.id))._unsafeUnwrap();
            dead.push(...alive);
            alive = [];
          }
        }
        for (const one of alive) expect((await me(kit, one)).status).toBe(200);
        for (const one of dead) expect((await me(kit, one)).status).toBe(401);
      }),
      runs,
    );
  });

  test('when its account moves to another environment', async () => {
    let environment = 'dev';
    const find = async (id: string): Promise<Account> => ({ id, name: 'Own', status: 'active', environment });
    const { kit, token } = await world({ accounts: { find } });
    expect((await me(kit, token)).status).toBe(200);
    environment = 'prod';
    expect(await verdict(me(kit, token))).toEqual(invalid);
    environment = 'dev';
    expect((await me(kit, token)).status).toBe(200);
  });

  test('when its account is gone, or the directory returns another', async () => {
    let answer: Account | undefined = accounts[0];
    const { kit, token } = await world({ accounts: { find: async () => answer } });
    expect((await me(kit, token)).status).toBe(200);
    for (const other of [undefined, { ...(accounts[0] as Account), id: 'ACC_A' }]) {
      answer = other;
      expect(await verdict(me(kit, token))).toEqual(invalid);
    }
  });
});

describe('staleness of a revocation in another process', () => {
  const two = async (staleness: number | undefined) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const tokens = memoryAccessTokens();
    const shared = {
      clock,
      storage,
      tokens,
      ...(staleness === undefined ? {} : { oauth: { revocationDelay: staleness } }),
    };
    const here = await world(shared);
    const there = platform(shared);
    expect((await me(there.kit, here.token)).status).toBe(200);
    return { clock, here, there };
  };
  const acts = [
    ['disabled client', (made: Awaited<ReturnType<typeof world>>) => made.kit.clients.disable('acc_a', made.client.id)],
    [
      'revoked secret',
      (made: Awaited<ReturnType<typeof world>>) =>
        made.kit.clients.revokeSecret('acc_a', made.client.id, made.secretId),
    ],
    [
      'revoked tokens',
      (made: Awaited<ReturnType<typeof world>>) => made.kit.clients.revokeTokens('acc_a', made.client.id),
    ],
    ['deleted client', (made: Awaited<ReturnType<typeof world>>) => made.kit.clients.delete('acc_a', made.client.id)],
    ['revoked token', (made: Awaited<ReturnType<typeof world>>) => made.kit.clients.revokeToken('acc_a', made.token)],
  ] as const;

  test.each(acts)('%s: within a second', async (_name, act) => {
    const { clock, here, there } = await two(undefined);
    (await act(here).map(() => undefined))._unsafeUnwrap();
    expect((await me(here.kit, here.token)).status).toBe(401);
    clock.set(start + 999);
    expect((await me(there.kit, here.token)).status).toBe(200);
    clock.set(start + 1_000);
    expect((await me(there.kit, here.token)).status).toBe(401);
  });

  test.each(acts)('%s: within a second with a change feed, after many cached reads', async (_name, act) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    let reads = 0;
    const clients: typeof storage.clients = {
      ...storage.clients,
      findClient: (id) => {
        reads++;
        return storage.clients.findClient(id);
      },
      isTokenRevoked: (jti) => {
        reads++;
        return storage.clients.isTokenRevoked(jti);
      },
    };
    const shared = { clock, tokens: memoryAccessTokens(), shared: { changeFeed: memoryClientChangeFeed() } };
    const here = await world({ ...shared, storage });
    const there = platform({ ...shared, storage: { ...storage, clients } });
    const served = async (time: number, ...statuses: readonly number[]): Promise<void> => {
      for (let left = time; left > 0; left -= 250) {
        expect(statuses).toContain((await me(there.kit, here.token)).status);
        await clock.advance(250);
      }
    };
    await served(70_000, 200);
    reads = 0;
    await served(40_000, 200);
    expect(reads).toBe(0);
    (await act(here).map(() => undefined))._unsafeUnwrap();
    expect((await me(here.kit, here.token)).status).toBe(401);
    await served(1_000, 200, 401);
    await served(1_000, 401);
  });

  test.each(acts)('%s: at once, with a staleness of 0', async (_name, act) => {
    const { here, there } = await two(0);
    (await act(here).map(() => undefined))._unsafeUnwrap();
    expect((await me(there.kit, here.token)).status).toBe(401);
  });
});

describe('the accounts', () => {
  const tree = (change: Partial<Account>, childChange: Partial<Account> = {}) => {
    const [own, child] = accounts as [Account, Account];
    const state: { own: Account; child: Account | undefined } = { own, child };
    const find = async (id: string): Promise<Account | undefined> =>
      id === 'acc_a' ? state.own : id === 'acc_child' ? state.child : undefined;
    return {
      accounts: { find },
      turn: () => {
        state.own = { ...own, ...change };
        state.child = { ...child, ...childChange };
      },
    };
  };

  test('an own account that may not use the interface any more: 403', async () => {
    const { accounts: directory, turn } = tree({ status: 'suspended' });
    const { kit, token } = await world({ accounts: directory });
    turn();
    expect(await verdict(me(kit, token))).toEqual({ status: 403, code: 'account_not_active', challenge: undefined });
    expect((await me(kit, token, 'acc_child')).status).toBe(403);
    expect((await me(kit, token, 'there-is-none')).status).toBe(403);
  });

  test('a child with another status is within reach and shows its status', async () => {
    const { accounts: directory, turn } = tree({}, { status: 'closed' });
    const { kit, token } = await world({ accounts: directory });
    turn();
    const response = await me(kit, token, 'acc_child');
    expect([response.status, JSON.parse(response.body).status]).toEqual([200, 'closed']);
  });

  test.each([
    ['answers another account', { id: 'acc_b', parentId: 'acc_a' }],
    ['answers an id in another case', { id: 'ACC_CHILD' }],
    ['answers an id with a trailing blank', { id: 'acc_child ' }],
  ])('a directory that %s: 404, like one that does not exist', async (_name, change) => {
    const { accounts: directory, turn } = tree({}, change);
    const { kit, token } = await world({ accounts: directory });
    turn();
    const absent = await me(kit, token, 'there-is-none');
    expect(absent.status).toBe(404);
    expect(withoutRequestId(await me(kit, token, 'acc_child'))).toEqual(withoutRequestId(absent));
  });

  test.each(['name', 'status', 'environment'] as const)('a child without %s: 503, and a signal', async (field) => {
    const { accounts: directory, turn } = tree({}, { [field]: undefined as never });
    const { kit, token, signals } = await world({ accounts: directory });
    turn();
    const response = await me(kit, token, 'acc_child');
    expect([response.status, JSON.parse(response.body).code, response.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(signals.at(-1)).toEqual({
      kind: 'request_failed',
      requestId: response.headers['x-request-id'],
      status: 503,
      error: { name: 'TypeError' },
    });
  });

  test('the directory is read once for the own account, twice for another', async () => {
    const asked: string[] = [];
    const find = async (id: string): Promise<Account | undefined> => {
      asked.push(id);
      return accounts.find((account) => account.id === id);
    };
    const { kit, token } = await world({ accounts: { find } });
    asked.length = 0;
    expect((await me(kit, token)).status).toBe(200);
    expect(asked).toEqual(['acc_a']);
    expect((await me(kit, token, 'acc_child')).status).toBe(200);
    expect(asked).toEqual(['acc_a', 'acc_a', 'acc_child']);
  });

  test('impossible ids: too long, empty, with control characters, wrongly encoded', async () => {
    const { kit, token } = await world();
    const at = async (segment: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await call(kit, 'GET', `/api/v1/partner/organisations/${segment}/me`, { headers })).status;
    };
    expect(await at('acc_a')).toBe(200);
    expect(await at('acc%5Fa')).toBe(200);
    expect(await at('a'.repeat(257))).toBe(404);
    expect(await at('')).toBe(404);
    expect(await at('acc_a%00')).toBe(404);
    expect(await at('acc_a%0A')).toBe(404);
    expect(await at('%ff')).toBe(400);
    expect(await at('%')).toBe(400);
    expect(await at('acc_a%20')).toBe(404);
    expect(await at('ACC_A')).toBe(404);
  });
});

describe('ports that fail or return wrong results', () => {
  const cause = new Error('SECRET');

  test.each([
    ['findClient', { findClient: () => Promise.reject(cause) }],
    ['isTokenRevoked', { isTokenRevoked: () => Promise.reject(cause) }],
  ])('%s rejects: 503', async (_name, change) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const tokens = memoryAccessTokens();
    const { token } = await world({ clock, storage, tokens });
    const broken = platform({ clock, tokens, storage: { ...storage, clients: { ...storage.clients, ...change } } });
    const response = await me(broken.kit, token);
    expect([response.status, JSON.parse(response.body).code]).toEqual([503, 'unavailable']);
    expect(JSON.stringify([response, broken.signals])).not.toContain('SECRET');
  });

  test('tokens.verify rejects: 503', async () => {
    const { kit } = platform({ tokens: { issue: () => expect.unreachable(), verify: () => Promise.reject(cause) } });
    expect((await me(kit, 'token')).status).toBe(503);
  });

  test('claims that do not match the client are refused', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const { client, secretId } = await world({ clock, storage });
    const sound = {
      clientId: client.id,
      accountId: 'acc_a',
      environment: 'prod',
      secretId,
      scope: 'USER',
      jti: 'j',
      issuedAt: start / second,
      expiresAt: start / second + 60,
    };
    const asked = async (change: object) => {
      const verify = async () => ({ ...sound, ...change });
      const { kit } = platform({ clock, storage, tokens: { issue: () => expect.unreachable(), verify } });
      return (await me(kit, 'token')).status;
    };
    expect(await asked({})).toBe(200);
    expect(await asked({ accountId: 'acc_b' })).toBe(401);
    expect(await asked({ clientId: 'someone' })).toBe(401);
    expect(await asked({ secretId: 'someone' })).toBe(401);
    expect(await asked({ environment: 'dev' })).toBe(401);
    expect(await asked({ expiresAt: start / second })).toBe(401);
    expect(await asked({ expiresAt: start / second + 1 })).toBe(200);
  });
});

test('a route of the host receives the client and the account', async () => {
  const { kit, token, client } = await world();
  const route = kit.accountRoute(
    'GET',
    '/organisations/:organisationId/payments/:paymentId',
    async (caller, asked, params) => ({
      status: 200,
      headers: {},
      body: JSON.stringify({ caller, method: asked.method, params }),
    }),
    { right: 'none' },
  );
  const headers = { authorization: `Bearer ${token}` };
  const response = await call({ routes: [route] }, 'GET', '/api/v1/partner/organisations/acc_child/payments/p%2F1', {
    headers,
  });
  const { secrets, ...rest } = client;
  expect(JSON.parse(response.body)).toEqual({
    caller: {
      client: { ...rest, secrets: [{ ...secrets[0], lastUsedAt: start }] },
      account: accounts[1],
      scope: 'USER',
    },
    method: 'GET',
    params: { organisationId: 'acc_child', paymentId: 'p/1' },
  });
  expect(response.body).not.toContain('digest');
});
