import type { WireRequest } from './exchange.ts';
import { longId, type Platform } from './platform.ts';

/**
 * One request, and the answer that every framework must give.
 * @public
 */
export interface HttpCase {
  readonly name: string;
  readonly request: (platform: Platform) => WireRequest;
  readonly status: number;
  /** The body's text, or a check of it. */
  readonly body: string | ((body: string) => boolean);
  /** Every header that is set by us, but the length; `x-request-id` is any id. */
  readonly headers: Readonly<Record<string, string>>;
}

const base = '/api/v1/partner';
const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const oauth = { ...json, pragma: 'no-cache' };
const problemType = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  500: 'Internal Server Error',
};
const problem = (status: number, code: string, detail: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: { ...problemType, 'x-request-id': 'an id', ...headers },
});
const notFound = problem(404, 'not_found', 'There is nothing here that this client may access.');
const invalidToken = problem(401, 'invalid_token', 'The access token is wrong, expired or revoked; log in again.', {
  'www-authenticate': 'Bearer realm="partner", error="invalid_token"',
});
const missingToken = problem(401, 'missing_token', 'Send the access token as "Authorization: Bearer <token>".', {
  'www-authenticate': 'Bearer realm="partner"',
});
const notAllowed = (allow: string) =>
  problem(405, 'method_not_allowed', 'This path does not take that method; Allow names those it takes.', { allow });
const refused = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  body: JSON.stringify({ error, error_description: description }),
  headers: { ...oauth, ...headers },
});
const invalidClient = (headers: Readonly<Record<string, string>> = {}) =>
  refused(401, 'invalid_client', 'Unknown client, wrong secret, or a client that may not log in.', headers);
const unreadable = refused(
  415,
  'invalid_request',
  'Send the parameters as application/json or application/x-www-form-urlencoded.',
);

type Fields = Readonly<Record<string, string>>;
const credentials = ({ clientId, clientSecret }: Platform): Fields => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type: 'client_credentials',
  scope: 'USER',
});
const login = (
  body: string | Uint8Array,
  headers: WireRequest['headers'] = { 'content-type': 'application/json' },
): WireRequest => ({
  method: 'POST',
  target: `${base}/login`,
  headers,
  body,
});
const loginWith = (change: (fields: Fields) => object) => (platform: Platform) =>
  login(JSON.stringify(change(credentials(platform))));
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const granted = (body: string): boolean =>
  /^\{"token_type":"Bearer","expires_in":2592000,"access_token":"[^"]+"\}$/.test(body);
const isGranted = { status: 200, body: granted, headers: oauth };

const get = (path: string, headers: WireRequest['headers'] = {}, method = 'GET'): WireRequest => ({
  method,
  target: base + path,
  headers,
});
const as =
  (path: string, method = 'GET') =>
  (platform: Platform) =>
    get(path, { authorization: `Bearer ${platform.token}` }, method);
const me = (id: string) => as(`/organisations/${id}/me`);
const account = (id: string, name: string, status = 'active') => ({
  status: 200,
  body: JSON.stringify({ id, name, status, environment: 'prod' }),
  headers: json,
});
const mainAccount = account('org_main', 'Gîte des Érables 🏡');
const plain = { 'content-type': 'text/plain' };

