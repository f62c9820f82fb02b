import { type AccessTokens, systemRandom } from '@partnerkit/core/adapter';
import { memoryAccessTokens } from '@partnerkit/core/memory';
import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';
import {
  addClient,
  assertProblem,
  basePath,
  listen,
  logIn,
  loginPath,
  memoryKit,
  mePath,
  own,
  startHost,
} from './support/host.ts';
import { ask } from './support/wire.ts';

describe('registration', () => {
  test('under a prefix is refused with the remedy', async () => {
    const { routes } = memoryKit();
    const message = 'fastifyRoutes: routes carry whole paths; set api.basePath instead of the prefix "/partner".';
    await expect(async () => fastify().register(fastifyRoutes, { routes, prefix: '/partner' })).rejects.toThrow(
      new TypeError(message),
    );
    const nested = fastify().register(async (scope) => scope.register(fastifyRoutes, { routes }), {
      prefix: '/partner',
    });
    await expect(async () => nested).rejects.toThrow(new TypeError(message));
  });

  test('the kit in place of its routes is refused with the remedy', async () => {
    const routes = memoryKit() as never;
    await expect(async () => fastify().register(fastifyRoutes, { routes })).rejects.toThrow(
      new TypeError('routes: this is the kit; hand over kit.routes.'),
    );
  });

  test('inside a plugin without a prefix works', async () => {
    const kit = memoryKit();
    const app = fastify();
    await app.register(async (scope) => {
      await scope.register(fastifyRoutes, { routes: kit.routes });
    });
    const host = await listen(app);
    expect((await ask(host, mePath(own.id), { headers: await logIn(host, await addClient(kit)) })).status).toBe(200);
  });

  test('of a route twice is refused with its name: within one registration, and over two', async () => {
    const kit = memoryKit();
    await expect(async () =>
      fastify().register(fastifyRoutes, { routes: [...kit.routes, ...memoryKit().routes] }),
    ).rejects.toThrow(new TypeError(`Two routes serve POST ${loginPath}: mount one of them. List kit.routes once.`));

    const rejection = async (routes: typeof kit.routes) => {
      const app = fastify();
      await app.register(fastifyRoutes, { routes: kit.routes });
      return app.register(fastifyRoutes, { routes }).then(
        () => undefined,
        ({ name, message }: Error) => [name, message],
      );
    };
    const taken = [
      'TypeError',
      `fastifyRoutes: this app serves "${loginPath}" already; ` +
        'register fastifyRoutes once with all routes, or give each kit its own basePath.',
    ];
    expect(await rejection(kit.routes)).toEqual(taken);
    expect(await rejection(memoryKit().routes)).toEqual(taken);
    expect(await rejection(memoryKit({ api: { basePath: '/two' } }).routes)).toBe(undefined);
  });

  test('of a path that the host itself serves is refused with its name', async () => {
    const app = fastify();
    app.post(loginPath, async () => 'the host’s own');
    await expect(async () => app.register(fastifyRoutes, { routes: memoryKit().routes })).rejects.toThrow(loginPath);
  });

  test.each([
    ['one registration', true],
    ['two registrations', false],
  ])('of two kits under two paths, in %s: each has its own clients', async (_name, together) => {
    const [prod, dev] = [memoryKit(), memoryKit({ api: { basePath: '/dev/partner' } })];
    const app = fastify();
    if (together) await app.register(fastifyRoutes, { routes: [...prod.routes, ...dev.routes] });
    else {
      await app.register(fastifyRoutes, { routes: prod.routes });
      await app.register(fastifyRoutes, { routes: dev.routes });
    }
    const host = await listen(app);
    const ofProd = await logIn(host, await addClient(prod));
    const ofDev = await logIn(host, await addClient(dev), '/dev/partner/login');
    const status = async (base: string, headers: { readonly authorization: string }) =>
      (await ask(host, mePath(own.id, base), { headers })).status;
    expect(await status(basePath, ofProd)).toBe(200);
    expect(await status('/dev/partner', ofDev)).toBe(200);
    expect(await status(basePath, ofDev)).toBe(401);
    expect(await status('/dev/partner', ofProd)).toBe(401);
    assertProblem(await ask(host, '/dev/partner/unknown'), 404, 'not_found');
  });

  test('shows the host one route for each path, with every method', async () => {
    const seen: { readonly url: string; readonly method: readonly string[] | string }[] = [];
    const { app } = await startHost({
      kit: memoryKit(),
      before: (host) => {
        host.addHook('onRoute', ({ url, method }) => {
          seen.push({ url, method });
        });
      },
    });
    expect(seen.map(({ url }) => url)).toEqual([
      loginPath,
      `${basePath}/organisations/:organisationId/children`,
      `${basePath}/organisations/:organisationId/me`,
      `${basePath}/revoke`,
      `${basePath}/*`,
    ]);
    for (const { method } of seen) expect(method).toEqual(app.supportedMethods);
  });
});

describe('the keys', () => {
  const key = { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ', kid: 'k1', alg: 'ES256', use: 'sig' };
  const withKeys = (): AccessTokens => ({
    ...memoryAccessTokens({ random: systemRandom }),
    jwks: async () => ({ keys: [key] }),
  });

  test('of tokens that have some are served to everyone, to be kept for a while', async () => {
    const host = await startHost({ kit: memoryKit({ tokens: withKeys() }) });
    const answer = await ask(host, `${basePath}/jwks.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=300',
      'content-length': String(answer.bytes.length),
    });
    expect(JSON.parse(answer.body)).toEqual({ keys: [key] });
    assertProblem(await ask(host, `${basePath}/jwks.json`, { method: 'POST' }), 405, 'method_not_allowed');
  });

  test('that fail to load are a 503 with Retry-After, without details', async () => {
    const kit = memoryKit({ tokens: { ...withKeys(), jwks: () => Promise.reject(new Error('the vault is sealed')) } });
    const answer = await ask(await startHost({ kit }), `${basePath}/jwks.json`);
    assertProblem(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).not.toContain('vault');
  });

  test('of tokens that have none are no path at all', async () => {
    const host = await startHost({ kit: memoryKit() });
    assertProblem(await ask(host, `${basePath}/jwks.json`), 404, 'not_found');
  });
});
