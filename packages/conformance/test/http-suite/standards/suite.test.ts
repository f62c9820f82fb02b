import type { HttpResponse } from '@partnerkit/core';
import { afterAll, expect, test } from 'vitest';
// The package whose receiver is mounted, from where it lies: this one knows none.
import { createReceiver, memorySeenKeys } from '../../../../receiver/src/index.ts';
import { standards } from '../../../src/http-suite/standards/rows.ts';
import { standardsHttpSuite } from '../../../src/http-suite/standards/suite.ts';
import { type Spoil, start } from '../least-host.ts';
import { signingKey, standardsTokens } from './tokens.ts';

/** What is wrong with the host: one host has it all in turn. */
let wrong: Spoil = (response) => response;
const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
standardsHttpSuite({
  test: (name, run) => cases.push({ name, run }),
  tokens: standardsTokens,
  signingKey,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: start((response) => wrong(response)),
});
afterAll(() => cases.at(-1)?.run());

const without =
  (name: string): Spoil =>
  ({ headers: { [name]: _left, ...headers }, ...rest }) => ({ ...rest, headers });
const withHeader =
  (name: string, value: (old: string) => string): Spoil =>
  ({ headers, ...rest }) => {
    const old = headers[name];
    return { ...rest, headers: old === undefined ? headers : { ...headers, [name]: value(old) } };
  };
const onStatus =
  (status: number, spoil: Spoil): Spoil =>
  (response) =>
    response.status === status ? spoil(response) : response;
const withBody = (change: (body: string) => string): Spoil => {
  return ({ body, headers, ...rest }: HttpResponse) => {
    const text = body === '' ? body : change(body);
    return { ...rest, headers: { ...headers, 'content-length': String(Buffer.byteLength(text)) }, body: text };
  };
};

test.each<[string, Spoil, fails: string]>([
  ['HEAD has another length', (each) => (each.body === '' ? without('content-length')(each) : each), 'RFC 9110 §9.3.2'],
  ['HEAD has no ETag', (each) => (each.body === '' ? without('etag')(each) : each), 'RFC 9110 §9.3.2'],
  ['Allow is missing', onStatus(405, without('allow')), 'RFC 9110 §15.5.6'],
  ['Allow forgets HEAD', withHeader('allow', (old) => old.replace(', HEAD', '')), 'RFC 9110 §15.5.6'],
  ['a 415 names no type', onStatus(415, without('accept')), 'RFC 9110 §15.5.16'],
  ['a 401 has no challenge', onStatus(401, without('www-authenticate')), 'RFC 9110 §15.5.2'],
  ['a 304 has no ETag', onStatus(304, without('etag')), 'RFC 9110 §15.4.5'],
  [
    'a 204 has a type',
    onStatus(204, (each) => ({ ...each, headers: { 'content-type': 'text/plain' } })),
    'RFC 9110 §15.3.5',
  ],
  [
    'Location lacks the base path',
    withHeader('location', (old) => old.replace('/api/v1/partner', '')),
    'RFC 9110 §10.2.2',
  ],
  [
    'Location lacks the base path of the management API',
    withHeader('location', (old) => old.replace('/api/v1/partner-management', '')),
    'RFC 9110 §10.2.2',
  ],
  ['Accept-Patch is missing', onStatus(415, without('accept-patch')), 'RFC 9110 §15.5.16'],
  ['an ETag is weak', withHeader('etag', (old) => `W/${old}`), 'RFC 9110 §8.8.3'],
  ['a 503 does not say when to return', without('retry-after'), 'RFC 9110 §15.6.4'],
  ['JSON has a charset', withHeader('content-type', (old) => `${old}; charset=utf-8`), 'RFC 8259 §8.1'],
  ['JSON has a byte order mark', withBody((body) => `\ufeff${body}`), 'RFC 8259 §8.1'],
  ['tokens may be stored', withHeader('cache-control', () => 'private'), 'RFC 6749 §5.1'],
  ['Pragma is missing', without('pragma'), 'RFC 6749 §5.1'],
  ['a login has a refresh token', withBody((body) => body.replace('{', '{"refresh_token":"x",')), 'RFC 6749 §4.4.3'],
  ['a login says its scope', withBody((body) => body.replace('{', '{"scope":"USER",')), 'RFC 6749 §5.1'],
  [
    'a refused assertion is another error',
    withBody((body) => body.replace('invalid_client', 'invalid_grant')),
    'RFC 7523 §3.2',
  ],
  ['a revocation has a body', (each) => (each.body === '' ? { ...each, body: '{}' } : each), 'RFC 7009 §2.2'],
  ['a description has quotes', withBody((body) => body.replace('is missing', '\\"is\\" missing')), 'RFC 6749 §5.2'],
  [
    'a challenge without a token has an error',
    withHeader('www-authenticate', (old) => `${old}, error="x"`),
    'RFC 6750 §3',
  ],
  ['a problem has another status', withBody((body) => body.replace(/"status":4/, '"status":5')), 'RFC 9457 §3.1.2'],
  ['a problem has another title', withBody((body) => body.replace('Not Found', 'Error')), 'RFC 9457 §4.2.1'],
  ['metadata names another issuer', withBody((body) => body.replace('/partners"', '/"')), 'RFC 8414 §3.3'],
  ['keys share an id', withBody((body) => body.replace(/"kid":"[^"]+"/g, '"kid":"1"')), 'RFC 7517 §4.5'],
  ['a key is private', withBody((body) => body.replace('"kty"', '"d":"AA","kty"')), 'RFC 7517 §9.3'],
  ['keys are others', withBody((body) => body.replace(/"x":"...../g, '"x":"AAAAA')), 'RFC 9068 §4'],
  ['pointers are not escaped', withBody((body) => body.replaceAll('~1', '/')), 'RFC 6901 §3'],
])('a host fails where %s', async (_what, spoil, fails) => {
  wrong = spoil;
  const named = cases.filter(({ name }) => name.startsWith(`${fails}: `));
  const outcomes = await Promise.allSettled(named.map(({ run }) => run()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).not.toEqual([]);
});

test('each sentence of a section stands once', () => {
  const names = cases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(standards.flatMap(({ rows }) => rows).length + 1);
});
