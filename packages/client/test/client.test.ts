import { describe, expect, test } from 'vitest';
import { createPartnerClient, PartnerApiError, unwrap } from '../src/index.ts';
import { type Intercept, organisationId, payment, platform } from './support/platform.ts';

const me = '/api/v1/partner/organisations/{organisationId}/me';
const list = '/api/v1/partner/organisations/{organisationId}/payment-requests';
const params = { path: { organisationId } };

const problem = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify({ title: 'No', status, code: 'too_many_requests', detail: 'Wait.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

/** Intercepts all requests but logins. */
const afterLogin =
  (answer: (request: Request, count: number) => Response | undefined): Intercept =>
  (request, count) =>
    request.url.endsWith('/login') ? undefined : answer(request, count - 1);

describe('login', () => {
  test('many callers share one, with HTTP Basic and the scope', async () => {
    const { client, sent, logins, key } = await platform();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.GET(me, { params })));
    expect(answers.map(({ data }) => data?.id)).toEqual(Array(20).fill(organisationId));
    expect(logins()).toBe(1);
    expect(sent[0]?.headers.get('authorization')).toBe(`Basic ${btoa(`${key.client.id}:${key.secret}`)}`);
    expect(await sent[0]?.text()).toBe('grant_type=client_credentials&scope=USER');
  });

  test('the token is kept until a minute before it expires', async () => {
    const { client, clock, logins } = await platform();
    const lifetime = 30 * 86_400_000;
    for (const [wait, count] of [
      [0, 1],
      [lifetime - 60_001, 1],
      [1, 2],
    ] as const) {
      clock.advance(wait);
      await client.GET(me, { params });
      expect(logins()).toBe(count);
    }
  });

  test('a token that was revoked is replaced, and the request repeated once', async () => {
    const { client, kit, key, logins } = await platform();
    await unwrap(client.GET(me, { params }));
    // A new secret, and the end of every token.
    expect((await kit.clients.revokeTokens(organisationId, key.client.id)).isOk()).toBe(true);
    const { data } = await client.POST(list, { params, body: payment });
    expect([data?.name, logins()]).toEqual([payment.name, 2]);
  });

  test('a platform that refuses every token is asked twice', async () => {
    const { client, sent } = await platform(
      {},
      afterLogin(() => problem(401)),
    );
    const { response } = await client.GET(me, { params });
    expect([response.status, sent.length]).toEqual([401, 4]);
  });

  test('a refused login rejects with its code, for all who wait, and the next call tries again', async () => {
    const { client, logins, key } = await platform({ clientSecret: 'wrong' });
    const calls = await Promise.allSettled([client.GET(me, { params }), client.GET(me, { params })]);
    for (const call of calls) {
      const { reason } = call as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(PartnerApiError);
      expect(reason).toMatchObject({ status: 401, code: 'invalid_client' });
      expect(JSON.stringify([reason, String(reason), reason.stack])).not.toContain(key.secret);
    }
    await expect(client.GET(me, { params })).rejects.toMatchObject({ code: 'invalid_client' });
    expect(logins()).toBe(2);
  });

  test.each([
    ['no JSON', new Response('<html>')],
    ['no token', Response.json({ expires_in: 3 })],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } })],
  ])('an answer with %s is not a login', async (_name, answer) => {
    const { client } = await platform({}, () => answer.clone());
    await expect(client.GET(me, { params })).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  test('a caller that gives up does not end the login of the others', async () => {
    const { client, logins } = await platform();
    const giveUp = new AbortController();
    const given = client.GET(me, { params, signal: giveUp.signal });
    const kept = client.GET(me, { params });
    giveUp.abort(new Error('too late'));
    await expect(given).rejects.toThrow('too late');
    expect((await kept).data?.id).toBe(organisationId);
    expect(logins()).toBe(1);
  });
});

