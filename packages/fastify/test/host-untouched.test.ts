import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
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
  startLoggedIn,
} from './support/host.ts';
import { type Address, type Asked, ask } from './support/wire.ts';

/** A host with ways of its own in everything that a plugin could disturb. */
const opinionated = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, { json: body }),
  );
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, { csv: body.length }),
  );
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('x-host', 'was here');
    return payload;
  });
  app.setErrorHandler(
    (error: { readonly code?: string; readonly message: string; readonly statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ host: error.code ?? error.message }),
  );
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ nothing: request.url }));
  app.all('/echo', async ({ method, body, query }) => ({ method, body, query }));
  app.get('/boom', async () => {
    throw new Error('boom');
  });
  app.get('/api/v1/:other', async ({ params }) => ({ params }));
  app.get(`${basePath}-admin/login`, async () => 'the host’s login');
};

const json = { 'content-type': 'application/json' };
const requests: readonly (readonly [path: string, asked: Asked])[] = [
  ['/echo?a=1', {}],
  ['/echo', { method: 'HEAD' }],
  ['/echo', { method: 'OPTIONS' }],
  ['/echo', { method: 'POST', headers: json, body: '{"a":1}' }],
  ['/echo', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'é;b' }],
  ['/echo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text' }],
  ['/echo', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }],
  ['/echo', { method: 'POST', headers: { 'content-type': ';;;' }, body: 'a=1' }],
  ['/echo', { method: 'POST', body: 'a=1' }],
  ['/echo', { method: 'POST', headers: json, body: 'x'.repeat(2_000) }],
  ['/boom', {}],
  ['/nowhere', {}],
  ['/nowhere', { method: 'POST', headers: json, body: '{}' }],
  ['/api/v1/partner', {}],
  ['/api/v1/partners', {}],
  ['/api/v1/%zz', {}],
  [`${basePath}-admin/login`, {}],
  ['/', { method: 'PUT' }],
];

test('law: outside of basePath the host answers as it would without us', async () => {
  const start = async (setUp: (app: FastifyInstance) => Promise<unknown>) => {
    const app = fastify({ bodyLimit: 1_000, forceCloseConnections: true });
    await setUp(app);
    return listen(app);
  };
  const kit = memoryKit();
  const mount = (app: FastifyInstance) => app.register(fastifyRoutes, { routes: kit.routes });
  const alone = await start(async (app) => opinionated(app));
  const mountedBefore = await start(async (app) => {
    await mount(app);
    opinionated(app);
  });
  const mountedAfter = await start(async (app) => {
    opinionated(app);
    await mount(app);
  });
  for (const [path, asked] of requests) {
    const shown = async (host: Address) => {
      const { status, headers, body } = await ask(host, path, asked);
      return { path, status, headers: { ...headers, date: '' }, body };
    };
    const expected = await shown(alone);
    expect(await shown(mountedBefore)).toEqual(expected);
    expect(await shown(mountedAfter)).toEqual(expected);
  }
  for (const host of [mountedBefore, mountedAfter]) {
    const headers = await logIn(host, await addClient(kit));
    const me = await ask(host, mePath(own.id), { headers });
    expect([me.status, me.headers['x-host']]).toEqual([200, 'was here']);
  }
});