const loginCases: readonly HttpCase[] = [
  { name: 'login by JSON', request: loginWith((fields) => fields), ...isGranted },
  {
    name: 'login by form',
    request: (platform) => login(new URLSearchParams(credentials(platform)).toString(), form),
    ...isGranted,
  },
  {
    name: 'login by HTTP Basic',
    request: (platform) =>
      login('grant_type=client_credentials&scope=USER', {
        ...form,
        authorization: basic(platform.clientId, platform.clientSecret),
      }),
    ...isGranted,
  },
  {
    name: 'login in chunks',
    request: (platform) => ({ ...loginWith((fields) => fields)(platform), chunked: true }),
    ...isGranted,
  },
  {
    name: 'login with a charset',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), { 'content-type': 'Application/JSON; Charset="UTF-8"' }),
    ...isGranted,
  },
  {
    name: 'login with a query in the target',
    request: (platform) => ({ ...loginWith((fields) => fields)(platform), target: `${base}/login?x=1` }),
    ...isGranted,
  },
  {
    name: 'login with Accept: text/html',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), { 'content-type': 'application/json', accept: 'text/html' }),
    ...isGranted,
  },
  {
    name: 'login with a body of 8 KiB exactly',
    request: loginWith((fields) => ({
      ...fields,
      pad: 'x'.repeat(8_192 - JSON.stringify({ ...fields, pad: '' }).length),
    })),
    ...isGranted,
  },
  {
    name: 'login with one byte more',
    request: loginWith((fields) => ({
      ...fields,
      pad: 'x'.repeat(8_193 - JSON.stringify({ ...fields, pad: '' }).length),
    })),
    ...refused(413, 'invalid_request', 'The body is larger than 8 KiB.'),
  },
  {
    name: 'login with a megabyte in chunks',
    request: () => ({ ...login('x'.repeat(1_000_000)), chunked: true }),
    ...refused(413, 'invalid_request', 'The body is larger than 8 KiB.'),
  },
  {
    name: 'login with a wrong secret',
    request: loginWith((fields) => ({ ...fields, client_secret: `${fields['client_secret']}x` })),
    ...invalidClient(),
  },
  {
    name: 'login of an unknown client',
    request: loginWith((fields) => ({ ...fields, client_id: '00000000-0000-7000-8000-000000000000' })),
    ...invalidClient(),
  },
  {
    name: 'login by HTTP Basic with a wrong secret',
    request: ({ clientId }) =>
      login('grant_type=client_credentials&scope=USER', { ...form, authorization: basic(clientId, 'wrong') }),
    ...invalidClient({ 'www-authenticate': 'Basic realm="partner"' }),
  },
  {
    name: 'login with a token left in Authorization',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), { 'content-type': 'application/json', authorization: 'Bearer old' }),
    ...isGranted,
  },
  {
    name: 'login by HTTP Basic that is none',
    request: () => login('grant_type=client_credentials&scope=USER', { ...form, authorization: 'Basic !' }),
    ...invalidClient({ 'www-authenticate': 'Basic realm="partner"' }),
  },
  {
    name: 'login without a client_id',
    request: loginWith(({ client_id: _absent, ...fields }) => fields),
    ...refused(400, 'invalid_request', 'client_id is missing.'),
  },
  {
    name: 'login without a client_secret',
    request: loginWith(({ client_secret: _absent, ...fields }) => fields),
    ...refused(400, 'invalid_request', 'client_secret is missing.'),
  },
  {
    name: 'login without a grant_type',
    request: loginWith(({ grant_type: _absent, ...fields }) => fields),
    ...refused(400, 'invalid_request', 'grant_type is missing.'),
  },
  {
    name: 'login with another grant_type',
    request: loginWith((fields) => ({ ...fields, grant_type: 'password' })),
    ...refused(400, 'unsupported_grant_type', 'grant_type must be client_credentials.'),
  },
  {
    name: 'login without a scope',
    request: loginWith(({ scope: _absent, ...fields }) => fields),
    ...refused(400, 'invalid_scope', 'scope must be USER.'),
  },
  {
    name: 'login with another scope',
    request: loginWith((fields) => ({ ...fields, scope: 'ADMIN' })),
    ...refused(400, 'invalid_scope', 'scope must be USER.'),
  },
  {
    name: 'login with a repeated parameter',
    request: () => login('grant_type=client_credentials&grant_type=x', form),
    ...refused(400, 'invalid_request', 'A parameter is repeated.'),
  },
  {
    name: 'login with a repeated key',
    request: () => login('{"scope":"USER","sc\\u006fpe":"USER"}'),
    ...refused(400, 'invalid_request', 'A parameter is repeated.'),
  },
  {
    name: 'login with credentials in two places',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), {
        'content-type': 'application/json',
        authorization: basic(platform.clientId, platform.clientSecret),
      }),
    ...refused(400, 'invalid_request', 'Credentials came in the body and by HTTP Basic; use one of them.'),
  },
  {
    name: 'login with broken JSON',
    request: () => login('{"client_id":'),
    ...refused(400, 'invalid_request', 'The body is not valid JSON.'),
  },
  {
    name: 'login with a JSON list',
    request: () => login('[]'),
    ...refused(400, 'invalid_request', 'The parameters are strings in one JSON object or form.'),
  },
  {
    name: 'login with a number for a text',
    request: () => login('{"client_id":1}'),
    ...refused(400, 'invalid_request', 'The parameters are strings in one JSON object or form.'),
  },
  {
    name: 'login with bytes that are not UTF-8',
    request: () => login(Uint8Array.of(0x7b, 0xff, 0x7d)),
    ...refused(400, 'invalid_request', 'The body is not UTF-8.'),
  },
  {
    name: 'login with JSON nested 4,000 deep',
    request: () => login('['.repeat(4_000) + ']'.repeat(4_000)),
    ...refused(400, 'invalid_request', 'The parameters are strings in one JSON object or form.'),
  },
  {
    name: 'login with an empty body',
    request: () => login(''),
    ...refused(400, 'invalid_request', 'The body is not valid JSON.'),
  },
  { name: 'login without a content type', request: () => login('{}', {}), ...unreadable },
  { name: 'login with XML', request: () => login('<a/>', { 'content-type': 'application/xml' }), ...unreadable },
  {
    name: 'login with a content type that is none',
    request: () => login('{}', { 'content-type': ';;;' }),
    ...unreadable,
  },
  {
    name: 'login in Latin-1',
    request: () => login('{}', { 'content-type': 'application/json; charset=iso-8859-1' }),
    ...refused(415, 'invalid_request', 'Send the body in UTF-8.'),
  },
  {
    name: 'login with a compressed body',
    request: () => login('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    ...refused(415, 'invalid_request', 'Send the body without Content-Encoding.'),
  },
  { name: 'login by GET', request: () => get('/login'), ...notAllowed('POST') },
  { name: 'login by OPTIONS', request: () => get('/login', {}, 'OPTIONS'), ...notAllowed('POST') },
  { name: 'login by HEAD', request: () => get('/login', {}, 'HEAD'), ...notAllowed('POST'), body: '' },
];

