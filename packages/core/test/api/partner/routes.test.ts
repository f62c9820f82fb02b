import { describe, expect, test } from 'vitest';
import type { Route } from '../../../src/base/http/route.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { call, loginToken, request } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const paths = (options: Parameters<typeof platform>[0] = {}) =>
  platform(options).kit.routes.map(({ path, aliases, methods, maxBodyBytes }) => [
    methods.join(),
    path,
    maxBodyBytes,
    ...(aliases ?? []),
  ]);
const jwks = async () => ({ keys: [{ kty: 'EC', kid: 'k1' }] });

describe('the route table', () => {
  test('golden (specification §4)', () => {
    expect(paths()).toEqual([
      ['POST', '/api/v1/partner/login', 8_192],
      ['POST', '/api/v1/partner/revoke', 8_192],
      ['GET', '/api/v1/partner/organisations/:organisationId/me', 0],
      ['GET', '/api/v1/partner/organisations/:organisationId/children', 0],
      ['', '/api/v1/partner/*', 0],
    ]);
  });

  test('golden: with keys to publish, the second presentation, and another base', () => {
    expect(
      paths({ tokens: { ...memoryAccessTokens(), jwks }, api: { pathAliases: true, basePath: '/x.y/v2' } }),
    ).toEqual([
      ['POST', '/x.y/v2/login', 8_192, '/v1/partner/login', '/oauth/token'],
      ['POST', '/x.y/v2/revoke', 8_192, '/v1/partner/revoke'],
      ['GET', '/x.y/v2/organisations/:organisationId/me', 0, '/v1/partner/organisations/:organisationId/me'],
      [
        'GET',
        '/x.y/v2/organisations/:organisationId/children',
        0,
        '/v1/partner/organisations/:organisationId/children',
      ],
      ['GET', '/x.y/v2/jwks.json', 0, '/v1/partner/jwks.json'],
      ['', '/x.y/v2/*', 0, '/v1/partner/*'],
    ]);
  });
});

test('golden: what does not exist under the base', async () => {
  const { kit } = platform();
  for (const [method, target] of [
    ['GET', '/api/v1/partner/nothing'],
    ['DELETE', '/api/v1/partner/'],
    ['POST', '/api/v1/partner/login/'],
    ['GET', '/api/v1/partner/jwks.json'],
  ] as const) {
    const response = await call(kit, method, target);
    const body =
      '{"title":"Not Found","status":404,"code":"not_found","detail":"There is nothing here that this client may access."}';
    expect(response).toEqual({
      status: 404,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'content-length': String(body.length),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      body,
    });
  }
});

describe('jwks.json', () => {
  test('golden: public, and cacheable for five minutes', async () => {
    const { kit } = platform({ tokens: { ...memoryAccessTokens(), jwks } });
    expect(await call(kit, 'GET', '/api/v1/partner/jwks.json')).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/jwk-set+json',
        'cache-control': 'public, max-age=300',
        'content-length': '34',
        etag: '"4a12b76eeb4b4dd8d1668125b4fa9779"',
      },
      body: '{"keys":[{"kty":"EC","kid":"k1"}]}',
    });
  });

  test('keys that fail to load: 503', async () => {
    const { kit } = platform({ tokens: { ...memoryAccessTokens(), jwks: () => Promise.reject(new Error('SECRET')) } });
    const response = await call(kit, 'GET', '/api/v1/partner/jwks.json');
    expect([response.status, response.body.includes('SECRET')]).toEqual([503, false]);
  });
});

