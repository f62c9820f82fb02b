import { invalidToken, missingToken, notAllowed, notFound, problem } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { as, get, isGranted, jsonType, loginWith, mainAccount, me, plain } from './requests.ts';

const undecodable = problem(400, 'bad_request', 'The path holds a percent-encoding that is not UTF-8.');

/** The ETag is the begin of the SHA-256 of the body. */
const keySet = { 'cache-control': 'public, max-age=300', etag: '"4e915c7c9e4e34e8812b29e5e64b5649"' };

/** Unknown paths, and one without an account. */
export const pathCases: readonly HttpCase[] = [
  ...bad('path', [
    ...[
      '/',
      '/nothing',
      '/Login',
      '/login/',
      '//login',
      '/login%2F',
      '/log%69n',
      '/organisations',
      '/organisations//me',
      '/organisations/org_main',
      '/organisations/org_main/me/',
      '/organisations/org_main/Me',
      '/organisations/org_main/me/more',
      '/organisations/org_main%2Fme',
      '/organisations%2Forg_main/me',
      '/organisations/org_main/me;v=1',
      '/organisations/org_main/m%65',
      '/Organisations/org_main/me',
      '/organisations?organisationId=org_main',
    ].map((path): HttpCase => ({ name: `no such path: ${path}`, request: as(path), ...notFound })),
    { name: 'no such path, of 4,000 segments', request: as('/a'.repeat(4_000)), ...notFound },
    { name: 'a percent-encoding that is not UTF-8', request: me('%ff'), ...undecodable },
    { name: 'an invalid percent-encoding', request: me('%zz'), ...undecodable },
  ]),
  {
    name: 'the public keys',
    request: () => get('/jwks.json'),
    status: 200,
    body: '{"keys":[{"kty":"EC","crv":"P-256","kid":"k1"}]}',
    headers: { 'content-type': 'application/jwk-set+json', ...keySet },
  },
  {
    name: 'the public keys of another time',
    request: () => get('/jwks.json', { 'if-match': '"other"' }),
    ...problem(
      412,
      'version_mismatch',
      'The object has another version than If-Match or If-None-Match allows; read it again.',
    ),
  },
];

/** The answer to a method that a path does not support; the standards send each method to each path. */
export const methodCases: readonly HttpCase[] = bad('method', [
  { name: 'login by GET', request: () => get('/login'), ...notAllowed('POST') },
  {
    name: 'the account by POST',
    request: as('/organisations/org_main/me', 'POST'),
    ...notAllowed('GET, HEAD'),
  },
  {
    name: 'the account by POST without a token',
    request: () => get('/organisations/org_main/me', {}, 'POST'),
    ...notAllowed('GET, HEAD'),
  },
  { name: 'the public keys by POST', request: () => get('/jwks.json', {}, 'POST'), ...notAllowed('GET, HEAD') },
]);

const unsentBytes = 60_000;

/** Requests that are refused by their head, before the body is read. */
export const unreadCases: readonly HttpCase[] = bad('size', [
  {
    name: 'a route of the host without a token, whose body never comes',
    request: () => ({ ...get('/organisations/org_main/notes/1', jsonType, 'PUT'), unsentBytes }),
    ...missingToken,
  },
  {
    name: 'a route of the host with a wrong token, whose body never comes',
    request: () => ({
      ...get('/organisations/org_main/notes/1', { ...jsonType, authorization: 'Bearer nonsense' }, 'PUT'),
      unsentBytes,
    }),
    ...invalidToken,
  },
  {
    name: 'a route of the host for a stranger, whose body never comes',
    request: (platform) => ({ ...as('/organisations/org_stranger/notes/1', 'PUT')(platform), unsentBytes }),
    ...notFound,
  },
  {
    name: 'a method that a path does not support, whose body never comes',
    request: () => ({ ...get('/login', jsonType, 'PUT'), unsentBytes }),
    ...notAllowed('POST'),
  },
  {
    name: 'a path that does not exist, whose body never comes',
    request: () => ({ ...get('/nothing', jsonType, 'POST'), unsentBytes }),
    ...notFound,
  },
]);

/** Unusual headers that are no reason to refuse. */
export const headerCases: readonly HttpCase[] = bad('header', [
  ...Object.entries({
    accept: 'nonsense',
    'if-modified-since': 'never',
    'content-type': ';;;',
    'x-http-method-override': 'DELETE',
    'x-forwarded-for': '::1, nonsense',
    host: 'evil.example',
    cookie: '=;;=',
  }).map(
    ([name, value]): HttpCase => ({
      name: `the account with ${name}: ${value}`,
      request: (platform) => {
        const request = me('org_main')(platform);
        return { ...request, headers: { ...request.headers, [name]: value } };
      },
      ...mainAccount,
    }),
  ),
  ...Object.entries({ accept: 'text/html', authorization: 'Bearer old', origin: 'null' }).map(
    ([name, value]): HttpCase => ({
      name: `login with ${name}: ${value}`,
      request: (platform) => ({
        ...loginWith((fields) => fields)(platform),
        headers: { ...jsonType, [name]: value },
      }),
      ...isGranted,
    }),
  ),
]);

/** Routes of the host. */
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
  ...[3, 1_048_577].flatMap((length) =>
    ['GET', 'HEAD'].map(
      (method): HttpCase => ({
        name: `a route of the host by ${method} with ${length} bytes, which mean nothing`,
        request: (platform) => ({
          ...as('/organisations/org_main/sent', method)(platform),
          body: 'x'.repeat(length),
          headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'text/plain' },
        }),
        status: 200,
        body: method === 'GET' ? '0 bytes' : '',
        headers: plain,
      }),
    ),
  ),
  {
    name: 'a route of the host without an answer body',
    request: as('/organisations/org_main/notes/1', 'DELETE'),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'a route of the host that throws',
    request: as('/organisations/org_main/broken'),
    ...problem(500, 'internal', 'The platform failed on this request.'),
  },
  ...bad('method', [
    {
      name: 'a route of the host by a method that it does not support',
      request: as('/organisations/org_main/notes/1', 'PATCH'),
      ...notAllowed('GET, PUT, DELETE, HEAD'),
    },
  ]),
  ...bad('path', [
    { name: 'a route of the host for a stranger', request: as('/organisations/org_stranger/notes/1'), ...notFound },
  ]),
];