const accountCases: readonly HttpCase[] = [
  { name: 'the own account', request: me('org_main'), ...mainAccount },
  { name: 'a child, whatever its status', request: me('org_child'), ...account('org_child', 'Child', 'closed') },
  { name: 'an id that is percent-encoded', request: me('org%2F%C3%BC%201'), ...account('org/ü 1', 'Odd id') },
  { name: 'an id of 150 bytes', request: me(longId), ...account(longId, 'Long id') },
  { name: 'the own account by HEAD', request: as('/organisations/org_main/me', 'HEAD'), ...mainAccount, body: '' },
  { name: 'the own account with a query', request: as('/organisations/org_main/me?x=%zz'), ...mainAccount },
  {
    name: 'the own account with the scheme in lower case',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `bearer ${token}` }),
    ...mainAccount,
  },
  {
    name: 'the own account with a body',
    request: (platform) => ({
      ...me('org_main')(platform),
      body: 'x',
      headers: { ...me('org_main')(platform).headers, 'content-type': 'text/plain' },
    }),
    ...mainAccount,
  },
  ...[
    'org_parent',
    'org_grandchild',
    'org_stranger',
    'org_dev',
    'org_absent',
    'ORG_MAIN',
    'org_main%20',
    'org%00main',
    'x'.repeat(300),
  ].map((id): HttpCase => ({ name: `out of reach: ${id.slice(0, 40)}`, request: me(id), ...notFound })),
  {
    name: 'no token',
    request: () => get('/organisations/org_main/me'),
    ...missingToken,
  },
  {
    name: 'a token that is none',
    request: () => get('/organisations/org_main/me', { authorization: 'Bearer nonsense' }),
    ...invalidToken,
  },
  {
    name: 'an expired token',
    request: ({ expiredToken }) => get('/organisations/org_main/me', { authorization: `Bearer ${expiredToken}` }),
    ...invalidToken,
  },
  {
    name: 'a token with a blank in it',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `Bearer ${token} x` }),
    ...invalidToken,
  },
  {
    name: 'a token of another scheme',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `Token ${token}` }),
    ...missingToken,
  },
  {
    name: 'credentials instead of a token',
    request: ({ clientId, clientSecret }) =>
      get('/organisations/org_main/me', { authorization: basic(clientId, clientSecret) }),
    ...missingToken,
  },
  {
    name: 'two tokens',
    request: ({ token }) =>
      get('/organisations/org_main/me', { authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    ...invalidToken,
  },
  {
    name: 'a token of 15,000 bytes',
    request: () => get('/organisations/org_main/me', { authorization: `Bearer ${'x'.repeat(15_000)}` }),
    ...invalidToken,
  },
  {
    name: 'a token of a suspended account',
    request: ({ suspendedToken }) =>
      get('/organisations/org_suspended/me', { authorization: `Bearer ${suspendedToken}` }),
    ...problem(403, 'account_not_active', 'The account of this client may not use the interface.'),
  },
  { name: 'the account by POST', request: as('/organisations/org_main/me', 'POST'), ...notAllowed('GET, HEAD') },
  { name: 'the account by DELETE', request: as('/organisations/org_main/me', 'DELETE'), ...notAllowed('GET, HEAD') },
];

const pathCases: readonly HttpCase[] = [
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

const hostCases: readonly HttpCase[] = [
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

const event = '{"timestamp":1732147200,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
const hook =
  (headers: (platform: Platform) => WireRequest['headers'], body = event) =>
  (platform: Platform): WireRequest => ({
    method: 'POST',
    target: '/webhooks',
    headers: { 'content-type': 'application/json', ...headers(platform) },
    body,
  });
const refusedHook = (status: number, code: string, detail: string) => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: problemType,
});

/** The cases of a receiver's route at `/webhooks`; skipped where none is mounted. @internal */
export const receiverCases: readonly HttpCase[] = [
  {
    name: 'a webhook',
    request: hook(({ sign }) => ({ 'X-WEBHOOK-SIGNATURE': sign(event) })),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'the same webhook again',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(event) })),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'a webhook with a wrong signature',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(`${event} `) })),
    ...refusedHook(401, 'wrong_signature', 'The signature is missing or does not fit the body.'),
  },
  {
    name: 'a webhook without a signature',
    request: hook(() => ({})),
    ...refusedHook(401, 'missing_signature', 'The signature is missing or does not fit the body.'),
  },
  {
    name: 'a webhook that is no envelope',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign('[]') }), '[]'),
    ...refusedHook(400, 'no_envelope', 'The body is not a webhook envelope.'),
  },
];

/** Every request of the suite under `basePath`. @public */
export const httpCases: readonly HttpCase[] = [...loginCases, ...accountCases, ...pathCases, ...hostCases];