describe('the host’s hooks', () => {
  test('see the route that was asked for, at the beginning and at the end, with our status', async () => {
    const seen: string[] = [];
    let finished = (): void => undefined;
    const { host, headers } = await startLoggedIn({
      before: (app) => {
        app.addHook('onRequest', async ({ routeOptions: { url } }) => {
          seen.push(`onRequest ${url}`);
        });
        app.addHook('onSend', async ({ routeOptions: { url } }) => {
          seen.push(`onSend ${url}`);
        });
        app.addHook('onResponse', async ({ routeOptions: { url } }, reply) => {
          seen.push(`onResponse ${url} ${reply.statusCode}`);
          finished();
        });
      },
    });
    for (const [path, asked, url, status] of [
      [loginPath, { method: 'POST', headers: json, body: '{}' }, loginPath, 400],
      [mePath(own.id), { headers }, `${basePath}/organisations/:organisationId/me`, 200],
      [mePath('acc_absent'), { headers }, `${basePath}/organisations/:organisationId/me`, 404],
      [mePath(own.id), { method: 'PUT', headers }, `${basePath}/organisations/:organisationId/me`, 405],
      [`${basePath}/unknown`, {}, `${basePath}/*`, 404],
    ] as const) {
      seen.length = 0;
      const done = new Promise<void>((resolve) => {
        finished = resolve;
      });
      await ask(host, path, asked);
      await done;
      expect(seen).toEqual([`onRequest ${url}`, `onSend ${url}`, `onResponse ${url} ${status}`]);
    }
  });

  test('see the values of the path', async () => {
    const seen: unknown[] = [];
    const { host, headers } = await startLoggedIn({
      before: (app) => {
        app.addHook('preHandler', async ({ params }) => {
          seen.push(params);
        });
      },
    });
    seen.length = 0;
    await ask(host, mePath('été'), { headers });
    expect(seen).toEqual([{ organisationId: 'été' }]);
  });

  test('can answer in our place', async () => {
    const { host } = await startLoggedIn({
      before: (app) => {
        app.addHook('onRequest', async (request, reply) => {
          if (request.headers['x-maintenance']) await reply.code(503).send('back soon');
        });
      },
    });
    const answer = await ask(host, mePath(own.id), { headers: { 'x-maintenance': '1' } });
    expect([answer.status, answer.body]).toEqual([503, 'back soon']);
  });

  const repacked = 'A body of another length, with accents: é';
  test.each([
    ['bytes', () => Buffer.from(repacked)],
    ['a text', () => repacked],
  ])('may put %s in place of our body: the length follows', async (_name, made) => {
    const { host } = await startLoggedIn({
      before: (app) => {
        app.addHook('onSend', async (request, _reply, payload) => (request.headers['x-repack'] ? made() : payload));
      },
    });
    const answer = await ask(host, mePath(own.id), { headers: { 'x-repack': '1' } });
    expect([answer.status, answer.body]).toEqual([401, repacked]);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(repacked)));
  });

  test.each([
    ['at once', (payload: string) => gzipSync(payload)],
    ['as a stream', (payload: string) => Readable.from([gzipSync(payload)])],
  ])('may compress our body, %s', async (_name, compressed) => {
    const { host, headers } = await startLoggedIn({
      before: (app) => {
        app.addHook('onSend', async (request, reply, payload) => {
          if (request.headers['accept-encoding'] !== 'gzip') return payload;
          expect(payload).toBeTypeOf('string');
          reply.header('content-encoding', 'gzip').removeHeader('content-length');
          return compressed(payload as string);
        });
      },
    });
    const plain = await ask(host, mePath(own.id), { headers });
    const answer = await ask(host, mePath(own.id), { headers: { ...headers, 'accept-encoding': 'gzip' } });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' });
    expect(gunzipSync(answer.bytes).toString()).toBe(plain.body);
  });
});

