import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errAsync, ok, okAsync, ResultAsync } from '#result';
import { noAuthentication } from '../../../src/api/operations/no-authentication.ts';
import type { Authentication, Operation } from '../../../src/api/operations/operation.ts';
import { createRefusal } from '../../../src/api/operations/refusal.ts';
import { createRunner, restRoute } from '../../../src/api/operations/run.ts';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import type { Signal } from '../../../src/base/signals/signal.ts';
import { testClock } from '../../support/clock.ts';
import { request } from '../../support/http.ts';
import { seededRandom } from '../../support/random.ts';

const made = (row: Partial<Operation>, by: Authentication<unknown>['by'] = 'none') => {
  const signals: Signal[] = [];
  const told: unknown[][] = [];
  const refuse = createRefusal({
    clock: testClock(),
    random: seededRandom(),
    observe: (signal) => signals.push(signal),
    reportError: (...each) => told.push(each),
  });
  const done: HttpResponse = { status: 200, headers: {}, body: 'ok' };
  const words = { operationId: 'put', summary: 'Puts.', tag: 'Test', answers: { 200: { description: 'Done.' } } };
  const route = createRunner(refuse)<unknown>(
    { ...words, method: 'PUT', path: '/a/:id', maxBodyBytes: 7, handle: () => okAsync(done), ...row },
    { ...noAuthentication, by },
  );
  return {
    refuse,
    route,
    signals,
    told,
    ask: (method: string, target: string) => route.handle(request(method, target)),
  };
};
const codeOf = ({ status, body }: HttpResponse) => [status, JSON.parse(body).code];

test('a route has its path, methods and limit', () => {
  expect(made({}).route).toMatchObject({ path: '/a/:id', methods: ['PUT'], maxBodyBytes: 7 });
});

test('hands the request and the values of the path to its handler', async () => {
  const { ask } = made({
    handle: ({ request: { method, target }, params }) =>
      okAsync({ status: 200, headers: {}, body: JSON.stringify([method, target, params]) }),
  });
  expect((await ask('PUT', '/a/x%20y?q=1')).body).toBe('["PUT","/a/x%20y?q=1",{"id":"x y"}]');
});

describe('answers itself', () => {
  const unreachable = { handle: () => expect.unreachable('the handler was called') };

  test('an unknown path, before the method', async () => {
    const { ask } = made(unreachable);
    expect(codeOf(await ask('GET', '/b/x'))).toEqual([404, 'not_found']);
    expect(codeOf(await ask('DELETE', '/b/x'))).toEqual([404, 'not_found']);
    expect(codeOf(await ask('GET', '/a/%ff'))).toEqual([400, 'bad_request']);
  });

  test('a method that it does not serve: 405 with Allow', async () => {
    const { ask } = made(unreachable);
    for (const method of ['POST', 'GET', 'put', 'HEAD', 'OPTIONS', 'TRACE', '']) {
      const response = await ask(method, '/a/x');
      expect(codeOf(response)).toEqual([405, 'method_not_allowed']);
      expect(response.headers['allow']).toBe('PUT');
    }
  });

  test.each([
    ['PUT', 'application/json', 200],
    ['PUT', 'Application/JSON ; charset=UTF-8', 200],
    ['PUT', 'application/json; charset=utf-16', 415],
    ['PUT', 'application/jsonx', 415],
    ['PUT', 'xapplication/json', 415],
    ['PUT', 'application/merge-patch+json', 415],
    ['PATCH', 'application/merge-patch+json', 200],
    ['PATCH', 'application/merge-patch+jsonx', 415],
  ] as const)('a %s with a body of the type %s: %i', async (method, type, status) => {
    const { route } = made({ method, body: z.object({}) });
    const answered = await route.handle(request(method, '/a/x', { headers: { 'content-type': type }, body: '{}' }));
    expect(answered.status).toBe(status);
  });

  test('every path and every method below a prefix', async () => {
    const { refuse } = made({});
    const route = restRoute(refuse, '/a/*');
    expect(route).toMatchObject({ path: '/a/*', methods: [] });
    for (const [method, target] of [
      ['DELETE', '/a/x/y'],
      ['X', '/a/%ff'],
    ] as const)
      expect(codeOf(await route.handle(request(method, target)))).toEqual([404, 'not_found']);
  });
});

describe('failures', () => {
  const cause = Object.assign(new Error('SECRET'), { code: 'ECONNRESET', name: 'PgError' });

  test('a problem has a request id; 500 and 503 are signalled with the same id', async () => {
    for (const code of ['unavailable', 'internal'] as const) {
      const { ask, signals } = made({ handle: () => errAsync({ code, cause }) });
      const { status, headers } = await ask('PUT', '/a/x');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      const error = { name: 'PgError', code: 'ECONNRESET' };
      expect(signals).toEqual([{ kind: 'request_failed', requestId: headers['x-request-id'], status, error }]);
    }
  });

  test('an error of the partner is not signalled', async () => {
    const { ask, signals } = made({ handle: () => errAsync({ code: 'not_found' }) });
    expect((await ask('PUT', '/a/x')).headers).toHaveProperty('x-request-id');
    await ask('POST', '/a/x');
    expect(signals).toEqual([]);
  });

  test('an OAuth error has the bytes of RFC 6749, without a request id below 500', async () => {
    const refused = made({ handle: () => errAsync({ code: 'invalid_client' }) }, 'client');
    expect((await refused.ask('PUT', '/a/x')).headers).not.toHaveProperty('x-request-id');
    const failed = made({ handle: () => errAsync({ code: 'temporarily_unavailable', cause }) }, 'client');
    expect((await failed.ask('PUT', '/a/x')).headers).toHaveProperty('x-request-id');
    expect(failed.signals).toHaveLength(1);
  });

  test('two requests, two ids', async () => {
    const { ask } = made({ handle: () => errAsync({ code: 'not_found' }) });
    expect((await ask('PUT', '/a/x')).headers['x-request-id']).not.toBe(
      (await ask('PUT', '/a/x')).headers['x-request-id'],
    );
  });

  test('never rejects: a throw or a rejection is a 500 without details', async () => {
    const handlers: readonly Operation['handle'][] = [
      () => {
        throw cause;
      },
      () => ResultAsync.fromSafePromise(Promise.reject(cause)),
      () =>
        okAsync(1).andThen(() => {
          throw cause;
        }),
    ];
    for (const handle of handlers) {
      const { ask, signals, told } = made({ handle });
      const response = await ask('PUT', '/a/x');
      expect(told).toEqual([[cause, { requestId: response.headers['x-request-id'] }]]);
      expect(codeOf(response)).toEqual([500, 'internal']);
      expect(JSON.stringify([response, signals])).not.toContain('SECRET');
      expect(signals).toMatchObject([{ kind: 'request_failed', status: 500, error: { name: 'PgError' } }]);
    }
  });
});

test('a body that an adapter read past the limit is too large', async () => {
  const bodies: unknown[] = [];
  const { route } = made({
    read: ({ body }) => {
      bodies.push(body);
      return ok(body);
    },
  });
  const put = (body: Parameters<typeof request>[2]) => route.handle(request('PUT', '/a/x', body));
  await put({ body: '1234567' });
  await put({ body: '12345678' });
  await put({ body: { parsed: 'a host’s parser has its own limit' } });
  expect(bodies[0]).toHaveLength(7);
  expect(bodies.slice(1)).toEqual([{ tooLarge: true }, { parsed: 'a host’s parser has its own limit' }]);
});
