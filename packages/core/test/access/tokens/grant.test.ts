import { describe, expect, test } from 'vitest';
import type { TokenClaims } from '../../../src/access/tokens/access-tokens.ts';
import type { RateLimiter } from '../../../src/access/tokens/rate-limiter.ts';
import type { AccountDirectory } from '../../../src/base/accounts/account.ts';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import { day, minute, second } from '../../../src/base/runtime/time.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { memoryRateLimiter } from '../../../src/stores/memory/rate-limiter.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';
import { call, login, loginPath, loginToken, me, type Routed, withoutRequestId } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

type Options = Parameters<typeof platform>[0];

/** A platform with one client. */
const world = async (options: Options = {}) => {
  const made = platform(options);
  const added = (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const fields = { client_id: added.client.id, client_secret: added.secret };
  made.signals.length = 0;
  return { ...made, ...added, fields };
};
const wrong = { client_secret: 'wrong' };
const from = (remoteAddress: string | undefined) => ({ remoteAddress }) as Parameters<typeof login>[2];

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
const oauth = (error: string, description: string): string => JSON.stringify({ error, error_description: description });
const measured = (body: string, headers: object = {}) => ({
  'content-type': 'application/json',
  ...noStore,
  'content-length': String(Buffer.byteLength(body)),
  ...headers,
});
const challenge = { 'www-authenticate': 'Basic realm="partner"' };

describe('a login that is granted', () => {
  test('golden: status, headers and the three fields of the specification, §2.2', async () => {
    const { kit, fields } = await world();
    const response = await login(kit, fields);
    const { access_token } = JSON.parse(response.body);
    const body = `{"token_type":"Bearer","expires_in":2592000,"access_token":"${access_token}"}`;
    expect(response).toEqual({ status: 200, headers: measured(body), body });
    expect((await me(kit, access_token)).status).toBe(200);
  });

  test('the same by form and by HTTP Basic', async () => {
    const { kit, fields } = await world();
    const asked = { ...fields, grant_type: 'client_credentials', scope: 'USER' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const byForm = await call(kit, 'POST', loginPath, { headers: form, body: new URLSearchParams(asked).toString() });
    const authorization = `Basic ${Buffer.from(`${fields.client_id}:${fields.client_secret}`).toString('base64')}`;
    const byBasic = await call(kit, 'POST', loginPath, {
      headers: { ...form, authorization },
      body: 'grant_type=client_credentials&scope=USER',
    });
    for (const response of [byForm, byBasic]) {
      expect(response.status).toBe(200);
      expect(Object.keys(JSON.parse(response.body))).toEqual(['token_type', 'expires_in', 'access_token']);
      expect((await me(kit, JSON.parse(response.body).access_token)).status).toBe(200);
    }
  });

  test('Accept is never a reason to refuse, and a query changes nothing', async () => {
    const { kit, fields } = await world();
    expect((await login(kit, fields, { headers: { accept: 'text/html;q=0.1, image/*' } })).status).toBe(200);
    const body = JSON.stringify({ ...fields, grant_type: 'client_credentials', scope: 'USER' });
    const headers = { 'content-type': 'application/json' };
    expect((await call(kit, 'POST', `${loginPath}?scope=ADMIN`, { headers, body })).status).toBe(200);
  });

  test('the response has a defaulted scope, but not a given one', async () => {
    const { kit, fields } = await world({ oauth: { defaultScope: 'USER' } });
    const defaulted = JSON.parse((await login(kit, { ...fields, scope: undefined })).body);
    expect(Object.keys(defaulted)).toEqual(['token_type', 'expires_in', 'access_token', 'scope']);
    expect(defaulted.scope).toBe('USER');
    expect(Object.keys(JSON.parse((await login(kit, fields)).body))).not.toContain('scope');
  });

  test('with each secret of a client, the older and the newer', async () => {
    const { kit, fields, client } = await world();
    const { secret } = (await kit.clients.addSecret('acc_a', client.id))._unsafeUnwrap();
    for (const client_secret of [fields.client_secret, secret])
      expect((await login(kit, { ...fields, client_secret })).status).toBe(200);
  });

  test('the claims of the token', async () => {
    const issued: TokenClaims[] = [];
    const tokens = {
      issue: async (claims: TokenClaims) => `token-${issued.push(claims)}`,
      verify: async () => undefined,
    };
    const { kit, fields, secretId, client } = await world({ tokens, oauth: { tokenLifetime: 90 * minute + 999 } });
    const response = JSON.parse((await login(kit, fields)).body);
    await login(kit, fields);
    expect(response).toEqual({ token_type: 'Bearer', expires_in: 5_400, access_token: 'token-1' });
    expect(issued[0]).toEqual({
      clientId: client.id,
      accountId: 'acc_a',
      environment: 'prod',
      secretId,
      scope: 'USER',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      issuedAt: start / second,
      expiresAt: start / second + 5_400,
    });
    expect(issued[1]?.jti).not.toBe(issued[0]?.jti);
  });

  test('at the aliases too, with pathAliases', async () => {
    const { kit, fields } = await world({ api: { pathAliases: true } });
    const body = JSON.stringify({ ...fields, grant_type: 'client_credentials', scope: 'USER' });
    const headers = { 'content-type': 'application/json' };
    const response = await call(kit, 'POST', '/oauth/token', { headers, body });
    expect(response.status).toBe(200);
    const authorization = `Bearer ${JSON.parse(response.body).access_token}`;
    expect(
      (await call(kit, 'GET', '/v1/partner/organisations/acc_child/me', { headers: { authorization } })).status,
    ).toBe(200);
  });
});

const accepted = { accept: 'application/json, application/x-www-form-urlencoded' };

describe('a login that is refused', () => {
  test.each([
    ['wrong secret', {}, 401, 'invalid_client', 'Unknown client, wrong secret, or a client that may not log in.'],
    ['no grant_type', { grant_type: undefined }, 400, 'invalid_request', 'grant_type is missing.'],
    [
      'another grant_type',
      { grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'grant_type must be client_credentials.',
    ],
    ['another scope', { scope: 'ADMIN' }, 400, 'invalid_scope', 'scope must be USER, or rights such as requests:read.'],
    ['no scope', { scope: undefined }, 400, 'invalid_scope', 'scope must be USER, or rights such as requests:read.'],
    ['no client_id', { client_id: undefined }, 400, 'invalid_request', 'client_id is missing.'],
    [
      'a client_id that is no text',
      { client_id: 1 },
      400,
      'invalid_request',
      'The parameters are strings in one JSON object or form.',
    ],
  ])('golden: %s', async (_name, change, status, error, description) => {
    const { kit, fields } = await world();
    const body = oauth(error, description);
    expect(await login(kit, { ...fields, ...wrong, ...change })).toEqual({
      status,
      headers: measured(body, status === 401 ? challenge : {}),
      body,
    });
  });

  test.each([
    ['broken JSON', { body: '{' }, 400, 'The body is not valid JSON.', {}],
    ['a repeated parameter', { body: '{"client_id":"a","client\\u005fid":"b"}' }, 400, 'A parameter is repeated.', {}],
    [
      'no content type',
      { headers: { 'content-type': undefined } },
      415,
      'Send the parameters as application/json or application/x-www-form-urlencoded. The body looks like JSON: send it with Content-Type: application/json.',
      accepted,
    ],
    [
      'another charset',
      { headers: { 'content-type': 'application/json;charset=latin1' } },
      415,
      'Send the body in UTF-8.',
      accepted,
    ],
    [
      'compression',
      { headers: { 'content-encoding': 'br' } },
      415,
      'Send the body without Content-Encoding.',
      { 'accept-encoding': 'identity' },
    ],
    ['too much', { body: { tooLarge: true } as const }, 413, 'The body is larger than 8 KiB.', {}],
  ])('golden: %s', async (_name, options, status, description, headers) => {
    const { kit, fields } = await world();
    const body = oauth('invalid_request', description);
    expect(await login(kit, fields, options)).toEqual({ status, headers: measured(body, headers), body });
  });

  test('a body over 8 KiB, even if an adapter read it whole', async () => {
    const { kit, fields } = await world();
    const filled = (bytes: number): string => {
      const text = JSON.stringify({ ...fields, grant_type: 'client_credentials', scope: 'USER', pad: '' });
      return text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`);
    };
    expect((await login(kit, fields, { body: filled(8_192) })).status).toBe(200);
    expect((await login(kit, fields, { body: filled(8_193) })).status).toBe(413);
  });

  test('every 401 has a challenge (RFC 9110 §15.5.2)', async () => {
    const { kit, fields } = await world();
    const attempt = (secret: string) =>
      login(
        kit,
        {},
        { headers: { authorization: `Basic ${Buffer.from(`${fields.client_id}:${secret}`).toString('base64')}` } },
      );
    const refused = await attempt('wrong');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Basic realm="partner"');
    expect((await attempt(fields.client_secret)).status).toBe(200);
    expect((await login(kit, { ...fields, ...wrong })).headers['www-authenticate']).toBe('Basic realm="partner"');
    const broken = await login(kit, {}, { headers: { authorization: 'Basic !' } });
    expect([broken.status, broken.headers['www-authenticate']]).toEqual([401, 'Basic realm="partner"']);
  });

  test('that a body parser of the host has read is signalled, once', async () => {
    const { kit, fields, signals } = await world();
    const warnings = () => signals.filter(({ kind }) => kind === 'login_body_parsed');
    await login(kit, fields);
    await login(kit, fields, { body: '{' });
    expect(warnings()).toEqual([]);
    for (let times = 0; times < 3; times++) await login(kit, {}, { body: { parsed: fields } });
    expect(warnings()).toEqual([{ kind: 'login_body_parsed' }]);
  });

  test('every response has no-store', async () => {
    const { kit, fields } = await world();
    const failing: RateLimiter = { take: () => Promise.reject(new Error('down')), refund: async () => undefined };
    const broken = await world({ shared: { limiter: failing } });
    const answers = [
      await login(kit, fields),
      await login(kit, wrong),
      await login(kit, { ...fields, ...wrong }),
      await login(kit, fields, { body: '' }),
      await login(kit, fields, { body: { tooLarge: true } }),
      await login(kit, fields, { headers: { 'content-type': 'text/plain' } }),
      await login(broken.kit, broken.fields),
      await call(kit, 'GET', loginPath),
      await call(kit, 'PUT', loginPath),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 400, 413, 415, 503, 405, 405]);
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
  });

  test('the host decides which accounts may log in', async () => {
    const { kit, fields } = await world({ api: { mayUseApi: ({ name }) => name !== 'Own' } });
    expect((await login(kit, fields)).status).toBe(401);
    const open = await world({
      api: { mayUseApi: () => true },
      accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'closed', environment: 'prod' }]),
    });
    expect((await login(open.kit, open.fields)).status).toBe(200);
  });
});

describe('brute force', () => {
  const tries = (kit: Routed, fields: object, times: number, remoteAddress?: string): Promise<HttpResponse[]> =>
    Promise.all(
      Array.from({ length: times }, () => login(kit, { ...fields, ...wrong }, remoteAddress ? { remoteAddress } : {})),
    );
  const counted = (responses: readonly HttpResponse[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  test('of 50 simultaneous logins of one client, 10 are checked and the others are too_many_attempts', async () => {
    const { kit, fields } = await world();
    expect(counted(await tries(kit, fields, 50))).toEqual({ 401: 10, 429: 40 });
  });

  test('golden: 429 with Retry-After in whole seconds, rounded up', async () => {
    const clock = testClock();
    const { kit, fields } = await world({ clock });
    await tries(kit, fields, 10);
    clock.set(start + 1);
    const [limited] = await tries(kit, fields, 1);
    const body = oauth('too_many_attempts', 'Too many failed logins; wait as Retry-After says.');
    expect(limited).toEqual({ status: 429, headers: { ...measured(body), 'retry-after': '900' }, body });
    clock.set(start + 15 * minute - 1);
    expect((await tries(kit, fields, 1))[0]?.headers['retry-after']).toBe('1');
    clock.set(start + 15 * minute);
    expect((await tries(kit, fields, 1))[0]?.status).toBe(401);
  });

  test('the right secret is never refused, with any simultaneous logins', async () => {
    const { kit, fields } = await world();
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, index) => login(kit, index % 2 === 0 ? fields : { ...fields, ...wrong })),
    );
    expect(all.filter((_, index) => index % 2 === 0).map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect((await tries(kit, fields, 40)).every(({ status }) => status === 401 || status === 429)).toBe(true);
    expect((await login(kit, fields)).status).toBe(200);
  });

  test('a success refunds its points: successes never add up', async () => {
    const { kit, fields } = await world();
    for (let times = 0; times < 300; times++) expect((await login(kit, fields)).status).toBe(200);
    expect(counted(await tries(kit, fields, 11))).toEqual({ 401: 10, 429: 1 });
  });

  test('a success refunds its own points only', async () => {
    const { kit, fields } = await world();
    await tries(kit, fields, 10);
    for (let times = 0; times < 20; times++) expect((await login(kit, fields)).status).toBe(200);
    expect(counted(await tries(kit, fields, 5))).toEqual({ 429: 5 });
  });

  test('a success past the limit of its client refunds the point of its address', async () => {
    const { kit, fields } = await world();
    const other = (await kit.clients.create('acc_a', { name: 'other' }))._unsafeUnwrap();
    await tries(kit, fields, 10);
    // More than the address has points.
    for (let times = 0; times < 110; times++) expect((await login(kit, fields)).status).toBe(200);
    expect(counted(await tries(kit, { ...fields, client_id: other.client.id }, 1))).toEqual({ 401: 1 });
  });

  test('another address is not affected, nor another client from this one', async () => {
    const { kit, fields } = await world();
    const other = (await kit.clients.create('acc_b', { name: 'key' }))._unsafeUnwrap();
    await tries(kit, fields, 20, '203.0.113.7');
    expect(counted(await tries(kit, fields, 1, '203.0.113.7'))).toEqual({ 429: 1 });
    expect(counted(await tries(kit, fields, 10, '203.0.113.8'))).toEqual({ 401: 10 });
    expect(counted(await tries(kit, { client_id: other.client.id }, 10, '203.0.113.7'))).toEqual({ 401: 10 });
  });

  test('one address may fail 100 times, over all clients', async () => {
    const { kit } = await world();
    const unknown = (index: number) => ({ client_id: `01935a6e-0000-7000-8000-${String(index).padStart(12, '0')}` });
    const all = await Promise.all(
      Array.from({ length: 150 }, (_, index) => login(kit, { ...unknown(index), ...wrong })),
    );
    expect(counted(all)).toEqual({ 401: 100, 429: 50 });
    expect(counted([await login(kit, { ...unknown(1), ...wrong }, from('203.0.113.8'))])).toEqual({ 401: 1 });
  });

  test('impossible client ids share their points', async () => {
    const { kit } = await world();
    const all = await Promise.all(
      Array.from({ length: 15 }, (_, index) => login(kit, { client_id: `made up ${index}`, ...wrong })),
    );
    expect(counted(all)).toEqual({ 401: 10, 429: 5 });
  });

  test('an IPv6 network of 64 bits is one address; IPv4 inside IPv6 is IPv4', async () => {
    const { kit, fields } = await world();
    for (let host = 1; host <= 10; host++) await tries(kit, fields, 1, `2001:db8:1:2::${host.toString(16)}`);
    expect(counted(await tries(kit, fields, 1, '2001:DB8:1:2:ffff::1'))).toEqual({ 429: 1 });
    expect(counted(await tries(kit, fields, 1, '2001:db8:1:3::1'))).toEqual({ 401: 1 });
    await tries(kit, fields, 10, '198.51.100.4');
    expect(counted(await tries(kit, fields, 1, '::ffff:198.51.100.4'))).toEqual({ 429: 1 });
    expect(counted(await tries(kit, fields, 1, '::ffff:198.51.100.5'))).toEqual({ 401: 1 });
  });

  test('without an address, all callers share the limits', async () => {
    const { kit, fields } = await world();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => login(kit, { ...fields, ...wrong }, from(undefined))),
    );
    expect(counted(all)).toEqual({ 401: 10, 429: 2 });
  });

  test('limits are options', async () => {
    const { kit, fields } = await world({
      limits: { failedLogins: { perClientAndAddress: { points: 2, window: minute } } },
    });
    expect(counted(await tries(kit, fields, 3))).toEqual({ 401: 2, 429: 1 });
  });

  test('failures of one client from all addresses only cause a signal', async () => {
    const clock = testClock();
    const { kit, fields, signals } = await world({ clock });
    for (let times = 0; times < 100; times++) await tries(kit, fields, 1, `198.51.100.${times}`);
    expect(signals.filter(({ kind }) => kind === 'login_failures_high')).toEqual([]);
    expect(counted(await tries(kit, fields, 1, '198.51.100.200'))).toEqual({ 401: 1 });
    expect(signals.filter(({ kind }) => kind === 'login_failures_high')).toEqual([
      { kind: 'login_failures_high', clientId: fields.client_id },
    ]);
    expect((await login(kit, fields)).status).toBe(200);
    clock.set(start + 15 * minute);
    signals.length = 0;
    await tries(kit, fields, 1, '198.51.100.201');
    expect(signals.filter(({ kind }) => kind === 'login_failures_high')).toEqual([]);
  });

  test('signals: granted, refused, limited; the id only if it has the form of one', async () => {
    const { kit, fields, signals } = await world();
    await login(kit, fields);
    await tries(kit, fields, 11);
    await login(kit, { client_id: 'SECRET pasted into the wrong field', client_secret: 'x' });
    const logins = signals.filter((signal) => signal.kind === 'login');
    const clientId = fields.client_id;
    expect(logins).toEqual([
      { kind: 'login', outcome: 'granted', clientId },
      ...Array(10).fill({ kind: 'login', outcome: 'refused', clientId }),
      { kind: 'login', outcome: 'limited', clientId },
      { kind: 'login', outcome: 'refused' },
    ]);
  });
});

describe('failing ports', () => {
  const unavailable = oauth('temporarily_unavailable', 'Nothing was decided; try again shortly.');
  const cause = Object.assign(new Error('password=SECRET'), { code: 'ECONNREFUSED' });

  const failing = (): readonly (readonly [string, () => Promise<Awaited<ReturnType<typeof world>>>])[] => {
    const limiter = memoryRateLimiter({ clock: testClock() });
    const withClients = (change: object) => async () => {
      const storage = memoryStorage({ clock: testClock() });
      const { fields, ...made } = await world({ storage });
      const broken = platform({ storage: { ...storage, clients: { ...storage.clients, ...change } } });
      return { ...made, ...broken, fields };
    };
    const withDirectory = (find: AccountDirectory['find']) => async () => {
      const { fields, ...made } = await world();
      return { ...made, ...platform({ storage: made.storage, accounts: { find } }), fields };
    };
    return [
      ['the limiter', () => world({ shared: { limiter: { ...limiter, take: () => Promise.reject(cause) } } })],
      [
        'the limiter, on its second key',
        () => {
          let asked = 0;
          return world({
            shared: { limiter: { ...limiter, take: async () => (++asked % 2 === 0 ? Promise.reject(cause) : 0) } },
          });
        },
      ],
      ['the store', withClients({ findClient: () => Promise.reject(cause) })],
      ['the directory', withDirectory(() => Promise.reject(cause))],
      ['the directory, with a malformed account', withDirectory(async (id) => ({ id }) as never)],
      ['the tokens', () => world({ tokens: { issue: () => Promise.reject(cause), verify: async () => undefined } })],
    ];
  };

  test.each(failing())('%s: 503, nothing granted, and a signal without the message', async (_name, make) => {
    const { kit, fields, signals } = await make();
    const response = await login(kit, fields);
    expect(withoutRequestId(response)).toEqual({
      status: 503,
      headers: { ...measured(unavailable), 'retry-after': '5' },
      body: unavailable,
    });
    const signal = signals.find(({ kind }) => kind === 'request_failed');
    expect(signal).toMatchObject({ kind: 'request_failed', status: 503, requestId: response.headers['x-request-id'] });
    expect(signals.some((each) => each.kind === 'login' && each.outcome === 'granted')).toBe(false);
    expect(JSON.stringify(signals)).not.toContain('SECRET');
  });

  test('granted when the limiter cannot refund, or the store cannot record the login', async () => {
    const limiter = memoryRateLimiter({ clock: testClock() });
    const one = await world({ shared: { limiter: { ...limiter, refund: () => Promise.reject(cause) } } });
    expect((await login(one.kit, one.fields)).status).toBe(200);
    const storage = memoryStorage({ clock: testClock() });
    const clients = { ...storage.clients, touchSecret: () => Promise.reject(cause) };
    const two = await world({ storage: { ...storage, clients } });
    expect((await login(two.kit, two.fields)).status).toBe(200);
  });

  test('refused as usual when the limiter fails on the total', async () => {
    const limiter = memoryRateLimiter({ clock: testClock() });
    const take: RateLimiter['take'] = (key, rule) =>
      key.startsWith('login-total') ? Promise.reject(cause) : limiter.take(key, rule);
    const { kit, fields } = await world({ shared: { limiter: { ...limiter, take } } });
    expect((await login(kit, { ...fields, ...wrong })).status).toBe(401);
  });
});

describe('lastUsedAt', () => {
  const used = async ({ kit, client }: Awaited<ReturnType<typeof world>>) =>
    (await kit.clients.find('acc_a', client.id))._unsafeUnwrap().secrets[0]?.lastUsedAt;

  test('is the last login, to the minute', async () => {
    const clock = testClock();
    const made = await world({ clock });
    expect(await used(made)).toBeUndefined();
    await login(made.kit, made.fields);
    expect(await used(made)).toBe(start);
    clock.set(start + minute - 1);
    await login(made.kit, made.fields);
    expect(await used(made)).toBe(start);
    clock.set(start + minute);
    await login(made.kit, made.fields);
    expect(await used(made)).toBe(start + minute);
    clock.set(start + day);
    await login(made.kit, { ...made.fields, ...wrong });
    expect(await used(made)).toBe(start + minute);
  });

  test('is written at most once a minute', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const touched: number[] = [];
    const touchSecret: typeof storage.clients.touchSecret = async (clientId, secretId, at) => {
      touched.push(at);
      await storage.clients.touchSecret(clientId, secretId, at);
    };
    const { kit, fields } = await world({
      clock,
      storage: { ...storage, clients: { ...storage.clients, touchSecret } },
    });
    for (let times = 0; times < 180; times++) {
      clock.set(start + times * second);
      await login(kit, fields);
    }
    expect(touched).toEqual([start, start + minute, start + 2 * minute]);
  });
});

describe('lastRefusal', () => {
  const refusalOf = async ({ kit, client }: Pick<Awaited<ReturnType<typeof world>>, 'kit' | 'client'>) =>
    (await kit.clients.find('acc_a', client.id))._unsafeUnwrap().lastRefusal;

  test('is the last refused login with its reason, to the minute', async () => {
    const clock = testClock();
    const accounts = new Map([['acc_a', { id: 'acc_a', name: 'A', status: 'active', environment: 'prod' }]]);
    const points = { points: 1_000, window: minute };
    const made = await world({
      clock,
      accounts: { find: async (id) => accounts.get(id) },
      limits: { failedLogins: { perClientAndAddress: points }, loginsPerClient: { points: 1, window: 10 * day } },
    });
    const { kit, fields, client, secretId } = made;
    const other = (await kit.clients.create('acc_a', { name: 'other' }))._unsafeUnwrap();
    expect(await refusalOf(made)).toBeUndefined();
    let at = start;
    const refusedFor = async (change: object = {}) => {
      at += minute;
      clock.set(at);
      expect((await login(kit, { ...fields, ...change })).status).not.toBe(200);
      const found = await refusalOf(made);
      expect(found?.at).toBe(at);
      return found?.reason;
    };
    expect(await refusedFor(wrong)).toBe('malformed_secret');
    expect(await refusedFor({ client_secret: other.secret })).toBe('wrong_secret');
    // Less than a minute later.
    clock.set(at + minute - 1);
    await login(kit, { ...fields, ...wrong });
    expect(await refusalOf(made)).toEqual({ at, reason: 'wrong_secret' });
    expect((await login(kit, fields)).status).toBe(200);
    expect(await refusalOf(made)).toEqual({ at, reason: 'wrong_secret' });
    expect(await refusedFor()).toBe('too_many_logins');
    accounts.clear();
    expect(await refusedFor()).toBe('account_not_allowed');
    (await kit.clients.disable('acc_a', client.id))._unsafeUnwrap();
    expect(await refusedFor()).toBe('disabled');
    (await kit.clients.expireSecret('acc_a', client.id, secretId, { at: start }))._unsafeUnwrap();
    expect(await refusedFor()).toBe('expired_secret');
    (await kit.clients.revokeSecret('acc_a', client.id, secretId))._unsafeUnwrap();
    expect(await refusedFor()).toBe('revoked_secret');
    expect(await refusalOf({ kit, client: other.client })).toBeUndefined();
  });

  test('is not written past the limit of failed logins, and its failure refuses as usual', async () => {
    const storage = memoryStorage();
    let notes = 0;
    const noteRefusal = () => {
      notes++;
      return Promise.reject(new Error('down'));
    };
    const { kit, fields } = await world({
      storage: { ...storage, clients: { ...storage.clients, noteRefusal } },
      limits: { failedLogins: { perClientAndAddress: { points: 3, window: minute } } },
    });
    const statuses: number[] = [];
    for (let times = 0; times < 5; times++) statuses.push((await login(kit, { ...fields, ...wrong })).status);
    expect([statuses, notes]).toEqual([[401, 401, 401, 429, 429], 3]);
    await login(kit, { ...fields, client_id: 'no id of ours' });
    expect(notes).toBe(3);
  });
});

test('a token is refused by another platform', async () => {
  const one = await world();
  const two = await world();
  expect((await me(two.kit, await loginToken(one.kit, one))).status).toBe(401);
});

test('an address without points makes no limiter keys, so it cannot evict those of others', async () => {
  const keys = new Set<string>();
  const inner = memoryRateLimiter({ clock: testClock() });
  const limiter: RateLimiter = {
    take: (key, rule) => {
      keys.add(key);
      return inner.take(key, rule);
    },
    refund: inner.refund,
  };
  const { kit } = await world({ shared: { limiter } });
  for (let index = 0; index < 500; index++) {
    const client_id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    await login(kit, { client_id, client_secret: 'wrong' }, { remoteAddress: '198.51.100.9' });
  }
  // Its own key, and two for each of the 100 failures that it had.
  expect([...keys].filter((key) => !key.includes('203.0.113.7')).length).toBeLessThanOrEqual(201);
});