describe('GET …/me', () => {
  const world = async () => {
    const made = platform();
    const token = await loginToken(made.kit, (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    return { ...made, authorization: `Bearer ${token}` };
  };

  test('ignores a body', async () => {
    const { kit, authorization } = await world();
    for (const body of ['', 'x', { tooLarge: true } as const, { parsed: {} }]) {
      const response = await call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', {
        headers: { authorization },
        body,
      });
      expect(response.status).toBe(200);
    }
  });

  test('shows the four fields of the specification, whatever else an account has', async () => {
    const account = { id: 'acc_a', name: 'Own', status: 'active', environment: 'prod', parentId: 'p', iban: 'SECRET' };
    const made = platform({ accounts: { find: async () => account } });
    const token = await loginToken(made.kit, (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    const response = await call(made.kit, 'GET', '/api/v1/partner/organisations/acc_a/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.body).toBe('{"id":"acc_a","name":"Own","status":"active","environment":"prod"}');
  });

  test('another method is 405, before the token is checked', async () => {
    const { kit } = platform();
    const response = await call(kit, 'POST', '/api/v1/partner/organisations/acc_a/me');
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  test('HEAD', async () => {
    const { kit, authorization } = await world();
    const get = await call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', { headers: { authorization } });
    expect(await call(kit, 'HEAD', '/api/v1/partner/organisations/acc_a/me', { headers: { authorization } })).toEqual({
      ...get,
      body: '',
    });
  });
});

describe('a route of the host', () => {
  const world = async (handle: Parameters<ReturnType<typeof platform>['kit']['accountRoute']>[2]) => {
    const made = platform();
    const token = await loginToken(made.kit, (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    const route = made.kit.accountRoute('POST', '/organisations/:organisationId/payments', handle, { right: 'none' });
    const ask = (accountId: string, body: Parameters<typeof request>[2] = {}) =>
      route.handle(
        request('POST', `/api/v1/partner/organisations/${accountId}/payments`, {
          headers: { authorization: `Bearer ${token}` },
          ...body,
        }),
      );
    return { ...made, route, token, ask };
  };
  const ok = { status: 201, headers: { location: '/x' }, body: 'é' };

  test('lies below the base, behind the same check', async () => {
    const { route, ask } = await world(async () => ok);
    expect(route).toMatchObject({
      path: '/api/v1/partner/organisations/:organisationId/payments',
      methods: ['POST'],
      maxBodyBytes: 1_048_576,
    });
    expect(await ask('acc_child')).toEqual(ok);
    expect((await ask('acc_b')).status).toBe(404);
    expect((await ask('acc_a', { headers: {} })).status).toBe(401);
  });

  test('is not called for a refused caller, nor for a body that is too large', async () => {
    const { ask } = await world(() => expect.unreachable('the handler was called'));
    expect((await ask('acc_b')).status).toBe(404);
    expect((await ask('acc_a', { headers: {} })).status).toBe(401);
    expect((await ask('acc_a', { body: { tooLarge: true } })).status).toBe(413);
    // Nobody learns by the size of a body which accounts there are.
    expect((await ask('acc_b', { body: { tooLarge: true } })).status).toBe(404);
  });

  test('reads no byte of a body before the token was accepted, and no more than the route takes', async () => {
    const reads: number[] = [];
    const body = {
      read: async (maxBytes: number) => {
        reads.push(maxBytes);
        return new Uint8Array(5);
      },
    };
    const { route, kit, token } = await world(async () => ok);
    const at = (accountId: string) => `/api/v1/partner/organisations/${accountId}/payments`;
    const ask = (method: string, target: string, authorization?: string, asked: Route = route) =>
      asked.handle({ ...request(method, target, { headers: authorization ? { authorization } : {} }), body });
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic eDp5'])
      expect((await ask('POST', at('acc_a'), authorization)).status).toBe(401);
    expect((await ask('POST', at('acc_b'), `Bearer ${token}`)).status).toBe(404);
    expect((await ask('PUT', at('acc_a'), `Bearer ${token}`)).status).toBe(405);
    for (const each of kit.routes) await ask('PUT', each.path, `Bearer ${token}`, each);
    expect(reads).toEqual([]);
    expect((await ask('POST', at('acc_a'), `Bearer ${token}`)).status).toBe(201);
    expect(reads).toEqual([1_048_576]);
  });

  test('accepts bodies up to its maxBodyBytes', async () => {
    const { kit } = await world(async () => ok);
    const path = '/organisations/:organisationId/x';
    expect(kit.accountRoute('PUT', path, async () => ok, { right: 'none', maxBodyBytes: 9 }).maxBodyBytes).toBe(9);
    for (const maxBodyBytes of [-1, 1.5, Number.NaN])
      expect(() => kit.accountRoute('PUT', path, async () => ok, { right: 'none', maxBodyBytes })).toThrow(
        'maxBodyBytes',
      );
  });

  test('answers an aborted body with 400, without a signal', async () => {
    const { ask, signals } = await world(() => expect.unreachable('the handler was called'));
    const before = signals.length;
    const answer = await ask('acc_a', { body: { aborted: true } });
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'bad_request']);
    expect(signals.slice(before)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a status that is none', { ...ok, status: 99 }],
    ['an interim status', { ...ok, status: 101 }],
    ['a status past the last', { ...ok, status: 600 }],
    ['a status with a fraction', { ...ok, status: 200.5 }],
    ['a status in text', { ...ok, status: '200' }],
    ['a header name that is none', { ...ok, headers: { 'a b': 'x' } }],
    ['an empty header name', { ...ok, headers: { '': 'x' } }],
    ['a header that begins another', { ...ok, headers: { location: '/\r\nset-cookie: SECRET' } }],
    ['a header beyond Latin-1', { ...ok, headers: { location: '/€' } }],
    ['a header name in capitals', { ...ok, headers: { 'Content-Length': '2' } }],
    ['a header name with a capital', { ...ok, headers: { 'x-Own': '2' } }],
    ...['connection', 'keep-alive', 'proxy-connection', 'trailer', 'transfer-encoding', 'upgrade'].map(
      (name): [string, unknown] => [`the connection’s header ${name}`, { ...ok, headers: { [name]: 'chunked' } }],
    ),
    ['a NUL in a header', { ...ok, headers: { location: '\u0000' } }],
    ['a body that is no text', { ...ok, body: { SECRET: 1 } }],
    ['nothing', undefined],
  ])('that answers what cannot be sent is a 500: %s', async (_name, answer) => {
    const { ask, signals } = await world(async () => answer as never);
    const response = await ask('acc_a');
    expect([response.status, JSON.parse(response.body).code]).toEqual([500, 'internal']);
    expect(JSON.stringify([response, signals])).not.toContain('SECRET');
    expect(signals.at(-1)).toMatchObject({ kind: 'request_failed', status: 500, error: { name: 'TypeError' } });
  });

  test.each([200, 204, 302, 404, 599])('that answers %i is passed on', async (status) => {
    const headers = { location: '/x', 'x-latin': 'é\tx', '*': '' };
    const { ask } = await world(async () => ({ status, headers, body: '' }));
    expect(await ask('acc_a')).toEqual({ status, headers, body: '' });
  });

  test('that fails is a 500 without details', async () => {
    for (const handle of [
      () => Promise.reject(new Error('SECRET')),
      () => {
        throw new Error('SECRET');
      },
    ]) {
      const { ask, signals } = await world(handle);
      const response = await ask('acc_a');
      expect([response.status, JSON.parse(response.body).code]).toEqual([500, 'internal']);
      expect(JSON.stringify([response, signals])).not.toContain('SECRET');
      expect(signals.at(-1)).toMatchObject({ kind: 'request_failed', status: 500 });
    }
  });
});
