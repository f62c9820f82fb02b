import { randomBytes } from 'node:crypto';
import type { HttpRequest, HttpResponse, Route } from '@partnerkit/core';
import { describe, expect, test } from 'vitest';
import { assertProblem, basePath, child, type MemoryKit, memoryKit, own, startLoggedIn } from './support/host.ts';
import { ask } from './support/wire.ts';

const mebibyte = 1_024 * 1_024;

/** A host with routes of its own, made of the kit that they go through. */
const startWith = (routesOf: (kit: MemoryKit) => readonly Route[]) => {
  const kit = memoryKit();
  return startLoggedIn({ kit, routes: routesOf(kit) });
};

const text = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
});

describe('a route of the host’s own', () => {
  const path = '/organisations/:organisationId/payments/:paymentId' as const;
  const two = (kit: MemoryKit): readonly Route[] => [
    kit.accountRoute(
      'GET',
      path,
      async ({ account }, _request, { paymentId }) => text(`${account.id} reads ${paymentId}`),
      { right: 'none' },
    ),
    kit.accountRoute(
      'POST',
      path,
      async ({ account }, _request, { paymentId }) => text(`${account.id} pays ${paymentId}`, 201),
      { right: 'none' },
    ),
  ];
  const at = (accountId: string, paymentId: string): string =>
    `${basePath}/organisations/${accountId}/payments/${encodeURIComponent(paymentId)}`;

  test('serves two methods of one path, with the values of the path', async () => {
    const { host, headers } = await startWith(two);
    const [get, post] = [
      await ask(host, at(own.id, 'p/é 1'), { headers }),
      await ask(host, at(child.id, 'p2'), { method: 'POST', headers }),
    ];
    expect([get.status, get.body]).toEqual([200, 'acc_own reads p/é 1']);
    expect([post.status, post.body]).toEqual([201, 'acc_child pays p2']);
    expect(get.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': String(get.bytes.length) });
  });

  test('answers HEAD as GET without the body, and names all its methods in Allow', async () => {
    const { host, headers } = await startWith(two);
    const head = await ask(host, at(own.id, 'p1'), { method: 'HEAD', headers });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String('acc_own reads p1'.length),
    ]);
    const answer = await ask(host, at(own.id, 'p1'), { method: 'DELETE', headers });
    assertProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, POST, HEAD');
  });

  test('is behind authentication and the reach rule', async () => {
    const { host, headers } = await startWith(two);
    assertProblem(await ask(host, at(own.id, 'p1')), 401, 'missing_token');
    for (const id of ['acc_parent', 'acc_grandchild', 'acc_stranger', 'acc_absent']) {
      assertProblem(await ask(host, at(id, 'p1'), { method: 'POST', headers }), 404, 'not_found');
    }
  });

  test('leaves our own routes as they are', async () => {
    const { host, headers } = await startWith(two);
    expect((await ask(host, `${basePath}/organisations/${own.id}/me`, { headers })).status).toBe(200);
    assertProblem(await ask(host, `${basePath}/organisations/${own.id}/payments`, { headers }), 404, 'not_found');
  });
});

