import { describe, expect, test } from 'vitest';
import {
  addClient,
  assertProblem,
  basePath,
  logIn,
  loginPath,
  memoryKit,
  mePath,
  own,
  startHost,
  startLoggedIn,
} from './support/host.ts';
import { ask } from './support/wire.ts';

/** A host whose router forgives whatever it can. */
const lenient = {
  routerOptions: {
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    useSemicolonDelimiter: true,
    maxParamLength: 20,
  },
};

describe.each([
  ['a strict router', {}],
  ['a lenient router', lenient],
])('with %s', (_name, server) => {
  test.each([
    `${basePath}/unknown`,
    `${basePath}/organisations`,
    `${basePath}/organisations/${own.id}`,
    `${basePath}/organisations/${own.id}/payments`,
    `${basePath}/organisations/${own.id}/me/more`,
    `${basePath}/organisations//me`,
    `${mePath(own.id)}/`,
    `${basePath}//organisations/${own.id}/me`,
    `${basePath}/organisations/${own.id}//me`,
    `${basePath}/organisations/${own.id}/ME`,
    `${basePath}/Organisations/${own.id}/me`,
    `${basePath}/organisations/${own.id.toUpperCase()}/me`,
    `${basePath}/organisations/${own.id}/m%65`,
    `${basePath}/organisations%2F${own.id}/me`,
    `${mePath(own.id)};v=1`,
    `${basePath}/x/../organisations/${own.id}/me`,
    `${basePath}/organisations/./${own.id}/me`,
  ])('%s is not found', async (path) => {
    const { host, headers } = await startLoggedIn({ server });
    assertProblem(await ask(host, path, { headers }), 404, 'not_found');
  });

  test.each([`${loginPath}/`, `${basePath}/Login`, `${basePath}//login`, `${basePath}/log%69n`])(
    'a login to %s is not found',
    async (path) => {
      const { host } = await startLoggedIn({ server });
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      assertProblem(await ask(host, path, asked), 404, 'not_found');
    },
  );

  test.each([
    ['as it is', mePath(own.id)],
    ['with letters that need no encoding encoded', `${basePath}/organisations/%61cc%5Fown/me`],
    ['with lower-case hexadecimals', `${basePath}/organisations/acc%5fown/me`],
    ['with a query', `${mePath(own.id)}?x=1&y=%zz`],
    ['with an empty query', `${mePath(own.id)}?`],
    ['in absolute form', `http://partner.example${mePath(own.id)}`],
  ])('an id %s is found', async (_how, path) => {
    const { host, headers } = await startLoggedIn({ server });
    const answer = await ask(host, path, { headers });
    expect({ status: answer.status, id: JSON.parse(answer.body).id }).toEqual({ status: 200, id: own.id });
  });
});

test('with ignoreTrailingSlash the path below basePath that is empty is the host’s', async () => {
  const host = await startHost({ kit: memoryKit(), server: lenient });
  expect(JSON.parse((await ask(host, `${basePath}/`)).body)).toMatchObject({ error: 'Not Found', statusCode: 404 });
});

test('what lies directly below basePath is ours too', async () => {
  const { host, headers } = await startLoggedIn();
  assertProblem(await ask(host, `${basePath}/`, { headers }), 404, 'not_found');
});

describe('a method that a path does not take', () => {
  test.each([
    ['login', loginPath, ['POST']],
    ['account', mePath(own.id), ['GET', 'HEAD']],
    ['an account with a long id', mePath('b'.repeat(150)), ['GET', 'HEAD']],
  ])('%s: every other one that Fastify knows gets 405 and Allow', async (_name, path, allowed) => {
    const { host, headers } = await startLoggedIn();
    const others = host.app.supportedMethods.filter((method) => !allowed.includes(method));
    expect(others.length).toBeGreaterThan(5);
    for (const method of others) {
      for (const type of [{ 'content-type': 'application/json' }, {}]) {
        const answer = await ask(host, path, { method, headers: { ...headers, ...type } });
        if (method === 'HEAD') expect(answer.status).toBe(405);
        else assertProblem(answer, 405, 'method_not_allowed');
        expect(answer.headers.allow).toBe(allowed.join(', '));
      }
    }
  });

  test('on a path that does not exist is 404, not 405', async () => {
    const { host } = await startLoggedIn();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      assertProblem(await ask(host, `${basePath}/unknown`, { method }), 404, 'not_found');
    }
  });
});

describe('outside of basePath nothing is ours', () => {
  test.each(['/', '/api', '/api/v1', basePath, `${basePath}s`, `${basePath}s/login`, '/oauth/token', `/x${loginPath}`])(
    '%s is answered by the host',
    async (path) => {
      const { host, headers } = await startLoggedIn({
        after: (app) =>
          app.setNotFoundHandler((_request, reply) => reply.code(404).send('the host knows no such path')),
      });
      const answer = await ask(host, path, { headers });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: 'the host knows no such path',
      });
    },
  );
});

test('with pathAliases the aliases are served (specification §4.2)', async () => {
  const kit = memoryKit({ api: { pathAliases: true } });
  const notes = kit.accountRoute(
    'GET',
    '/organisations/:organisationId/notes',
    async ({ account: { id } }) => ({
      ...{ status: 200, headers: { 'content-type': 'text/plain' }, body: id },
    }),
    { right: 'none' },
  );
  const host = await startHost({ kit, routes: [notes] });
  const headers = await logIn(host, await addClient(kit), '/oauth/token');
  for (const base of [basePath, '/v1/partner']) {
    const answer = await ask(host, `${base}/organisations/${own.id}/notes`, { headers });
    expect([answer.status, answer.body]).toEqual([200, own.id]);
    const refused = await ask(host, `${base}/organisations/${own.id}/notes`, { headers, method: 'DELETE' });
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
  }
  expect((await ask(host, mePath(own.id, '/v1/partner'), { headers })).status).toBe(200);
  expect((await ask(host, mePath(own.id), { headers })).status).toBe(200);
  assertProblem(await ask(host, '/v1/partner/unknown', { headers }), 404, 'not_found');
});

test('a host that rewrites URLs decides the path', async () => {
  const { host, headers } = await startLoggedIn({
    server: { rewriteUrl: ({ url = '' }) => url.replace(/^\/gateway(?=\/)/, '') },
  });
  expect((await ask(host, mePath(own.id), { headers })).status).toBe(200);
  expect((await ask(host, `/gateway${mePath(own.id)}`, { headers })).status).toBe(200);
});