describe('law: what a hook of the host refuses, the host answers, on our routes as on its own', () => {
  const refusals: readonly (readonly [name: string, refusal: unknown])[] = [
    ['an error with a status', Object.assign(new Error('no entry'), { statusCode: 403 })],
    ['an error without one', new Error('no entry')],
    ['an error of Fastify’s about bodies', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()],
    ['an error of Fastify’s about types', new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()],
    [
      'an error whose code only looks like one of those',
      Object.assign(new Error('no entry'), { code: 'FST_ERR_CTP_OWN' }),
    ],
    ['a text', 'no entry'],
    ['an object', { statusCode: 403, reason: 'no entry' }],
  ];
  const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const;
  const cases = hooks.flatMap((hook) => refusals.map(([name, refusal]) => ({ hook, name, refusal })));

  test.each(cases)('$hook: $name', async ({ hook, refusal }) => {
    const refuse = async ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): Promise<void> => {
      if (headers['x-refuse']) throw refusal;
    };
    const kit = memoryKit();
    const host = await startHost({
      kit,
      before: (app) => {
        app.setErrorHandler((error: { readonly statusCode?: number }, _request, reply) =>
          reply.code(error.statusCode ?? 500).send({ refused: String(error) }),
        );
        // One hook of four: their types differ in what comes after the request.
        app.addHook(hook as 'onRequest', refuse);
        app.post('/own', async () => 'entered');
      },
    });
    const asked = { method: 'POST', headers: { ...json, 'x-refuse': '1' }, body: '{}' };
    const shown = async (path: string) => {
      const { status, headers, body } = await ask(host, path, asked);
      return { status, type: headers['content-type'], body };
    };
    const expected = await shown('/own');
    expect(expected.body).not.toBe('entered');
    expect(await shown(loginPath)).toEqual(expected);
    expect(await shown(mePath(own.id))).toEqual(expected);
    expect(await shown(`${basePath}/unknown`)).toEqual(expected);
    expect(kit.signals).toEqual([]);
  });

  test.each(hooks.flatMap((hook) => ['application/json', ';;;', 'json', undefined].map((type) => ({ hook, type }))))(
    '$hook: no content type gets a request past it ($type)',
    async ({ hook, type }) => {
      const kit = memoryKit();
      let entered = 0;
      const route = kit.accountRoute(
        'POST',
        '/organisations/:organisationId/payments',
        async () => {
          entered++;
          return { status: 201, headers: {}, body: '' };
        },
        { right: 'none' },
      );
      const guard = async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
        if (headers['x-refuse']) await reply.code(403).send('no entry');
      };
      const { host, headers } = await startLoggedIn({
        kit,
        routes: [route],
        before: (app) => {
          app.addHook(hook as 'onRequest', guard);
        },
      });
      const post = async (more: Record<string, string>) =>
        ask(host, `${basePath}/organisations/${own.id}/payments`, {
          method: 'POST',
          headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }), ...more },
          body: '{}',
        });
      expect((await post({})).status).toBe(201);
      expect(entered).toBe(1);
      const answer = await post({ 'x-refuse': '1' });
      expect([answer.status, answer.body]).toEqual([403, 'no entry']);
      expect(entered).toBe(1);
    },
  );

  test.each(['GET', 'HEAD'])('onSend, when our answer was ready: %s', async (method) => {
    const shownBy = async (handler: boolean) => {
      const { host, headers } = await startLoggedIn({
        before: (app) => {
          if (handler) {
            app.setErrorHandler((error: Error, _request, reply) => reply.code(503).send({ refused: error.message }));
          }
          const failed = new Set<unknown>();
          app.addHook('onSend', async (request) => {
            if (!request.headers['x-refuse'] || failed.has(request)) return;
            failed.add(request);
            throw Object.assign(new Error('the audit log is down'), { statusCode: 503 });
          });
          app.get('/own', async () => ({ entered: true }));
        },
      });
      return async (path: string) => {
        const answer = await ask(host, path, { method, headers: { ...headers, 'x-refuse': '1' } });
        const { 'content-type': type, 'content-length': length } = answer.headers;
        return { status: answer.status, type, length, body: answer.body };
      };
    };
    for (const handler of [true, false]) {
      const shown = await shownBy(handler);
      const expected = await shown('/own');
      expect([expected.status, expected.type]).toEqual([503, 'application/json; charset=utf-8']);
      for (const path of [mePath(own.id), mePath('acc_absent'), `${basePath}/unknown`])
        expect(await shown(path)).toEqual(expected);
    }
  });

  test('with no error handler of the host, Fastify’s own answers', async () => {
    const { host } = await startLoggedIn({
      before: (app) => {
        app.addHook('onRequest', async ({ headers }) => {
          if (headers['x-refuse']) throw Object.assign(new Error('no entry'), { statusCode: 403 });
        });
      },
    });
    const answer = await ask(host, mePath(own.id), { headers: { 'x-refuse': '1' } });
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([403, 'no entry']);
  });

  test('an error is shown to the host’s onError hook once, and our own refusals never are', async () => {
    const errors: unknown[] = [];
    const { host } = await startLoggedIn({
      before: (app) => {
        app.addHook('onError', async (_request, _reply, error) => {
          errors.push(error.message);
        });
        app.addHook('onRequest', async ({ headers }) => {
          if (headers['x-refuse']) throw new Error('no entry');
        });
      },
    });
    await ask(host, mePath(own.id), { headers: { 'x-refuse': '1' } });
    expect(errors).toEqual(['no entry']);
    errors.length = 0;
    assertProblem(await ask(host, mePath(own.id)), 401, 'missing_token');
    const invalidType = { method: 'POST', headers: { 'content-type': ';;;' }, body: '{}' };
    expect((await ask(host, loginPath, invalidType)).status).toBe(415);
    expect(errors).toEqual([]);
  });

  test('an error of clientAddress is the host’s too', async () => {
    const host = await startHost({
      kit: memoryKit(),
      clientAddress: () => {
        throw new Error('no address');
      },
      before: (app) => {
        app.setErrorHandler((_error, _request, reply) => reply.code(500).send('the host’s'));
      },
    });
    const answer = await ask(host, mePath(own.id));
    expect([answer.status, answer.body]).toEqual([500, 'the host’s']);
  });
});
