import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import type { Route } from '@partnerkit/core';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import compression from 'compression';
import express, { type Express } from 'express';
// @ts-expect-error: it has no types.
import express4 from 'express4';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expressRouter } from '../src/index.ts';
import { basePath, errorsOf, listen, login, own, platform, send } from './host.ts';

const event = '{"timestamp":1732147200,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
const receiverRoute = (): Route =>
  createReceiver({ secrets: ['s3cr3t'], seen: memorySeenKeys(), on: {} }).route('/hooks');
const deliver = (port: number) =>
  send(
    port,
    'POST',
    '/hooks',
    {
      'content-type': 'application/json',
      'x-webhook-signature': createHmac('sha1', 's3cr3t').update(event).digest('hex'),
    },
    event,
  );

test('express.json() before the router: login works, a receiver responds with the remedy', async () => {
  const { kit, credentials } = await platform();
  const port = await listen(express().use(express.json(), expressRouter([...kit.routes, receiverRoute()])));
  expect((await login(port, credentials)).status).toBe(200);
  const refused = await deliver(port);
  expect(refused.status).toBe(500);
  expect(JSON.parse(refused.body)).toMatchObject({
    code: 'raw_body_needed',
    detail: expect.stringContaining('mount the receiver before it'),
  });
});

test('express.raw() before the router, or express.json() after it: a receiver has its bytes', async () => {
  const raw = express().use(express.raw({ type: () => true }), expressRouter([receiverRoute()]));
  expect((await deliver(await listen(raw))).status).toBe(204);
  const after = express().use(expressRouter([receiverRoute()]), express.json());
  expect((await deliver(await listen(after))).status).toBe(204);
});

test('what a parser before kept in rawBody is what a receiver verifies, and what a login reads', async () => {
  const start = async (keep: (bytes: Buffer) => unknown) => {
    const { kit, credentials } = await platform();
    const verify = (request: object, _response: unknown, bytes: Buffer): void => {
      Object.assign(request, { rawBody: keep(bytes) });
    };
    const app = express().use(express.json({ verify }), expressRouter([...kit.routes, receiverRoute()]));
    return { port: await listen(app), credentials };
  };
  const kept = await start((bytes) => bytes);
  expect((await deliver(kept.port)).status).toBe(204);
  expect((await login(kept.port, kept.credentials)).status).toBe(200);
  expect((await login(kept.port, { ...kept.credentials, pad: 'x'.repeat(9_000) })).status).toBe(413);
  // A text is not the bytes.
  const text = await start((bytes) => bytes.toString());
  expect(JSON.parse((await deliver(text.port)).body).code).toBe('raw_body_needed');
  expect((await login(text.port, text.credentials)).status).toBe(200);
});

test('a body that express.raw() read beyond the limit of the route is too large', async () => {
  const { kit, credentials } = await platform();
  const port = await listen(express().use(express.raw({ type: () => true, limit: '1mb' }), expressRouter(kit.routes)));
  expect((await login(port, { ...credentials, pad: 'x'.repeat(9_000) })).status).toBe(413);
  expect((await login(port, credentials)).status).toBe(200);
});

test('compression compresses, and the answer is whole', async () => {
  const { kit, credentials } = await platform();
  const port = await listen(express().use(compression(), expressRouter(kit.routes)));
  const { access_token } = JSON.parse((await login(port, credentials)).body);
  const me = `${basePath}/organisations/org/me`;
  const plain = await send(port, 'GET', me, { authorization: `Bearer ${access_token}` });
  expect(JSON.parse(plain.body)).toEqual(own);
  const packed = await fetch(`http://127.0.0.1:${port}${me}`, {
    headers: { authorization: `Bearer ${access_token}`, 'accept-encoding': 'gzip' },
  });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(await packed.json()).toEqual(own);
});

test('mounted at a path, every request gives the host’s error handler the remedy', async () => {
  const { kit, credentials } = await platform();
  const app = express().use('/partners', expressRouter(kit.routes));
  const errors = errorsOf(app);
  const port = await listen(app);
  for (const path of [`/partners${basePath}/login`, '/partners/login'])
    expect(await login(port, credentials, path)).toMatchObject({ status: 500, body: 'the host’s own answer' });
  expect(errors.map(({ message }) => message)).toEqual([
    'expressRouter: routes carry whole paths; set api.basePath instead of mounting at "/partners".',
    'expressRouter: routes carry whole paths; set api.basePath instead of mounting at "/partners".',
  ]);
});

