import { Agent, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import type { Route } from '@partnerkit/core';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  addClient,
  assertProblem,
  basePath,
  grantOf,
  loginPath,
  memoryKit,
  mePath,
  own,
  startHost,
  startLoggedIn,
} from './support/host.ts';
import { ask, openWire } from './support/wire.ts';

const json = { 'content-type': 'application/json' };
const limit = 8 * 1_024;

/** A valid login, padded with blanks to a length. */
const padded = (credentials: Parameters<typeof grantOf>[0], length: number): string =>
  JSON.stringify(grantOf(credentials)).padEnd(length, ' ');

const keptAlive = (): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
};

test('of which a platform of functions kept the bytes is read from them', async () => {
  const { host, credentials } = await startLoggedIn();
  const { server } = host.app;
  const [serve] = server.listeners('request') as RequestListener[];
  // As Cloud Functions: the stream has ended before the app gets the request.
  server.removeAllListeners('request').on('request', async (request: IncomingMessage, response: ServerResponse) => {
    Object.assign(request, { rawBody: await buffer(request) });
    serve?.(request, response);
  });
  const body = JSON.stringify(grantOf(credentials));
  expect((await ask(host, loginPath, { method: 'POST', headers: json, body })).status).toBe(200);
});

describe('a login body', () => {
  test.each([
    ['with a length', {}],
    ['in chunks', { chunked: 1_000 }],
  ])('%s is read up to 8 KiB and no further, and the connection goes on', async (_name, how) => {
    const { host, credentials, headers } = await startLoggedIn();
    const agent = keptAlive();
    const post = (length: number) =>
      ask(host, loginPath, { method: 'POST', headers: json, body: padded(credentials, length), agent, ...how });
    expect((await post(limit)).status).toBe(200);
    for (const length of [limit + 1, 2 * limit]) {
      const refused = await post(length);
      expect({ status: refused.status, error: JSON.parse(refused.body).error, reused: refused.reusedSocket }).toEqual({
        status: 413,
        error: 'invalid_request',
        reused: true,
      });
    }
    const next = await ask(host, mePath(own.id), { headers, agent });
    expect({ status: next.status, reused: next.reusedSocket }).toEqual({ status: 200, reused: true });
  });

  const large = 1_000_000;
  const whole = ' '.repeat(large);
  const beginning = limit + 1;
  test.each([
    [
      'a length',
      {
        header: `Content-Length: ${large}`,
        first: whole.slice(0, beginning),
        rest: whole.slice(beginning),
      },
    ],
    [
      'chunks',
      {
        header: 'Transfer-Encoding: chunked',
        first: `${beginning.toString(16)}\r\n${whole.slice(0, beginning)}\r\n`,
        rest: `${(large - beginning).toString(16)}\r\n${whole.slice(beginning)}\r\n0\r\n\r\n`,
      },
    ],
  ])(
    'that is too large, with %s, is refused before all of it has come; what still comes is let pass',
    async (_name, sent) => {
      const { host, headers } = await startLoggedIn();
      const wire = await openWire(host);
      wire.write(`POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${sent.header}\r\n\r\n`);
      wire.write(sent.first);
      expect(await wire.answer()).toMatch(/^HTTP\/1\.1 413 /);
      wire.write(sent.rest);
      const { authorization } = headers;
      wire.write(
        `GET ${mePath(own.id)} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      );
      expect(await wire.answer()).toMatch(/^HTTP\/1\.1 200 /);
      expect(await wire.rest()).toBe('');
    },
  );

  test('announced with Expect: 100-continue gets a 100', async () => {
    const { host, credentials } = await startLoggedIn();
    const body = JSON.stringify(grantOf(credentials));
    const wire = await openWire(host);
    wire.write(
      `POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    );
    expect(await wire.answer()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    wire.write(body);
    expect(await wire.answer()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a body on a route without one', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'PUT'])(
    '%s: is no reason to refuse, and the connection goes on',
    async (method) => {
      const { host, headers } = await startLoggedIn();
      const without = await ask(host, mePath(own.id), { method, headers });
      for (const how of [{}, { chunked: 100 }]) {
        const agent = keptAlive();
        const body = ' '.repeat(50_000);
        const answer = await ask(host, mePath(own.id), {
          method,
          headers: { ...json, ...headers },
          body,
          agent,
          ...how,
        });
        expect({ status: answer.status, body: answer.body }).toEqual({ status: without.status, body: without.body });
        const next = await ask(host, mePath(own.id), { headers, agent });
        expect({ status: next.status, reused: next.reusedSocket }).toEqual({ status: 200, reused: true });
      }
    },
  );

  test('on a path that does not exist: 404, and the connection goes on', async () => {
    const { host, headers } = await startLoggedIn();
    const agent = keptAlive();
    const body = ' '.repeat(100_000);
    assertProblem(
      await ask(host, `${basePath}/unknown`, { method: 'POST', headers: json, body, agent }),
      404,
      'not_found',
    );
    expect((await ask(host, mePath(own.id), { headers, agent })).reusedSocket).toBe(true);
  });
});

describe('a host that decompresses in a preParsing hook', () => {
  const decompress = (app: FastifyInstance): void => {
    app.addHook('preParsing', async (request, _reply, payload) => {
      if (request.headers['content-encoding'] !== 'gzip') return payload;
      delete request.headers['content-encoding'];
      delete request.headers['content-length'];
      return payload.pipe(createGunzip());
    });
  };
  const gzip = { ...json, 'content-encoding': 'gzip' };

  test('passes on the decompressed body', async () => {
    const kit = memoryKit();
    const host = await startHost({ kit, before: decompress });
    const body = gzipSync(JSON.stringify(grantOf(await addClient(kit))));
    expect((await ask(host, loginPath, { method: 'POST', headers: gzip, body })).status).toBe(200);
  });

  test('cannot be made to unpack more than 8 KiB into memory', async () => {
    const kit = memoryKit();
    const host = await startHost({ kit, before: decompress });
    const body = gzipSync(padded(await addClient(kit), 5_000_000));
    expect(body.length).toBeLessThan(limit);
    expect((await ask(host, loginPath, { method: 'POST', headers: gzip, body })).status).toBe(413);
  });
});

describe('a caller that goes away', () => {
  test('in the middle of its body: no login is counted, and others are served', async () => {
    let gone = (): void => undefined;
    const { kit, host, headers } = await startLoggedIn({
      before: (app) => {
        app.addHook('onRequestAbort', async (_request) => gone());
      },
    });
    const before = kit.signals.length;
    for (const framing of ['Content-Length: 500\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n']) {
      const noticed = new Promise<void>((resolve) => {
        gone = resolve;
      });
      const wire = await openWire(host);
      wire.write(`POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}`);
      wire.write(' ');
      // It has arrived when the server answers another one that came later.
      await ask(host, mePath(own.id), { headers });
      wire.destroy();
      await noticed;
    }
    expect(kit.signals.slice(before)).toEqual([]);
    expect((await ask(host, mePath(own.id), { headers })).status).toBe(200);
  });

  test('in the middle of its body is no error of the host', async () => {
    const errors: unknown[] = [];
    let gone = (): void => undefined;
    const { host } = await startLoggedIn({
      before: (app) => {
        app.setErrorHandler((error, _request, reply) => {
          errors.push(error);
          reply.code(500).send();
        });
        app.addHook('onRequestAbort', async (_request) => gone());
      },
    });
    const noticed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const wire = await openWire(host);
    wire.write(
      `POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
    );
    // It has arrived when the server answers another one that came later.
    await ask(host, '/nowhere');
    wire.destroy();
    await noticed;
    await ask(host, '/nowhere');
    expect(errors).toEqual([]);
  });

  test('is distinguished from a host whose hook read the body: that is not an error of the caller', async () => {
    const { host } = await startLoggedIn({
      before: (app) => {
        app.setErrorHandler((error: { readonly message: string; readonly statusCode?: number }, _request, reply) =>
          reply.code(error.statusCode ?? 500).send(error.message),
        );
        app.addHook('preParsing', async ({ headers }, _reply, payload) => {
          if (headers['x-read']) for await (const _chunk of payload);
          return payload;
        });
      },
    });
    const answer = await ask(host, loginPath, { method: 'POST', headers: { ...json, 'x-read': '1' }, body: '{}' });
    expect([answer.status, answer.body.slice(0, 24)]).toEqual([500, 'The body was read before']);
  });

  test('before its response is ready: others are served', async () => {
    const kit = memoryKit();
    let entered = (): void => undefined;
    let leave = (): void => undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const slow: Route = {
      path: `${basePath}/slow`,
      methods: ['GET'],
      maxBodyBytes: 0,
      handle: async () => {
        entered();
        await left;
        return { status: 200, headers: {}, body: 'late' };
      },
    };
    let gone = (): void => undefined;
    const noticed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { host, headers } = await startLoggedIn({
      kit,
      routes: [slow],
      before: (app) => {
        app.addHook('onRequestAbort', async (_request) => gone());
      },
    });
    const wire = await openWire(host);
    wire.write(`GET ${basePath}/slow HTTP/1.1\r\nHost: a\r\n\r\n`);
    await inside;
    wire.destroy();
    await noticed;
    leave();
    expect((await ask(host, mePath(own.id), { headers })).status).toBe(200);
    expect((await ask(host, `${basePath}/slow`)).body).toBe('late');
  });
});
