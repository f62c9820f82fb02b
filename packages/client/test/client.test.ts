import { describe, expect, test } from 'vitest';
import { createPartnerClient, PartnerApiError, type PartnerClient, unwrap } from '../src/index.ts';
import { afterLogin, organisationId, payment, platform, problem } from './support/platform.ts';

const me = '/api/v1/partner/organisations/{organisationId}/me';
const list = '/api/v1/partner/organisations/{organisationId}/payment-requests';
const params = { path: { organisationId } };

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

  test('a platform with another base path is named, with the remedy', async () => {
    const elsewhere = Response.json({ message: 'Route not found', error: 'Not Found' }, { status: 404 });
    const { client } = await platform({}, () => elsewhere.clone());
    await expect(client.GET(me, { params })).rejects.toMatchObject({
      code: 'unexpected_answer',
      message:
        '404 unexpected_answer: there is no token endpoint at https://api.platform.example/api/v1/partner/login. If the ' +
        "platform has another base path, set tokenUrl, and generate the types from the platform's document.",
    });
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

  /** Answers pages that never end; asking on and on fails. */
  const endless = (nexts: readonly string[]) =>
    afterLogin((_request, count) => {
      const next = nexts[count - 1];
      if (next === undefined) throw new TypeError('A page too many.');
      return Response.json({ items: [{ id: next }], next });
    });
  const idsOf = async (client: PartnerClient, query: object, ids: string[]) => {
    for await (const { id } of client.items(list, { params: { ...params, query } })) ids.push(id);
  };

  test('one next is never followed twice', async () => {
    const { client } = await platform({ maxAttempts: 1 }, endless(['a', 'b', 'a']));
    const ids: string[] = [];
    await expect(idsOf(client, {}, ids)).rejects.toThrow(
      `items: the platform answered the same next twice, in ${list}.`,
    );
    expect(ids).toEqual(['a', 'b', 'a']);
  });

  test('the cursor of the caller is not followed again', async () => {
    const { client } = await platform({ maxAttempts: 1 }, endless(['mine']));
    await expect(idsOf(client, { after: 'mine' }, [])).rejects.toThrow('the same next twice');
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
