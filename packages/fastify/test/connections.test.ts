import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Route } from '@partnerkit/core';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';
import { addClient, basePath, grantOf, loginPath, memoryKit, mePath, own, startLoggedIn } from './support/host.ts';
import { openWire } from './support/wire.ts';

test('two requests in one write are answered in their order', async () => {
  const { host, headers, credentials } = await startLoggedIn();
  const body = JSON.stringify(grantOf(credentials));
  const login = `POST ${loginPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const me = `GET ${mePath(own.id)} HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.authorization}\r\n`;
  const wire = await openWire(host);
  wire.write(`${login}${me}\r\n${login}${me}Connection: close\r\n\r\n`);
  for (const expected of [/"access_token"/, /"acc_own"/, /"access_token"/, /"acc_own"/]) {
    const answer = await wire.answer();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(expected);
  }
  expect(await wire.rest()).toBe('');
});

test('pipelined requests keep their order though the second is ready first', async () => {
  let release = (): void => undefined;
  const secondIsDone = new Promise<void>((resolve) => {
    release = resolve;
  });
  const route = (name: string, handle: () => Promise<void>): Route => ({
    path: `${basePath}/${name}`,
    methods: ['GET'],
    maxBodyBytes: 0,
    handle: async () => {
      await handle();
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: name };
    },
  });
  const { host } = await startLoggedIn({
    kit: memoryKit(),
    routes: [route('first', () => secondIsDone), route('second', async () => release())],
  });
  const wire = await openWire(host);
  const get = (name: string): string => `GET ${basePath}/${name} HTTP/1.1\r\nHost: a\r\n`;
  wire.write(`${get('first')}\r\n${get('second')}Connection: close\r\n\r\n`);
  expect(await wire.answer()).toMatch(/\r\n\r\nfirst$/);
  expect(await wire.answer()).toMatch(/\r\n\r\nsecond$/);
});

test('an HTTP/1.0 caller gets a response and the connection closes', async () => {
  const { host, headers } = await startLoggedIn();
  const wire = await openWire(host);
  wire.write(`GET ${mePath(own.id)} HTTP/1.0\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
  expect(await wire.rest()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"id":"acc_own"/);
});

test('header names on the wire are those that core wrote, each once', async () => {
  const { host, headers } = await startLoggedIn();
  const wire = await openWire(host);
  wire.write(
    `GET ${mePath(own.id)} HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.authorization}\r\nConnection: close\r\n\r\n`,
  );
  const [head = ''] = (await wire.answer()).split('\r\n\r\n');
  const names = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  expect(names.toSorted()).toEqual(['cache-control', 'connection', 'content-length', 'content-type', 'date']);
});

test('HTTP/2 gets the same answers', async () => {
  const kit = memoryKit();
  const app = fastify({ http2: true });
  await app.register(fastifyRoutes, { routes: kit.routes });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    session.destroy();
    await app.close();
  });
  const exchange = (headers: Record<string, string>, body?: string) =>
    new Promise<{ readonly status: unknown; readonly type: unknown; readonly length: unknown; readonly body: string }>(
      (resolve, reject) => {
        const stream = session.request(headers);
        let text = '';
        let answered: Record<string, unknown> = {};
        stream.on('response', (got) => {
          answered = got;
        });
        stream.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        stream.on('error', reject);
        stream.on('end', () => {
          const { ':status': status, 'content-type': type, 'content-length': length } = answered;
          resolve({ status, type, length, body: text });
        });
        stream.end(body);
      },
    );
  const login = await exchange(
    { ':method': 'POST', ':path': loginPath, 'content-type': 'application/json' },
    JSON.stringify(grantOf(await addClient(kit))),
  );
  expect(login.status).toBe(200);
  const me = await exchange({
    ':path': mePath(own.id),
    authorization: `Bearer ${JSON.parse(login.body).access_token}`,
  });
  expect(me).toMatchObject({ status: 200, type: 'application/json', length: String(Buffer.byteLength(me.body)) });
  expect(JSON.parse(me.body).name).toBe(own.name);
  expect((await exchange({ ':path': mePath(own.id), ':method': 'HEAD' })).status).toBe(401);
});
