import { invalidClient, refused, unreadableJson } from '../support/answers.ts';
import type { HttpCase } from '../support/http-case.ts';
import type { Platform } from './platform.ts';
import { base, type Fields, jsonType, plain } from './requests.ts';

const revoke =
  (change: (fields: Fields) => object, headers: Readonly<Record<string, string>> = jsonType): HttpCase['request'] =>
  ({ clientId, clientSecret }: Platform) => ({
    method: 'POST',
    target: `${base}/revoke`,
    headers,
    body: JSON.stringify(change({ client_id: clientId, client_secret: clientSecret, token: 'unknown' })),
  });

/** Revocation (RFC 7009). What it revokes, the tests of assertions assert. */
export const revocationCases: readonly HttpCase[] = [
  {
    name: 'a revocation of an unknown token changes nothing',
    request: revoke((fields) => fields),
    ...{ status: 200, body: '', headers: { 'cache-control': 'no-store' } },
  },
  {
    name: 'a revocation without a token',
    request: revoke(({ token: _none, ...fields }) => fields),
    ...refused(400, 'invalid_request', 'token is missing.'),
  },
  {
    name: 'a revocation with a wrong secret',
    request: revoke((fields) => ({ ...fields, client_secret: 'x' })),
    ...invalidClient,
  },
  {
    name: 'a revocation of 9 KiB',
    request: revoke((fields) => ({ ...fields, pad: 'x'.repeat(9_000) })),
    ...refused(413, 'invalid_request', 'The body is larger than 8 KiB.'),
  },
  {
    name: 'a revocation as text/plain',
    request: revoke((fields) => fields, plain),
    ...unreadableJson,
  },
];
