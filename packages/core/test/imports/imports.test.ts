import { describe, expect, test, vi } from 'vitest';
import { call, login } from '../support/http.ts';
import { platform } from '../support/kit.ts';

const digest = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'; // of "hello"
const secret = 'a random text of another form';
const client = (more: object = {}) => ({
  accountId: 'acc_a',
  id: 'old-1',
  name: 'Old',
  secrets: [{ text: secret }],
  ...more,
});
const endpoint = (more: object = {}) => ({
  ...{
    accountId: 'acc_a',
    reference: 'h1',
    url: 'https://partner.example/',
    events: ['payed'],
    secret: 'x'.repeat(16),
  },
  ...more,
});
const world = (more: object = {}, options: object = {}) =>
  platform({ oauth: { importedClients: true, ...more }, ...options } as never);

describe('a row that is refused', () => {
  test.each<[string, object, RegExp]>([
    ['an id of 129 characters', { id: 'x'.repeat(129) }, /id: 1 to 128 visible ASCII/],
    ['an id with a line end', { id: 'a\nb' }, /id: 1 to 128/],
    ['no secret', { secrets: [] }, /secrets: one to five/],
    ['six', { secrets: Array(6).fill({ sha256: digest }) }, /secrets: one to five/],
    ['a short secret', { secrets: [{ text: 'short' }] }, /secrets\.0\S*: \{ text \} of 16/],
    ['a digest of another length', { secrets: [{ sha256: 'ab' }] }, /secrets\.0\S*: .*\{ sha256 \} of 64/],
    ['an id that no secret of ours has', { secrets: [{ sha256: digest, id: 'short' }] }, /secrets\.0/],
    ['a legacy one that nothing verifies', { secrets: [{ legacy: true }] }, /set the option oauth\.legacySecrets/],
    ['an unknown field', { secret }, /secret/],
    ['an unknown account', { accountId: 'nobody' }, /accounts\.find knows no account/],
  ])('client: %s', async (_, more, message) => {
    const { kit } = world();
    const report = (await kit.import.clients([client(more), client({ id: 'good' })] as never))._unsafeUnwrap();
    expect(report.counts).toEqual({ created: 1, unchanged: 0, differs: 0, refused: 1 });
    expect(report.rows[0]).toEqual({ row: 0, outcome: 'refused', message: expect.stringMatching(message) });
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  test.each<[string, object, RegExp]>([
    ['a secret of 15 bytes', { secret: 'x'.repeat(15) }, /secret: a text of 16 to 128 bytes/],
    ['a secret of 129 bytes', { secret: 'x'.repeat(129) }, /secret: a text/],
    [
      'a secret that Standard Webhooks cannot use',
      { standardWebhooks: true },
      /secret: Standard Webhooks needs whsec_/,
    ],
    ['a URL without HTTPS', { url: 'http://partner.example' }, /url: must be HTTPS/],
    ['an unknown event', { events: ['paid'] }, /events/],
    ['no reference', { reference: '' }, /reference/],
    ['an unknown account', { accountId: 'nobody' }, /knows no account/],
  ])('endpoint: %s', async (_, more, message) => {
    const { kit } = world();
    const report = (await kit.import.endpoints([endpoint(more)] as never))._unsafeUnwrap();
    expect(report.rows).toEqual([{ row: 0, outcome: 'refused', message: expect.stringMatching(message) }]);
  });

  test('a client of another account', async () => {
    const { kit } = world();
    (await kit.import.clients([client()]))._unsafeUnwrap();
    const report = (await kit.import.clients([client({ accountId: 'acc_b' })]))._unsafeUnwrap();
    expect(report.rows[0]?.message).toContain('another account');
  });

  test('too many endpoints, and too many rows', async () => {
    const { kit } = world({}, { webhooks: { maxEndpoints: 1 } });
    const rows = [endpoint(), endpoint({ reference: 'h2' })];
    expect((await kit.import.endpoints(rows as never))._unsafeUnwrap().rows[1]?.message).toContain('maxEndpoints');
    expect((await kit.import.endpoints(Array(1_001).fill(endpoint()) as never))._unsafeUnwrapErr().code).toBe(
      'invalid_input',
    );
  });

  test('without the option, clients are refused: they could not log in', async () => {
    const { kit } = platform();
    expect((await kit.import.clients([client()]))._unsafeUnwrap().rows[0]?.message).toContain('importedClients');
  });
});

test('a dry run says what an import would do, and stores nothing', async () => {
  const { kit, signals } = world();
  const created = { created: 1, unchanged: 0, differs: 0, refused: 0 };
  expect((await kit.import.clients([client()], { dryRun: true }))._unsafeUnwrap()).toEqual({
    ...{ isDryRun: true, counts: created, rows: [{ row: 0, id: 'old-1', outcome: 'created' }] },
  });
  const report = (await kit.import.endpoints([endpoint()] as never, { dryRun: true }))._unsafeUnwrap();
  expect(report).toMatchObject({ isDryRun: true, counts: created });
  expect((await kit.clients.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
  expect((await kit.endpoints.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
  expect(signals).toEqual([]);
});

test('an imported client that is disabled cannot log in until it is enabled', async () => {
  const { kit } = world();
  (await kit.import.clients([client({ disabled: true })]))._unsafeUnwrap();
  const fields = { client_id: 'old-1', client_secret: secret };
  expect((await login(kit, fields)).status).toBe(401);
  (await kit.clients.enable('acc_a', 'old-1'))._unsafeUnwrap();
  expect((await login(kit, fields)).status).toBe(200);
});

test('the signal of a login names an imported client once it is known to be one', async () => {
  const { kit, signals } = world({}, { limits: { loginsPerClient: { points: 1, window: 60_000 } } });
  (await kit.import.clients([client()]))._unsafeUnwrap();
  signals.length = 0;
  for (const client_secret of [secret, 'wrong', secret]) await login(kit, { client_id: 'old-1', client_secret });
  expect(signals.filter(({ kind }) => kind === 'login')).toEqual([
    { kind: 'login', outcome: 'granted', clientId: 'old-1' },
    { kind: 'login', outcome: 'refused' },
    { kind: 'login', outcome: 'limited', clientId: 'old-1' },
  ]);
});

test('a digest may be written in capitals', async () => {
  const { kit } = world();
  const text = 'hello';
  (await kit.import.clients([client({ secrets: [{ sha256: digest.toUpperCase() }] })]))._unsafeUnwrap();
  expect((await login(kit, { client_id: 'old-1', client_secret: text })).status).toBe(200);
});

test('of two imports at once, one stores and the other finds it', async () => {
  const { kit } = world();
  const pairs = await Promise.all([
    Promise.all([1, 2].map(() => kit.import.clients([client()]))),
    Promise.all([1, 2].map(() => kit.import.endpoints([endpoint()] as never))),
  ]);
  for (const reports of pairs) {
    const outcomes = reports.map((report) => report._unsafeUnwrap().rows[0]?.outcome);
    expect(outcomes.toSorted()).toEqual(['created', 'unchanged']);
  }
});

test('one reference in two accounts is two endpoints', async () => {
  const { kit } = world();
  const rows = [endpoint(), endpoint({ accountId: 'acc_b' })];
  const report = (await kit.import.endpoints(rows as never))._unsafeUnwrap();
  expect(report.counts.created).toBe(2);
  expect(new Set(report.rows.map(({ id }) => id)).size).toBe(2);
});

test('an imported endpoint that is disabled receives nothing, and is signalled with the change', async () => {
  const { kit, signals, sender } = world();
  (await kit.import.endpoints([endpoint({ state: 'disabled' })] as never))._unsafeUnwrap();
  await kit.events.publish(
    { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
    { tx: 'new' },
  );
  await kit.worker().drain();
  expect(sender.posts).toEqual([]);
  expect(signals).toContainEqual(expect.objectContaining({ kind: 'endpoint', change: 'imported' }));
});

describe('legacySecrets', () => {
  const rows = [client({ secrets: [{ legacy: true }] })] as never;
  const fields = { client_id: 'old-1', client_secret: secret };

  test('is asked each time, also for clients that do not exist, and never for a secret of our form', async () => {
    const verify = vi.fn(async (_: string, text: string) => text === secret);
    const { kit } = world({ legacySecrets: { verify } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    expect((await login(kit, fields)).status).toBe(200);
    expect((await login(kit, fields)).status).toBe(200);
    expect((await login(kit, { ...fields, client_id: 'nobody' })).status).toBe(401);
    expect((await login(kit, { ...fields, client_secret: 'wrong' })).status).toBe(401);
    expect(verify).toHaveBeenCalledTimes(4);
    const own = (await kit.clients.create('acc_a', { name: 'own' }))._unsafeUnwrap();
    expect((await login(kit, { client_id: own.client.id, client_secret: own.secret })).status).toBe(200);
    expect((await login(kit, { ...fields, client_secret: own.secret })).status).toBe(401);
    expect((await login(kit, { client_id: own.client.id, client_secret: secret })).status).toBe(401);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  test('is never asked for what can be no id, or for a secret of our form with a typing error', async () => {
    const verify = vi.fn(async () => true);
    const { kit } = world({ legacySecrets: { verify } });
    const own = (await kit.clients.create('acc_a', { name: 'own' }))._unsafeUnwrap();
    const misspelt = `${own.secret.slice(0, -1)}${own.secret.endsWith('0') ? '1' : '0'}`;
    for (const change of [{ client_id: 'x'.repeat(129) }, { client_id: 'old\n1' }, { client_secret: misspelt }])
      expect((await login(kit, { ...fields, ...change })).status).toBe(401);
    expect(verify).not.toHaveBeenCalled();
  });

  test('storeDigest: asked once; the client logs in without it', async () => {
    const verify = vi.fn(async () => true);
    const { kit, signals } = world({ legacySecrets: { verify, storeDigest: true } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    expect((await login(kit, fields)).status).toBe(200);
    expect((await login(kit, fields)).status).toBe(200);
    expect(verify).toHaveBeenCalledTimes(1);
    const adopted = { kind: 'client', change: 'secret_adopted', accountId: 'acc_a', clientId: 'old-1' };
    expect(signals).toContainEqual({ ...adopted, by: { type: 'host' } });
    expect((await kit.import.clients(rows))._unsafeUnwrap().counts.unchanged).toBe(1);
  });

  test('a verifier that rejects is 503, and logs nobody in', async () => {
    const { kit } = world({ legacySecrets: { verify: async () => Promise.reject(new Error(secret)) } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    const answer = await login(kit, fields);
    expect([answer.status, answer.body.includes(secret)]).toEqual([503, false]);
  });

  test('a disabled client and a revoked secret are refused', async () => {
    const { kit } = world({ legacySecrets: { verify: async () => true } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    (await kit.clients.disable('acc_a', 'old-1'))._unsafeUnwrap();
    expect((await login(kit, fields)).status).toBe(401);
    (await kit.clients.enable('acc_a', 'old-1'))._unsafeUnwrap();
    const [held] = (await kit.clients.find('acc_a', 'old-1'))._unsafeUnwrap().secrets;
    (await kit.clients.revokeSecret('acc_a', 'old-1', held?.id ?? ''))._unsafeUnwrap();
    expect((await login(kit, fields)).status).toBe(401);
  });

  test('failed logins have the same limits', async () => {
    const limits = { failedLogins: { perClientAndAddress: { points: 2, window: 1_000 } } };
    const { kit } = world({ legacySecrets: { verify: async () => false } }, { limits });
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push((await login(kit, fields)).status);
    expect(answers).toEqual([401, 401, 429]);
  });
});

describe('legacyTokens', () => {
  const me = (kit: Parameters<typeof call>[0], account = 'acc_a', token = 'old.token') =>
    call(kit, 'GET', `/api/v1/partner/organisations/${account}/me`, { headers: { authorization: `Bearer ${token}` } });
  const tokens = (claims: object = {}) => ({
    verify: async (token: string) =>
      token === 'old.token' ? { clientId: 'old-1', issuedAt: 1, expiresAt: 4_000_000_000, ...claims } : undefined,
  });
  const imported = async (claims?: object) => {
    const made = world({ legacyTokens: tokens(claims) });
    (await made.kit.import.clients([client()]))._unsafeUnwrap();
    return made;
  };

  test('reaches what the client reaches', async () => {
    const { kit } = await imported();
    expect((await me(kit)).status).toBe(200);
    expect((await me(kit, 'acc_child')).status).toBe(200);
    expect((await me(kit, 'acc_b')).status).toBe(404);
    expect((await me(kit, 'acc_a', 'other.token')).status).toBe(401);
  });

  test.each([
    ['an expired token', { expiresAt: 2 }],
    ['a client that was not imported', { clientId: 'nobody' }],
    ['another environment', { environment: 'dev' }],
    ['times that are none', { issuedAt: Number.NaN }],
  ])('%s is refused', async (_, claims) => {
    expect((await me((await imported(claims)).kit)).status).toBe(401);
  });

  test.each<[string, (kit: Awaited<ReturnType<typeof imported>>['kit']) => Promise<unknown>]>([
    ['its client is disabled', async (kit) => kit.clients.disable('acc_a', 'old-1')],
    ['the tokens of its client are revoked', async (kit) => kit.clients.revokeTokens('acc_a', 'old-1')],
    ['it is revoked', async (kit) => kit.clients.revokeToken('acc_a', 'old.token')],
    ['its client is deleted', async (kit) => kit.clients.delete('acc_a', 'old-1')],
    [
      'the last secret of its client is revoked',
      async (kit) => {
        const [held] = (await kit.clients.find('acc_a', 'old-1'))._unsafeUnwrap().secrets;
        (await kit.clients.revokeSecret('acc_a', 'old-1', held?.id ?? ''))._unsafeUnwrap();
      },
    ],
  ])('ends when %s', async (_, act) => {
    const { kit } = await imported();
    expect((await me(kit)).status).toBe(200);
    await act(kit);
    expect((await me(kit)).status).toBe(401);
  });
});

test('pathAliases of the host: the same answers at the old paths', async () => {
  const { kit } = world({}, { http: { pathAliases: { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] } } });
  (await kit.import.clients([client()]))._unsafeUnwrap();
  const body = JSON.stringify({
    grant_type: 'client_credentials',
    scope: 'USER',
    client_id: 'old-1',
    client_secret: secret,
  });
  const options = { body, headers: { 'content-type': 'application/json' } };
  for (const path of ['/partner/v2/oauth', '/partner/v2/login', '/api/v1/partner/login']) {
    const answer = await call(kit, 'POST', path, options);
    expect(answer.status, path).toBe(200);
    const headers = { authorization: `Bearer ${JSON.parse(answer.body).access_token}` };
    expect((await call(kit, 'GET', '/partner/v2/organisations/acc_a/me', { headers })).status).toBe(200);
  }
  expect(() => world({}, { http: { pathAliases: { login: ['no slash'] } } })).toThrow('pathAliases');
});
