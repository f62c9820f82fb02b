import type { HttpResponse } from '@partnerkit/core/http';
import { describe, expect, test } from 'vitest';
// The package whose receiver is mounted, from where it lies: this one knows none.
import { createReceiver, memorySeenKeys } from '../../../receiver/src/index.ts';
import { type HttpSuiteOptions, httpSuite } from '../../src/http-suite/http-suite.ts';
import { type Spoil, start } from './least-host.ts';

const receiver: HttpSuiteOptions['receiver'] = ({ path, ...options }) =>
  createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path);

describe('the least host holds', () => {
  httpSuite({ test, start: start(), receiver });
});

describe('a host with one thing wrong fails', () => {
  const failed = async (
    spoil: Spoil,
    mounted?: NonNullable<HttpSuiteOptions['receiver']>,
  ): Promise<readonly string[]> => {
    const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
    httpSuite({
      test: (name, run) => cases.push({ name, run }),
      start: start(spoil),
      ...(mounted ? { receiver: mounted } : {}),
    });
    const names: string[] = [];
    for (const { name, run } of cases) await run().catch(() => names.push(name));
    return names;
  };
  const measured = ({ status, headers, body }: HttpResponse): HttpResponse => ({
    status,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
  });

  test.each<[string, Spoil, fails: string, holds: string]>([
    [
      'leaves a header out',
      ({ headers: { 'www-authenticate': _left, ...headers }, ...rest }) => ({ ...rest, headers }),
      'no token',
      'the own account',
    ],
    [
      'adds a charset',
      ({ headers, ...rest }) => ({
        ...rest,
        headers:
          headers['content-type'] === 'text/plain'
            ? { ...headers, 'content-type': 'text/plain; charset=utf-8' }
            : headers,
      }),
      'a route of the host',
      'the own account',
    ],
    [
      'answers another status',
      (response) => (response.status === 413 ? { ...response, status: 400 } : response),
      'login with one byte more',
      'login with a body of 8 KiB exactly',
    ],
    [
      'shows what was thrown',
      (response) => (response.status === 500 ? measured({ ...response, body: 'Error: at x.ts' }) : response),
      'a route of the host that throws',
      'no such path: /nothing',
    ],
    [
      'says why a login failed',
      (response) =>
        response.status === 401
          ? measured({ ...response, body: response.body.replace('Unknown', 'No such') })
          : response,
      'login by JSON with a disabled client',
      'no token',
    ],
  ])('%s', async (_what, spoil, fails, holds) => {
    const names = await failed(spoil);
    expect(names).toContain(fails);
    expect(names).not.toContain(holds);
  });

  test('a receiver that processes before it checks', async () => {
    const names = await failed(
      (response) => response,
      (wanted) => {
        const route = (receiver as NonNullable<typeof receiver>)(wanted);
        return {
          ...route,
          handle: (request) => {
            wanted.otherwise('anything');
            return route.handle(request);
          },
        };
      },
    );
    expect(names).toContain('a webhook without a signature');
    expect(names).toContain('each good webhook was processed, once, and pollutes nothing');
    expect(names).not.toContain('a webhook');
  });
});
