import { invalidClient, notAllowed, refused, unreadable } from './answers.ts';
import type { HttpCase } from './http-case.ts';
import { base, basic, credentials, form, get, isGranted, login, loginWith } from './requests.ts';

/** @internal */
export const loginCases: readonly HttpCase[] = [
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