test('in an app of Express 4, every request gives the host’s error handler the remedy', async () => {
  const { kit, credentials } = await platform();
  const app: Express = express4();
  app.use(expressRouter(kit.routes));
  const errors = errorsOf(app);
  expect((await login(await listen(app), credentials)).status).toBe(500);
  expect(errors.map(({ name, message }) => [name, message])).toEqual([
    ['TypeError', 'expressRouter: this is Express 4, and the routes need Express 5: npm install express@5.'],
  ]);
});

test('the caller’s address is the socket’s, unless clientAddress says otherwise', async () => {
  const wrong = (credentials: object) => ({ ...credentials, client_secret: 'wrong' });
  const limits = async (forwarded: boolean) => {
    const { kit, credentials } = await platform();
    const app = express().set('trust proxy', true);
    app.use(expressRouter(kit.routes, forwarded ? { clientAddress: (each) => each.ip } : {}));
    const port = await listen(app);
    const statuses: number[] = [];
    for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2']) {
      statuses.push((await login(port, wrong(credentials), undefined, { 'x-forwarded-for': address })).status);
    }
    return statuses;
  };
  expect(await limits(false)).toEqual([401, 429, 429]);
  expect(await limits(true)).toEqual([401, 429, 401]);
});

test('an upload that is aborted prints nothing', async () => {
  const { kit } = await platform();
  const app = express();
  // Express prints the errors that no handler takes, unless this is a test.
  app.set('env', 'production');
  let ended = (): void => undefined;
  app.use((_request, response, next) => {
    response.once('close', () => ended());
    next();
  });
  app.use(expressRouter([...kit.routes, receiverRoute()]));
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const port = await listen(app);
  for (const path of [`${basePath}/login`, '/hooks']) {
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const wire = connect(port, '127.0.0.1');
    wire.end(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`);
    await closed;
    // Whatever the close has led to is done before another request is answered.
    await send(port, 'GET', '/nowhere');
  }
  expect(printed.mock.calls).toEqual([]);
});

test('two kits in one app keep to their own paths and clients', async () => {
  const one = await platform('/one');
  const two = await platform('/two');
  const port = await listen(express().use(expressRouter(one.kit.routes), expressRouter(two.kit.routes)));
  expect((await login(port, one.credentials, '/one/login')).status).toBe(200);
  expect((await login(port, two.credentials, '/two/login')).status).toBe(200);
  expect((await login(port, one.credentials, '/two/login')).status).toBe(401);
});

test('the host’s routes, its 404 and its errors stay its own', async () => {
  const { kit } = await platform();
  const app = express().use(expressRouter(kit.routes));
  app.get('/own/:id', (each, response) => void response.send(each.params.id));
  app.get('/throws', () => {
    throw new Error('the host’s error');
  });
  const errors = errorsOf(app);
  const port = await listen(app);
  expect(await send(port, 'GET', '/own/7')).toMatchObject({ status: 200, body: '7' });
  expect((await send(port, 'GET', '/nowhere')).body).toContain('Cannot GET /nowhere');
  await send(port, 'GET', '/throws');
  // Outside of our paths an undecodable parameter is the host's to answer.
  await send(port, 'GET', '/own/%zz');
  expect(errors.map(({ name, message }) => [name, message.slice(0, 16)])).toEqual([
    ['Error', 'the host’s error'],
    ['URIError', 'Failed to decode'],
  ]);
});

test('a response of the host is sent unchanged, headers beyond ASCII in latin1', async () => {
  const { kit, credentials } = await platform();
  const route = kit.accountRoute(
    'GET',
    '/organisations/:organisationId/x',
    async () => ({
      status: 418,
      headers: { 'x-own': 'é' },
      body: 'thé ☕',
    }),
    { right: 'none' },
  );
  const port = await listen(express().use(expressRouter([...kit.routes, route])));
  const { access_token: token } = JSON.parse((await login(port, credentials)).body);
  const answer = await send(port, 'GET', `${basePath}/organisations/org/x`, { authorization: `Bearer ${token}` });
  expect([answer.status, answer.headers['x-own'], answer.body]).toEqual([418, 'é', 'thé ☕']);
});

test('the kit in place of its routes, and an unknown option, are refused with the remedy', async () => {
  const { kit } = await platform();
  expect(() => expressRouter(kit as never)).toThrow(new TypeError('routes: this is the kit; hand over kit.routes.'));
  expect(() => expressRouter(kit.routes, { clientAdress: () => undefined } as never)).toThrow(
    new TypeError("expressRouter: there is no option 'clientAdress'; did you mean 'clientAddress'?"),
  );
  expect(() => expressRouter(kit.routes, { clientAddress: '203.0.113.7' } as never)).toThrow(
    new TypeError('expressRouter: the option clientAddress must be a function.'),
  );
});
