import { describe, expect, test, vi } from 'vitest';
import type { RateLimiter } from '../../../src/access/tokens/rate-limiter.ts';
import { memoryRateLimiter } from '../../../src/stores/memory/rate-limiter.ts';
import { start, testClock } from '../../support/clock.ts';
import { call, login } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const digest = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'; // of "hello"
const digestOfNothing = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'; // `printf '' | sha256sum`
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
  platform({ imported: { clients: true, ...more }, ...options } as never);

describe('a row that is refused', () => {
  test.each<[string, object, RegExp]>([
    ['an id of 129 characters', { id: 'x'.repeat(129) }, /id: 1 to 128 visible ASCII/],
    ['the id .', { id: '.' }, /id: neither "." nor "\.\."/],
    ['the id ..', { id: '..' }, /id: neither/],
    ['the account ..', { accountId: '..' }, /accountId: neither/],
    ['an id with a line end', { id: 'a\nb' }, /id: 1 to 128/],
    ['no secret', { secrets: [] }, /secrets: one to five/],
    ['six', { secrets: Array(6).fill({ sha256: digest }) }, /secrets: one to five/],
    ['a short secret', { secrets: [{ text: 'short' }] }, /secrets\.0\S*: \{ text \} of 16/],
    ['a digest of another length', { secrets: [{ sha256: 'ab' }] }, /secrets\.0\S*: .*\{ sha256 \} of 64/],
    ['an id that no secret of ours has', { secrets: [{ sha256: digest, id: 'short' }] }, /secrets\.0/],
    ['a digest of zeros', { secrets: [{ sha256: '0'.repeat(64) }] }, /zeros are no digest: .*legacy: true/],
    ['the digest of an empty text', { secrets: [{ sha256: digestOfNothing }] }, /digest of an empty text: hash the/],
    ['seconds', { createdAt: 1_700_000_000 }, /createdAt: in milliseconds since 1970, .*seconds by 1000/],
    ['microseconds', { createdAt: 1_700_000_000_000_000 }, /createdAt: in milliseconds/],
    ['a date', { createdAt: '2023-11-14T22:13:20Z' }, /createdAt: in milliseconds .*Date\.parse/],
    ['a secret that ends with a blank', { secrets: [{ text: `${secret} ` }] }, /white space or a byte order mark/],
    ['a secret that ends with CR', { secrets: [{ text: `${secret}\r` }] }, /white space or a byte order mark/],
    ['a secret that begins with a BOM', { secrets: [{ text: `\ufeff${secret}` }] }, /white space or a byte order mark/],
    [
      'a secret of ours with a typing error',
      { secrets: [{ text: `pk_${'0'.repeat(12)}_${'0'.repeat(49)}` }] },
      /its checksum is wrong/,
    ],
    ['a legacy one that nothing verifies', { secrets: [{ legacy: true }] }, /set the option imported\.legacySecrets/],
    ['an unknown field', { secret }, /secret/],
    ['an unknown account', { accountId: 'nobody' }, /accounts\.find knows no account/],
  ])('client: %s', async (_, more, message) => {
    const { kit } = world();
    const report = (await kit.import.clients([client(more), client({ id: 'good' })] as never))._unsafeUnwrap();
    expect(report.counts).toEqual({ created: 1, unchanged: 0, differs: 0, refused: 1 });
    expect(report.rows[0]).toMatchObject({ row: 0, outcome: 'refused', message: expect.stringMatching(message) });
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  test.each<[string, object, RegExp]>([
    ['a secret of 15 bytes', { secret: 'x'.repeat(15) }, /secret: a text of 16 to 128 bytes/],
    ['a secret of 129 bytes', { secret: 'x'.repeat(129) }, /secret: a text/],
    ['seconds', { createdAt: 1_700_000_000 }, /createdAt: in milliseconds since 1970, .*seconds by 1000/],
    ['the account .', { accountId: '.' }, /accountId: neither/],
    ['a secret that ends with a no-break space', { secret: `${'x'.repeat(16)}\u00a0` }, /white space/],
    ['a secret that ends with a zero-width space', { secret: `${'x'.repeat(16)}\u200b` }, /white space/],
    ['a secret that begins with a blank', { secret: ` ${'x'.repeat(16)}` }, /white space/],
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
    expect(report.rows).toMatchObject([{ row: 0, outcome: 'refused', message: expect.stringMatching(message) }]);
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
    expect((await kit.import.clients([client()]))._unsafeUnwrap().rows[0]?.message).toContain('imported.clients');
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

test('the signal of a login names an imported client, and no text that is none', async () => {
  const { kit, signals } = world({}, { limits: { loginsPerClient: { points: 1, window: 60_000 } } });
  (await kit.import.clients([client()]))._unsafeUnwrap();
  signals.length = 0;
  for (const client_secret of [secret, 'wrong', secret]) await login(kit, { client_id: 'old-1', client_secret });
  await login(kit, { client_id: 'old-2', client_secret: secret });
  expect(signals.filter(({ kind }) => kind === 'login')).toEqual([
    { kind: 'login', outcome: 'granted', clientId: 'old-1' },
    { kind: 'login', outcome: 'refused', clientId: 'old-1' },
    { kind: 'login', outcome: 'limited', clientId: 'old-1' },
    { kind: 'login', outcome: 'refused' },
  ]);
});

test('failed logins of an imported client from many addresses are signalled, and an unknown id is never named', async () => {
  const { kit, signals } = world({}, { limits: { failedLogins: { signalPerClient: { points: 2, window: 60_000 } } } });
  (await kit.import.clients([client()]))._unsafeUnwrap();
  for (const client_id of ['old-1', 'a secret in its place'])
    for (let nth = 0; nth < 4; nth++)
      await login(kit, { client_id, client_secret: 'wrong' }, { remoteAddress: `203.0.113.${nth}` });
  expect(
    new Set(signals.filter(({ kind }) => kind === 'login_failures_high').map((each) => JSON.stringify(each))),
  ).toEqual(new Set([JSON.stringify({ kind: 'login_failures_high', clientId: 'old-1' })]));
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

test.each<[string, (kit: ReturnType<typeof world>['kit']) => Promise<unknown>]>([
  ['it is disabled', async (kit) => kit.clients.disable('acc_a', 'old-1')],
  ['it has another name', async (kit) => kit.clients.update('acc_a', 'old-1', { name: 'New' })],
  [
    'one of its secrets is revoked',
    async (kit) => {
      const [held] = (await kit.clients.find('acc_a', 'old-1'))._unsafeUnwrap().secrets;
      return kit.clients.revokeSecret('acc_a', 'old-1', held?.id ?? '');
    },
  ],
])('a client differs from its row when %s', async (_, change) => {
  const { kit } = world();
  const rows = [client({ secrets: [{ text: secret }, { sha256: digest }] })];
  (await kit.import.clients(rows))._unsafeUnwrap();
  expect((await kit.import.clients(rows))._unsafeUnwrap().counts.unchanged).toBe(1);
  await change(kit);
  expect((await kit.import.clients(rows))._unsafeUnwrap().counts.differs).toBe(1);
});

test.each<[string, object]>([
  ['another value of the delivery header', { deliveryHeader: { name: 'X-Key', value: 'second' } }],
  ['another name of the delivery header', { deliveryHeader: { name: 'X-Other', value: 'first' } }],
  ['no delivery header', { deliveryHeader: undefined }],
  ['another secret', { secret: 'y'.repeat(16) }],
  ['another state', { state: 'disabled' }],
  ['another label', { label: 'x' }],
])('an endpoint differs from a row with %s', async (_, more) => {
  const { kit } = world();
  const row = endpoint({ deliveryHeader: { name: 'X-Key', value: 'first' } });
  (await kit.import.endpoints([row] as never))._unsafeUnwrap();
  expect((await kit.import.endpoints([row] as never))._unsafeUnwrap().counts.unchanged).toBe(1);
  const changed = Object.fromEntries(Object.entries({ ...row, ...more }).filter(([, value]) => value !== undefined));
  expect((await kit.import.endpoints([changed] as never))._unsafeUnwrap().counts.differs).toBe(1);
});

test('an endpoint that was imported as disabled was disabled by the host', async () => {
  const { kit } = world();
  (await kit.import.endpoints([endpoint({ state: 'disabled' })] as never))._unsafeUnwrap();
  const lines = [];
  for await (const line of kit.export({ accounts: ['acc_a'] })) lines.push(line);
  expect(lines).toContainEqual(
    expect.objectContaining({ endpoint: expect.objectContaining({ state: 'disabled', disabledBy: 'host' }) }),
  );
});

test('the secrets of an export that are written as rows keep their origin; zeros are refused', async () => {
  const { kit } = world();
  (await kit.import.clients([client()]))._unsafeUnwrap();
  const lines = [];
  for await (const line of kit.export({ accounts: ['acc_a'] })) if (line.kind === 'client') lines.push(line.client);
  const rows = lines.map(({ accountId, id, name, secrets }) => ({
    ...{ accountId, id, name },
    secrets: secrets.map((each) => ({ sha256: each.digest, id: each.id })),
  }));
  const other = world().kit;
  expect((await other.import.clients(rows))._unsafeUnwrap().counts.created).toBe(1);
  expect((await login(other, { client_id: 'old-1', client_secret: secret })).status).toBe(200);
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

  test.each([['yes'], [1], [{}], ['true'], [[]], [Symbol('true')], [null]])(
    'an answer %s is not true: it logs nobody in',
    async (answer) => {
      const { kit } = world({ legacySecrets: { verify: async () => answer } });
      (await kit.import.clients(rows))._unsafeUnwrap();
      expect((await login(kit, fields)).status).toBe(401);
    },
  );

  test('is not asked beyond a limit of failed logins, whichever id is tried; a known secret still logs in', async () => {
    const verify = vi.fn(async () => false);
    const limits = { failedLogins: { perAddress: { points: 5, window: 60_000 } } };
    const { kit } = world({ legacySecrets: { verify } }, { limits });
    (await kit.import.clients([client({ id: 'known' }), ...(rows as never[])]))._unsafeUnwrap();
    const statuses = new Set<number>();
    for (let times = 0; times < 40; times++)
      statuses.add(
        (await login(kit, { ...fields, client_id: `old-${times}`, client_secret: `wrong ${times}` })).status,
      );
    expect([verify.mock.calls.length, statuses]).toEqual([5, new Set([401, 429])]);
    expect((await login(kit, { client_id: 'known', client_secret: secret })).status).toBe(200);
  });

  test('is asked four times at once, while others wait', async () => {
    let [running, most] = [0, 0];
    const verify = async (): Promise<boolean> => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 20; turn += 1) await undefined;
      running -= 1;
      return true;
    };
    const { kit } = world({ legacySecrets: { verify } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    const guesses = Array.from({ length: 20 }, (_, nth) => ({ ...fields, client_id: `old-${nth}` }));
    const answers = await Promise.all(guesses.map((guess) => login(kit, guess)));
    expect([most, answers.filter(({ status }) => status === 200).length]).toEqual([4, 1]);
  });

  test('logins at once with one secret are one call, also beyond the limit of failed logins', async () => {
    const verify = vi.fn(async () => true);
    const { kit } = world({ legacySecrets: { verify } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(kit, fields)));
    expect([new Set(answers.map(({ status }) => status)), verify.mock.calls.length]).toEqual([new Set([200]), 1]);
  });

  test('that answers before the other logins come is no reason to refuse them; a second later it is', async () => {
    const clock = testClock();
    const memory = memoryRateLimiter({ clock });
    // Its answers come one after the other, as over a network.
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const limiter: RateLimiter = {
      take: (key, rule) => turn().then(() => memory.take(key, rule)),
      refund: (key) => turn().then(() => memory.refund(key)),
    };
    const failedLogins = { perClientAndAddress: { points: 2, window: 60_000 } };
    const verify = (_: string, text: string) => text === secret;
    const { kit } = world({ legacySecrets: { verify } }, { clock, limits: { failedLogins }, shared: { limiter } });
    (await kit.import.clients(rows))._unsafeUnwrap();
    const statusOf = async (client_secret: string) => (await login(kit, { ...fields, client_secret })).status;
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => statusOf(secret)));
    expect(atOnce).toEqual(Array(20).fill(200));
    expect([await statusOf('wrong'), await statusOf('wrong'), await statusOf('wrong')]).toEqual([401, 401, 429]);
    expect(await statusOf(secret)).toBe(200);
    clock.set(start + 1_000);
    expect(await statusOf(secret)).toBe(429);
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
    ['a token that was issued more than a minute ahead', { issuedAt: Math.floor(start / 1_000) + 61 }],
  ])('%s is refused', async (_, claims) => {
    expect((await me((await imported(claims)).kit)).status).toBe(401);
  });

  test('a token that was issued a minute ahead is accepted, and ends with the others', async () => {
    const { kit } = await imported({ issuedAt: Math.floor(start / 1_000) + 60 });
    expect((await me(kit)).status).toBe(200);
    (await kit.clients.revokeTokens('acc_a', 'old-1'))._unsafeUnwrap();
    expect((await me(kit)).status).toBe(401);
  });

  test.each([
    [{ expiresAt: 4_000_000_000_000 }],
    [{ issuedAt: 1_700_000_000_000 }],
    ['old-1' as never],
    [true as never],
  ])('claims that are none, such as times in milliseconds, are an error of the host: %j', async (claims) => {
    const verify = async () =>
      typeof claims === 'object' ? { clientId: 'old-1', issuedAt: 1, expiresAt: 4_000_000_000, ...claims } : claims;
    const { kit, signals } = world({ legacyTokens: { verify } });
    (await kit.import.clients([client()]))._unsafeUnwrap();
    expect((await me(kit)).status).toBe(503);
    expect(signals).toContainEqual(expect.objectContaining({ kind: 'request_failed', status: 503 }));
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

test('a login with an accepted scope of an earlier API is granted USER, and told so (RFC 6749 §5.1)', async () => {
  const { kit } = world({}, { oauth: { acceptedScopes: ['payments.read'] } });
  (await kit.import.clients([client()]))._unsafeUnwrap();
  const fields = { client_id: 'old-1', client_secret: secret };
  const old = await login(kit, { ...fields, scope: 'payments.read' });
  expect([old.status, JSON.parse(old.body).scope]).toEqual([200, 'USER']);
  const headers = { authorization: `Bearer ${JSON.parse(old.body).access_token}` };
  expect((await call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', { headers })).status).toBe(200);
  expect(JSON.parse((await login(kit, fields)).body)).not.toHaveProperty('scope');
  expect((await login(kit, { ...fields, scope: 'other' })).status).toBe(400);
  expect(() => world({}, { oauth: { acceptedScopes: ['two words'] } })).toThrow('oauth.acceptedScopes');
});

test('pathAliases of the host: the same answers at the old paths', async () => {
  const { kit } = world({}, { api: { pathAliases: { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] } } });
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
  expect(() => world({}, { api: { pathAliases: { login: ['no slash'] } } })).toThrow('pathAliases');
});
