import express, { type Express, type RequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { expressRouter } from '../src/index.ts';
import { basePath, errorsOf, listen, login, platform, send } from './host.ts';

describe('two routers in one app that serve the same path', () => {
  const twice =
    `expressRouter: two routers of this app serve "${basePath}/login"; ` +
    'call expressRouter once with all routes, or give each kit its own basePath.';
  /** The error of the first request. */
  const firstError = async (app: Express): Promise<string | undefined> => {
    const errors = errorsOf(app);
    await login(await listen(app), {});
    return errors[0]?.message;
  };

  test('every request gives the host’s error handler the remedy', async () => {
    const { kit, credentials } = await platform();
    const app = express().use(expressRouter(kit.routes), expressRouter(kit.routes));
    const errors = errorsOf(app);
    const port = await listen(app);
    expect(await login(port, credentials)).toMatchObject({ status: 500, body: 'the host’s own answer' });
    expect(await send(port, 'GET', '/nowhere')).toMatchObject({ status: 500 });
    expect(errors.map(({ name, message }) => [name, message])).toEqual([
      ['TypeError', twice],
      ['TypeError', twice],
    ]);
  });

  test('two kits without base paths of their own', async () => {
    const [one, two] = [await platform(), await platform()];
    expect(await firstError(express().use(expressRouter(one.kit.routes)).use(expressRouter(two.kit.routes)))).toBe(
      twice,
    );
  });

  test('the second one serves other methods, which the first one refuses', async () => {
    const { kit } = await platform();
    const answer = async () => ({ status: 200, headers: {}, body: '' });
    const get = kit.accountRoute('GET', '/organisations/:organisationId/:own', answer, { right: 'none' });
    const post = kit.accountRoute('POST', '/organisations/:organisationId/:other', answer, { right: 'none' });
    expect(await firstError(express().use(expressRouter([get]), expressRouter([post])))).toContain(
      `serve "${basePath}/organisations/:organisationId/:own"`,
    );
  });

  test('both within a router of the host', async () => {
    const { kit } = await platform();
    const own = express.Router().use(expressRouter(kit.routes), expressRouter(kit.routes));
    expect(await firstError(express().use(express.Router(), own))).toBe(twice);
  });

  test('one that is mounted after the first request', async () => {
    const { kit, credentials } = await platform();
    const app = express().use(expressRouter(kit.routes));
    const port = await listen(app);
    expect((await login(port, credentials)).status).toBe(200);
    app.use(expressRouter(kit.routes));
    const errors = errorsOf(app);
    expect((await send(port, 'GET', '/nowhere')).status).toBe(500);
    expect(errors.map(({ message }) => message)).toEqual([twice]);
  });
});

describe('no error', () => {
  test.each([
    ['one router, mounted twice', (router: () => RequestHandler) => [router()].flatMap((each) => [each, each])],
    [
      'two routers, between which the host chooses',
      (router: () => RequestHandler) => {
        const [one, two] = [router(), router()];
        const choose: RequestHandler = (request, ...rest) =>
          (request.hostname === 'two.example' ? two : one)(request, ...rest);
        return [choose];
      },
    ],
    [
      'two routers, the first in a router of the host that may skip it',
      (router: () => RequestHandler) => [
        express.Router().use((_request, _response, next) => next('router'), router()),
        router(),
      ],
    ],
  ])('%s', async (_how, mounts) => {
    const { kit, credentials } = await platform();
    const port = await listen(express().use(...mounts(() => expressRouter(kit.routes))));
    expect((await login(port, credentials)).status).toBe(200);
    expect((await send(port, 'GET', '/nowhere')).status).toBe(404);
  });

  test('one router in two apps', async () => {
    const { kit, credentials } = await platform();
    const router = expressRouter(kit.routes);
    for (const app of [express().use(router), express().use(express().use(router))])
      expect((await login(await listen(app), credentials)).status).toBe(200);
  });
});