describe('retries', () => {
  test.each([
    [429, '7', 7_000],
    [503, '0', 0],
    [503, 'Fri, 01 Jan 2027 00:00:20 GMT', 20_000],
  ])('after %i, Retry-After: %s is waited for', async (status, retryAfter, wait) => {
    const failing = afterLogin((_request, count) =>
      count === 1 ? problem(status, { 'retry-after': retryAfter }) : undefined,
    );
    const { client, clock, sent } = await platform({}, failing);
    expect((await client.GET(me, { params })).data?.id).toBe(organisationId);
    expect([clock.sleeps, sent.length]).toEqual([[wait], 3]);
  });

  test('a Retry-After as long as maxWait is waited for', async () => {
    const failing = afterLogin((_request, count) => (count === 1 ? problem(429, { 'retry-after': '5' }) : undefined));
    const { client, clock } = await platform({ maxWait: 5_000 }, failing);
    expect((await client.GET(me, { params })).data?.id).toBe(organisationId);
    expect(clock.sleeps).toEqual([5_000]);
  });

  test('without Retry-After each wait is up to twice as long as the one before', async () => {
    const { client, clock, sent } = await platform(
      {},
      afterLogin(() => problem(503)),
    );
    const { error, response } = await client.GET(me, { params });
    expect([response.status, error?.code, sent.length]).toEqual([503, 'too_many_requests', 5]);
    expect(clock.sleeps).toHaveLength(3);
    for (const [index, wait] of clock.sleeps.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    }
  });

  test('a longer Retry-After than maxWait, and the last attempt, return the answer', async () => {
    const long = await platform(
      { maxWait: 5_000 },
      afterLogin(() => problem(429, { 'retry-after': '6' })),
    );
    expect((await long.client.GET(me, { params })).response.headers.get('retry-after')).toBe('6');
    expect([long.clock.sleeps, long.sent.length]).toEqual([[], 2]);
    const once = await platform(
      { maxAttempts: 1 },
      afterLogin(() => problem(503)),
    );
    expect((await once.client.GET(me, { params })).response.status).toBe(503);
    expect(once.sent).toHaveLength(2);
  });

  test('of a POST have the same body and idempotency key, so that it takes effect once', async () => {
    const lost = afterLogin((_request, count) => {
      if (count === 2) throw new TypeError('fetch failed');
      return count === 1 ? problem(503) : undefined;
    });
    const { client, sent } = await platform({}, lost);
    const { data } = await client.POST(list, { params, body: payment });
    expect(data?.status).toBe('pending');
    const [, ...posts] = sent;
    const keys = posts.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(await Promise.all(posts.map((post) => post.json()))).toEqual([payment, payment, payment]);
  });

  test('two POSTs have two keys, and a given key stays', async () => {
    const { client, sent } = await platform();
    await client.POST(list, { params, body: payment });
    await client.POST(list, { params, body: payment });
    await client.POST(list, { params: { ...params, header: { 'Idempotency-Key': 'mine' } }, body: payment });
    const keys = sent.slice(1).map(({ headers }) => headers.get('idempotency-key'));
    expect([new Set(keys).size, keys[2]]).toEqual([3, 'mine']);
  });

  test('a lost connection repeats what is safe to repeat, and rejects otherwise', async () => {
    const broken = afterLogin(() => {
      throw new TypeError('fetch failed');
    });
    const { client, sent } = await platform({}, broken);
    await expect(client.GET(me, { params })).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(5);
    const path = `${list}/{id}` as const;
    const change = { params: { path: { organisationId, id: 'x' } }, body: { name: 'New' } };
    await expect(client.PATCH(path, change)).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(6);
  });

  test('an aborted request is not repeated', async () => {
    const giveUp = new AbortController();
    const aborting = afterLogin(() => {
      giveUp.abort(new Error('enough'));
      throw new TypeError('aborted');
    });
    const { client, sent } = await platform({}, aborting);
    await expect(client.GET(me, { params, signal: giveUp.signal })).rejects.toThrow('aborted');
    expect(sent).toHaveLength(2);
  });
});

describe('items', () => {
  test('are those of every page, in order, and a page is asked for when it is needed', async () => {
    const { client, sent } = await platform();
    for (let count = 0; count < 7; count += 1)
      await unwrap(client.POST(list, { params, body: { ...payment, name: `No. ${count}` } }));
    const before = sent.length;
    const names: string[] = [];
    for await (const { name } of client.items(list, { params: { ...params, query: { limit: 3 } } })) {
      names.push(name);
      if (names.length === 3) expect(sent.length - before).toBe(1);
    }
    expect(sent.length - before).toBe(3);
    // Payments of one millisecond have no order of creation.
    const { items } = await unwrap(client.GET(list, { params: { ...params, query: { limit: 100 } } }));
    expect(names).toEqual(items.map(({ name }) => name));
    expect(names.toSorted()).toEqual(Array.from({ length: 7 }, (_, count) => `No. ${count}`));
  });

  test('filters with several values are written as the platform reads them', async () => {
    const { client, sent } = await platform();
    const query = { status: ['pending' as const, 'payed' as const] };
    await unwrap(client.GET(list, { params: { ...params, query } }));
    expect(new URL(sent[1]?.url ?? '').search).toBe('?status=pending,payed');
  });

  test('a refused page throws its problem', async () => {
    const { client } = await platform();
    const items = client.items(list, { params: { ...params, query: { after: 'x' } } });
    await expect(items.next()).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
  });
});

describe('problems', () => {
  test('are typed, and unwrap throws them with the request id', async () => {
    const { client } = await platform();
    const elsewhere = client.GET(me, { params: { path: { organisationId: 'org_other' } } });
    const refused = await unwrap(elsewhere).catch((cause: unknown) => cause);
    expect(refused).toBeInstanceOf(PartnerApiError);
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^404 not_found: /),
      problem: { status: 404, code: 'not_found' },
      requestId: (await elsewhere).response.headers.get('x-request-id'),
    });
  });

  test('list the wrong fields', async () => {
    const { client } = await platform();
    const { error } = await client.POST(list, { params, body: { ...payment, name: '' } });
    expect(error).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/name' }] });
  });
});

describe('the secret and the token stay with the platform', () => {
  const options = { clientId: 'id', clientSecret: 'secret' };

  test.each(['http://api.example', 'ftp://x', 'x'])('%s is refused', (address) => {
    expect(() => createPartnerClient({ ...options, baseUrl: address })).toThrow('baseUrl must be an https address');
    expect(() => createPartnerClient({ ...options, baseUrl: 'https://x', tokenUrl: address })).toThrow(
      'tokenUrl must be an https address',
    );
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:1'])('%s is loopback', (baseUrl) => {
    expect(createPartnerClient({ ...options, baseUrl })).toBeDefined();
  });

  test('an empty id or secret is refused', () => {
    for (const name of ['clientId', 'clientSecret'])
      expect(() => createPartnerClient({ ...options, baseUrl: 'https://x', [name]: '' })).toThrow(`${name} is empty`);
  });

  test('another origin gets no token, and a redirect is not followed', async () => {
    const moved = new Response(null, { status: 307, headers: { location: 'https://evil.example' } });
    const { client, sent } = await platform(
      {},
      afterLogin(() => moved),
    );
    await expect(client.GET(me, { params, baseUrl: 'https://evil.example' })).rejects.toThrow('is not sent to');
    expect(sent).toHaveLength(0);
    expect((await client.GET(me, { params })).response.status).toBe(307);
    expect(sent.map(({ url, redirect }) => [new URL(url).host, redirect])).toEqual([
      ['api.platform.example', 'manual'],
      ['api.platform.example', 'manual'],
    ]);
  });
});
