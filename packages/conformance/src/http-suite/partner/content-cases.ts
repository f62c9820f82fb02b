import { gzipSync } from 'node:zlib';
import { accepted, problem, refused, unreadableJson } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import type { Platform } from './platform.ts';
import { as, credentials, form, get, isGranted, jsonType, login, loginWith } from './requests.ts';

const noUtf8 = refused(415, 'invalid_request', 'Send the body in UTF-8.', accepted);
const encoded = refused(415, 'invalid_request', 'Send the body without Content-Encoding.', {
  'accept-encoding': 'identity',
});

const typed = (type: string): ((platform: Platform) => ReturnType<HttpCase['request']>) => {
  return (platform) => login(JSON.stringify(credentials(platform)), { 'content-type': type });
};

const types: readonly HttpCase[] = [
  { name: 'login with a charset', request: typed('Application/JSON; Charset="UTF-8"'), ...isGranted },
  { name: 'login without a content type', request: () => login('{}', {}), ...unreadableJson },
  {
    name: 'login with two content types',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), { 'content-type': ['application/json', 'application/json'] }),
    ...unreadableJson,
  },
  {
    name: 'login with two content types, of which the second is wrong',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), { 'content-type': ['application/json', 'text/plain'] }),
    ...unreadableJson,
  },
  ...[
    'text/plain',
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/json, application/json',
    'application/',
    'json',
    ';;;',
  ].map((type): HttpCase => ({ name: `login with the content type ${type}`, request: typed(type), ...unreadableJson })),
  ...['iso-8859-1', 'utf-16', 'utf-7', ''].map(
    (charset): HttpCase => ({
      name: `login with the charset "${charset}"`,
      request: typed(`application/json; charset=${charset}`),
      ...noUtf8,
    }),
  ),
  {
    name: 'login with a form in Latin-1',
    request: () => login('client_id=x', { 'content-type': `${form['content-type']};charset=latin1` }),
    ...noUtf8,
  },
  ...['gzip', 'deflate', 'br', 'identity, gzip', 'nonsense'].map(
    (encoding): HttpCase => ({
      name: `login with the content encoding ${encoding}`,
      request: (platform) =>
        login(gzipSync(JSON.stringify(credentials(platform))), { ...jsonType, 'content-encoding': encoding }),
      ...encoded,
    }),
  ),
];

const padded = (bytes: number) =>
  loginWith((fields) => ({
    ...fields,
    pad: 'x'.repeat(bytes - JSON.stringify({ ...fields, pad: '' }).length),
  }));
const tooLarge = refused(413, 'invalid_request', 'The body is larger than 8 KiB.');

const sizes: readonly HttpCase[] = [
  { name: 'login with a body of 8 KiB exactly', request: padded(8_192), ...isGranted },
  { name: 'login with one byte more', request: padded(8_193), ...tooLarge },
  {
    name: 'login with a form of one byte more',
    request: (platform) => login(`${new URLSearchParams(credentials(platform))}&x=`.padEnd(8_193, 'x'), form),
    ...tooLarge,
  },
  { name: 'login with a megabyte', request: () => login('x'.repeat(1_000_000)), ...tooLarge },
  {
    name: 'login with a megabyte in chunks',
    request: () => ({ ...login('x'.repeat(1_000_000)), chunked: true }),
    ...tooLarge,
  },
  {
    name: 'login with a megabyte of another type',
    request: () => login('x'.repeat(1_000_000), { 'content-type': 'text/plain' }),
    ...tooLarge,
  },
  {
    name: 'a path that does not exist with a megabyte',
    request: () => ({ ...get('/nothing', jsonType, 'POST'), body: 'x'.repeat(1_000_000) }),
    ...problem(404, 'not_found', 'There is nothing here that this client may access.'),
  },
  {
    name: 'a route of the host with more than 1 MiB',
    request: (platform) => ({
      ...as('/organisations/org_main/notes/1', 'PUT')(platform),
      body: 'x'.repeat(1_048_577),
      headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'text/plain' },
    }),
    ...problem(413, 'too_large', 'The body is larger than this path takes.'),
  },
];

/** Content types, encodings and sizes. */
export const contentCases: readonly HttpCase[] = [...bad('content type', types), ...bad('size', sizes)];
