import { notAllowed, notFound, problem } from './answers.ts';
import type { HttpCase } from './http-case.ts';
import { as, get, me, plain } from './requests.ts';

/** Paths that are none, and those that take no account. @internal */
export const pathCases: readonly HttpCase[] = [
  ...[
    '/',
    '/nothing',
    '/Login',
    '/login/',
    '//login',
    '/login%2F',
    '/organisations',
    '/organisations//me',
    '/organisations/org_main',
    '/organisations/org_main/me/',
    '/organisations/org_main/Me',
  ].map((path): HttpCase => ({ name: `no such path: ${path}`, request: as(path), ...notFound })),
  {
    name: 'a percent-encoding that is not UTF-8',
    request: me('%ff'),
    ...problem(400, 'bad_request', 'The path holds a percent-encoding that is not UTF-8.'),
  },
  {
    name: 'a percent-encoding that is none',
    request: me('%zz'),
    ...problem(400, 'bad_request', 'The path holds a percent-encoding that is not UTF-8.'),
  },
  {
    name: 'the public keys',
    request: () => get('/jwks.json'),
    status: 200,
    body: '{"keys":[{"kty":"EC","crv":"P-256","kid":"k1"}]}',
    headers: { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=300' },
  },
];

/** Routes of the host's own. @internal */
export const hostCases: readonly HttpCase[] = [
  {
    name: 'a route of the host',
    request: as('/organisations/org_child/notes/n%201'),
    status: 200,
    body: 'org_child n 1 USER',
    headers: plain,
  },
  {
    name: 'a route of the host with a body',
    request: (platform) => ({
      ...as('/organisations/org_main/notes/1', 'PUT')(platform),
      body: 'été\n',
      headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'text/plain' },
    }),
    status: 200,
    body: 'été\n',
    headers: plain,
  },
  {
    name: 'a route of the host without an answer body',
    request: as('/organisations/org_main/notes/1', 'DELETE'),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'a route of the host by a method it has not',
    request: as('/organisations/org_main/notes/1', 'PATCH'),
    ...notAllowed('GET, PUT, DELETE, HEAD'),
  },
  { name: 'a route of the host for a stranger', request: as('/organisations/org_stranger/notes/1'), ...notFound },
  {
    name: 'a route of the host with more than 1 MiB',
    request: (platform) => ({
      ...as('/organisations/org_main/notes/1', 'PUT')(platform),
      body: 'x'.repeat(1_048_577),
      headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'text/plain' },
    }),
    ...problem(413, 'too_large', 'The body is larger than this path takes.'),
  },
  {
    name: 'a route of the host that throws',
    request: as('/organisations/org_main/broken'),
    ...problem(500, 'internal', 'The platform failed on this request.'),
  },
];
