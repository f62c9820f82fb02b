import { describe, expect, test } from 'vitest';
import { mountRoutes } from '../../../src/base/http/mount-routes.ts';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { call, loginToken, type request, withoutRequestId } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const basePath = '/api/v1/partner';

const world = async (options: Parameters<typeof platform>[0] = {}) => {
  const objects = requestObjects as never;
  const { kit } = platform({ api: { pathAliases: true }, objects, ...options });
  const requests = createRequests({ kit: kit as never });
  const own = kit.accountRoute(
    'PUT',
    '/organisations/:organisationId/notes/:noteId',
    async (_caller, _, params) => ({
      status: 200,
      headers: { 'content-type': 'application/json', etag: '"7"' },
      body: JSON.stringify(params),
    }),
    { right: 'none' },
  );
  const routes = [...kit.routes, own, ...requests.routes];
  const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
  const ask = async (method: string, target: string, asked: Parameters<typeof request>[2] = {}) =>
    withoutRequestId(
      await call({ routes }, method, target, { headers: { authorization: `Bearer ${token}` }, ...asked }),
    );
  return { routes, token, ask };
};

describe('pathAliases (specification §4.2)', () => {
  test.each([
    { basePaths: ['/api/v1'] },
    { basePaths: ['/api/v1/partner/old'] },
    { basePaths: ['/v1', '/v1/partner'] },
    { login: ['/api/v1/partner/organisations/acme/me'] },
    { basePaths: ['/old'], login: ['/old/organisations/x'] },
  ] as const)('an alias that would shadow other routes is refused: %j', (pathAliases) => {
    expect(() => platform({ api: { pathAliases } })).toThrow('pathAliases shadows other routes');
  });

  test.each([
    '/api/v1/partner/jwks.json',
    '/old/jwks.json',
    '/api/v1/partner/openapi.json',
    '/.well-known/oauth-authorization-server',
    '/.well-known/webhook-keys.json',
  ] as const)('a login at the path of another route is refused: %s', (login) => {
    const options = {
      tokens: { ...memoryAccessTokens(), jwks: async () => ({ keys: [] }) },
      oauth: { metadata: { issuer: 'https://api.example' } },
      webhooks: { signatures: [ed25519({ keys: [{ id: 'k1', privateKey: new Uint8Array(32).fill(7) }] })] },
      api: { pathAliases: { basePaths: ['/old'], login: [login] } },
    } as const;
    expect(() => platform(options)).toThrow(
      new TypeError(
        `createPartnerkit: two routes have the path ${login}. ` +
          'Choose another path in api.pathAliases.login, api.basePath or oauth.metadata.issuer.',
      ),
    );
    expect(() => platform({ ...options, api: { pathAliases: { login: [`${login}.old`] } } })).not.toThrow();
  });

  const ofAccount = '/organisations/acc_a';
  test.each([
    ['GET', `${ofAccount}/me`, 200],
    ['HEAD', `${ofAccount}/me`, 200],
    ['GET', '/organisations/acc_child/me', 200],
    ['GET', '/organisations/acc_b/me', 404],
    ['POST', `${ofAccount}/me`, 405],
    ['PUT', `${ofAccount}/notes/n1`, 200],
    ['GET', `${ofAccount}/notes/n1`, 405],
    ['PUT', `${ofAccount}/notes/%ff`, 400],
    ['PUT', `${ofAccount}/notes/`, 404],
    ['GET', `${ofAccount}/payment-requests`, 200],
    ['GET', `${ofAccount}/payment-requests/none`, 404],
    ['PUT', `${ofAccount}/payment-requests`, 405],
    ['POST', `${ofAccount}/payment-requests`, 400],
    ['GET', `${ofAccount}/unknown`, 404],
    ['GET', '/login', 405],
  ])('%s %s answers the same bytes at both paths', async (method, path, status) => {
    const { ask } = await world();
    const [first, second] = [await ask(method, `${basePath}${path}`), await ask(method, `/v1/partner${path}`)];
    expect(first.status).toBe(status);
    expect(second).toEqual(first);
  });

  test('a token is needed at both paths', async () => {
    const { ask } = await world();
    for (const path of ['/notes/n1', '/payment-requests', '/me']) {
      const method = path === '/notes/n1' ? 'PUT' : 'GET';
      for (const base of [basePath, '/v1/partner'])
        expect((await ask(method, `${base}${ofAccount}${path}`, { headers: {} })).status).toBe(401);
    }
  });

  test('Location follows the requested path', async () => {
    const { ask, token } = await world();
    for (const base of [basePath, '/v1/partner']) {
      const made = await ask('POST', `${base}${ofAccount}/payment-templates`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Weekend', amount: 10_000, currency: 'EUR' }),
      });
      expect([made.status, made.body]).toEqual([201, expect.any(String)]);
      const location = `${base}${ofAccount}/payment-templates/${JSON.parse(made.body).id}`;
      expect(made.headers['location']).toBe(location);
      expect((await ask('GET', location)).status).toBe(200);
    }
  });

  test('without the option only basePath is served', async () => {
    const { routes } = await world({ api: { pathAliases: false } });
    for (const { path } of mountRoutes(routes)) expect(path.startsWith(`${basePath}/`), path).toBe(true);
  });

  test('a basePath that is an alias itself is served once', async () => {
    const { kit } = platform({ api: { pathAliases: true, basePath: '/v1/partner' } });
    expect(mountRoutes(kit.routes).map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/v1/partner/login',
      '/v1/partner/organisations/:organisationId/children',
      '/v1/partner/organisations/:organisationId/me',
      '/v1/partner/revoke',
      '/v1/partner/*',
    ]);
  });
});