describe('its request', () => {
  const echo = (kit: MemoryKit, seen: HttpRequest[]): Route =>
    kit.accountRoute(
      'POST',
      '/organisations/:organisationId/echo',
      async (_caller, request) => {
        seen.push(request);
        return text('seen');
      },
      { right: 'none' },
    );
  const target = `${basePath}/organisations/${own.id}/echo?x=%C3%A9&x=2`;

  test.each([
    ['with a length', {}],
    ['in chunks', { chunked: 4_096 }],
  ])('the bytes of the body %s, whatever their type and up to 1 MiB', async (_name, how) => {
    const seen: HttpRequest[] = [];
    const { host, headers } = await startWith((kit) => [echo(kit, seen)]);
    for (const [length, type] of [
      [0, 'application/json'],
      [1, 'text/plain; charset=latin1'],
      [70_000, 'application/octet-stream'],
      [mebibyte, 'no type'],
    ] as const) {
      const body = randomBytes(length);
      const answer = await ask(host, target, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
        ...how,
      });
      expect(answer.status).toBe(200);
      expect(seen.at(-1)?.headers['content-type']).toBe(type);
      expect(Buffer.compare(seen.at(-1)?.body as Uint8Array, body)).toBe(0);
    }
    const tooLarge = { method: 'POST', headers, body: randomBytes(mebibyte + 1), ...how };
    assertProblem(await ask(host, target, tooLarge), 413, 'too_large');
    expect(seen).toHaveLength(4);
  });

  test('method, raw target, headers with all their values, and address', async () => {
    const seen: HttpRequest[] = [];
    const { host, headers } = await startWith((kit) => [echo(kit, seen)]);
    await ask(host, target, {
      method: 'POST',
      headers: { ...headers, 'X-Repeated': ['a', 'b'], cookie: ['c=1', 'd=2'] },
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        target,
        headers: expect.objectContaining({ ...headers, 'x-repeated': 'a, b', cookie: 'c=1; d=2' }),
        body: new Uint8Array(),
        remoteAddress: '127.0.0.1',
        isClosed: expect.any(Function),
      },
    ]);
  });
});

describe('its response', () => {
  const answering = (response: HttpResponse) =>
    startWith((kit) => [
      kit.accountRoute('GET', '/organisations/:organisationId/x', async () => response, { right: 'none' }),
    ]);
  const target = `${basePath}/organisations/${own.id}/x`;

  test('is sent unchanged', async () => {
    const { host, headers } = await answering({
      status: 418,
      headers: { 'x-own': 'é'.normalize('NFC') },
      body: 'thé ☕',
    });
    const answer = await ask(host, target, { headers });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 418, body: 'thé ☕' });
    expect(answer.headers).toMatchObject({ 'x-own': 'é', 'content-length': '8' });
  });

  test.each([
    ['application/json'],
    ['application/problem+json'],
    ['application/json; charset=utf-8'],
    ['text/html'],
    ['text/plain; charset=UTF-8'],
  ])('has the type %s and no other', async (type) => {
    const { host, headers } = await answering({ status: 200, headers: { 'content-type': type }, body: '{}' });
    expect((await ask(host, target, { headers })).headers['content-type']).toBe(type);
  });

  test.each([204, 304])('%i has no body, and says nothing of its length or type', async (status) => {
    const { host, headers } = await answering({ status, headers: { etag: '"1"' }, body: '' });
    const answer = await ask(host, target, { headers });
    expect({ status: answer.status, body: answer.body, etag: answer.headers.etag }).toEqual({
      status,
      body: '',
      etag: '"1"',
    });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });

  test('without a body has a length of 0', async () => {
    const { host, headers } = await answering({ status: 202, headers: {}, body: '' });
    const answer = await ask(host, target, { headers });
    expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([202, '', '0']);
  });

  test.each([
    ['rejects', () => Promise.reject(new RangeError('the password is hunter2'))],
    [
      'throws',
      () => {
        throw new RangeError('the password is hunter2');
      },
    ],
  ])('when it %s: a problem without the reason, and a signal under the same id', async (_how, handle) => {
    const { kit, host, headers } = await startWith((made) => [
      made.accountRoute('GET', '/organisations/:organisationId/x', handle, { right: 'none' }),
    ]);
    const answer = await ask(host, target, { headers });
    assertProblem(answer, 500, 'internal');
    expect(JSON.stringify([answer.body, answer.headers])).not.toContain('hunter2');
    expect(kit.signals.filter(({ kind }) => kind === 'request_failed')).toEqual([
      { kind: 'request_failed', requestId: answer.headers['x-request-id'], status: 500, error: { name: 'RangeError' } },
    ]);
    expect((await ask(host, target, { headers })).headers['x-request-id']).not.toBe(answer.headers['x-request-id']);
  });
});
