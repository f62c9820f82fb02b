import type { Route } from '@partnerkit/core';
import type { IncomingRequest } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { inProcess } from '../../src/scripted/in-process.ts';

/** Answers with what it was asked. */
const echo = (seen: IncomingRequest[], path: `/${string}` = '/echo/:id', methods = ['GET', 'PUT']): Route => ({
  path,
  methods,
  maxBodyBytes: 4,
  handle: async (request) => {
    seen.push(request);
    return { status: 200, headers: {}, body: path };
  },
});

test('a route is handed what a strict adapter would hand over', async () => {
  const seen: IncomingRequest[] = [];
  const request = inProcess([echo(seen)]);
  await request('PUT', '/echo/a%20b?x=%zz', { body: 'é!', headers: { 'x-y': ['1', '2'] }, remoteAddress: '::1' });
  expect(seen).toEqual([
    {
      method: 'PUT',
      target: '/echo/a%20b?x=%zz',
      headers: { 'x-y': ['1', '2'] },
      body: new TextEncoder().encode('é!'),
      remoteAddress: '::1',
    },
  ]);
});

test('JSON and tokens are written as they go over the wire', async () => {
  const seen: IncomingRequest[] = [];
  const request = inProcess([echo(seen)]);
  await request('PUT', '/echo/1', { json: 12, token: 't' });
  await request('PUT', '/echo/1', { json: 1, headers: { 'content-type': 'text/plain' }, body: Uint8Array.of(1) });
  await request('GET', '/echo/1');
  expect(seen).toMatchObject([
    {
      headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
      body: Uint8Array.of(0x31, 0x32),
      remoteAddress: '203.0.113.7',
    },
    { headers: { 'content-type': 'text/plain' }, body: Uint8Array.of(0x31) },
    { headers: {}, body: new Uint8Array() },
  ]);
});

test('more than a route takes is not handed over', async () => {
  const seen: IncomingRequest[] = [];
  const request = inProcess([echo(seen)]);
  await request('PUT', '/echo/1', { body: '1234' });
  await request('PUT', '/echo/1', { body: '12345' });
  expect(seen.map(({ body }) => ('tooLarge' in body ? body : body.constructor.name))).toEqual([
    'Uint8Array',
    { tooLarge: true },
  ]);
});

test('HEAD is answered where GET is served, a path with a * takes the rest, and no path at all is 404', async () => {
  const seen: IncomingRequest[] = [];
  const request = inProcess([echo(seen), echo(seen, '/echo/*', [])]);
  expect(await request('HEAD', '/echo/1')).toMatchObject({ status: 200, body: '' });
  expect(await request('GET', '/echo/1/2')).toMatchObject({ status: 200, body: '/echo/*' });
  expect(await request('GET', '/nothing')).toMatchObject({ status: 404, body: 'No route has this path.' });
});

test('two routes for the same are refused', () => {
  expect(() => inProcess([echo([]), echo([])])).toThrow(TypeError);
});
