import type { HttpResponse } from '@partnerkit/core';
import { describe, expect, test } from 'vitest';
// The package whose receiver is mounted, from where it lies: this one knows none.
import { createReceiver, memorySeenKeys } from '../../../receiver/src/index.ts';
import { type InProcessRequest, inProcess } from '../../../testing/src/scripted/in-process.ts';
import { type HttpSuiteOptions, httpSuite } from '../../src/http-suite/http-suite.ts';
import { createPlatform, type Platform } from '../../src/http-suite/partner/platform.ts';
import { type Spoil, start } from './least-host.ts';
import { createRefusalLog } from './support/refusal-log.ts';

const receiver: HttpSuiteOptions['receiver'] = ({ path, ...options }) =>
  createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path);

const log = createRefusalLog();

describe('the least host holds', () => {
  httpSuite({ test, start: start(), receiver, onAnswer: log.onAnswer });
});

describe('failures of the platform', () => {
  /** A platform of which one part fails from the moment that `fail` is called. */
  const open = async (part: 'accounts' | 'mayUseApi' | 'jwks' | 'keys' | 'limits') => {
    let fails = false;
    const platform = await createPlatform({
      adapt: (options) => ({
        ...options,
        accounts: {
          ...options.accounts,
          find: async (id) => {
            if (fails && part === 'accounts') throw new Error('no answer');
            return options.accounts.find(id);
          },
        },
        api: {
          mayUseApi: ({ status }) => {
            if (fails && part === 'mayUseApi') throw new Error('a rule of the platform');
            return status === 'active';
          },
        },
        tokens: {
          ...options.tokens,
          jwks: async () => {
            if (part === 'jwks') throw new Error('no answer');
            return { keys: part === 'keys' ? [{ kty: 1n }] : [] } as never;
          },
        },
        limits: {
          ...options.limits,
          ...(part === 'limits' ? { failedLogins: { perClientAndAddress: { points: 1, window: 60_000 } } } : {}),
        },
      }),
    });
    fails = true;
    const ask = inProcess(platform.routes);
    return {
      platform,
      answer: async (method: string, path: string, request: InProcessRequest = {}): Promise<readonly unknown[]> => {
        const target = `/api/v1/partner${path}`;
        const answer = await ask(method, target, request);
        log.onAnswer({ ...answer, document: platform.document, method, target });
        const { code, error } = JSON.parse(answer.body);
        return [answer.status, code ?? error];
      },
    };
  };
  const loginOf = (platform: Platform, secret = platform.clientSecret) => ({
    json: {
      client_id: platform.clientId,
      client_secret: secret,
      grant_type: 'client_credentials',
      scope: 'USER',
    },
  });
  const revocationOf = (platform: Platform, secret = platform.clientSecret) => ({
    json: { client_id: platform.clientId, client_secret: secret, token: 'unknown' },
  });

  test.each([
    ['accounts', [503, 'unavailable'], [503, 'temporarily_unavailable']],
    ['mayUseApi', [500, 'internal'], [500, 'internal']],
  ] as const)('%s fails: the account and the login', async (part, account, login) => {
    const { platform, answer } = await open(part);
    for (const path of ['me', 'children'])
      expect(await answer('GET', `/organisations/org_main/${path}`, { token: platform.token })).toEqual(account);
    expect(await answer('POST', '/login', loginOf(platform))).toEqual(login);
    expect(await answer('POST', '/revoke', revocationOf(platform))).toEqual(login);
  });

  test('the keys fail, or are no JSON', async () => {
    expect(await (await open('jwks')).answer('GET', '/jwks.json')).toEqual([503, 'unavailable']);
    expect(await (await open('keys')).answer('GET', '/jwks.json')).toEqual([500, 'internal']);
  });

  test('a second wrong secret is one too many', async () => {
    const { platform, answer } = await open('limits');
    const wrong = loginOf(platform, 'x');
    expect(await answer('POST', '/login', wrong)).toEqual([401, 'invalid_client']);
    expect(await answer('POST', '/login', wrong)).toEqual([429, 'too_many_attempts']);
    expect(await answer('POST', '/revoke', revocationOf(platform, 'x'))).toEqual([429, 'too_many_attempts']);
  });
});

test('the document lists what is answered, and nothing else is listed', () => {
  expect(log.unreached()).toEqual([]);
  expect(log.placeless()).toEqual([]);
  // Of paths that have other methods.
  expect(log.unlisted()).toEqual(['getAccount 405 method_not_allowed', 'login 405 method_not_allowed']);
});

describe('a host with one thing wrong fails', () => {
  /** Runs some cases: the names of those that fail. */
  const failed = async (
    some: readonly string[],
    spoil: Spoil,
    mounted?: NonNullable<HttpSuiteOptions['receiver']>,
  ): Promise<readonly string[]> => {
    const cases = new Map<string, () => Promise<void>>();
    httpSuite({
      test: (name, run) => cases.set(name, run),
      start: start(spoil),
      ...(mounted ? { receiver: mounted } : {}),
    });
    const names: string[] = [];
    for (const name of some) await (cases.get(name) ?? expect.unreachable(name))().catch(() => names.push(name));
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
    expect(await failed([fails, holds], spoil)).toEqual([fails]);
  });

  test('a receiver that processes before it checks', async () => {
    const [unsigned, once] = [
      'a webhook without a signature',
      'each good webhook was processed, once, and pollutes nothing',
    ];
    const names = await failed(
      [unsigned, 'a webhook', once],
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
    expect(names).toEqual([unsigned, once]);
  });
});
