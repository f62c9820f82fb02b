import { secretIdOf } from '../../src/access/clients/secret.ts';
import { addressKey } from '../../src/access/tokens/address-key.ts';
import { readJson } from '../../src/api/operations/json-body.ts';
import { pageQuery, readQuery } from '../../src/api/operations/query.ts';
import { readIdempotencyKey } from '../../src/api/operations/request-headers.ts';
import { repeatsAuthorization } from '../../src/api/partner/authorization.ts';
import { tokenRequestReader } from '../../src/api/partner/token-request.ts';
import { readContentType } from '../../src/base/http/content-type.ts';
import { matchesIfNoneMatch, readVersions } from '../../src/base/http/entity-tag.ts';
import { mountRoutes, routeFinder } from '../../src/base/http/mount-routes.ts';
import { pathMatcher, pathOf } from '../../src/base/http/path.ts';
import { isId } from '../../src/base/runtime/id.ts';
import { fromUtf8, isIdentifier, toUtf8, utf8Length } from '../../src/base/runtime/text.ts';
import { specifiedCatalogue as catalogue } from '../../src/webhooks/catalogue/specified-catalogue.ts';
import { createEndpointReader } from '../../src/webhooks/endpoints/endpoint-input.ts';
import { parseEnvelope } from '../../src/webhooks/envelope/envelope.ts';
import { standardKey, verifyStandard } from '../../src/webhooks/signature/standard-webhooks.ts';
import { signingKey, verifySignature } from '../../src/webhooks/signature/webhook-signature.ts';
import { request } from './http.ts';
import { platform } from './kit.ts';

export const filled = (size: number, pattern: string): string => pattern.repeat(Math.ceil(size / pattern.length));
const nested = (size: number, open: string, inner: string, close: string): string => {
  const levels = Math.floor(size / (open.length + close.length));
  return open.repeat(levels) + inner + close.repeat(levels);
};
/** Texts that make careless regular expressions and parsers try again and again. */
export const textsOf = (
  size: number,
  full = (pattern: string) => filled(size, pattern),
): Readonly<Record<string, string>> => ({
  letters: full('a'),
  'letters and what does not fit': `${full('a')}!`,
  digits: full('0'),
  'digits and points': full('1.'),
  blanks: full(' '),
  'blanks and what does not fit': `${full(' ')}!`,
  colons: full(':'),
  'colons and zeros': full(':0'),
  slashes: full('/'),
  percents: full('%'),
  'percent-encodings': full('%41'),
  'percent-encodings that are not UTF-8': full('%ff'),
  'equals signs': full('='),
  'Base64 and what does not fit': `${full('QUFB')}====`,
  semicolons: full(';'),
  'charsets that are none': full(';charset'),
  'many charsets': full(';charset='),
  commas: full(','),
  'commas and blanks': full(', '),
  ampersands: full('&a'),
  'many parameters': Array.from({ length: size / 8 }, (_, index) => `a${index}=1`).join('&'),
  points: full('.'),
  hyphens: full('-'),
  underscores: full('_'),
  quotes: full('"'),
  backslashes: full('\\'),
  'escaped quotes': full('\\"'),
  brackets: full('['),
  'brackets that close': nested(size, '[', '', ']'),
  objects: nested(size, '{"a":', '1', '}'),
  'a schema and letters': `a:${full('a+.-')}`,
  'lone surrogates': full('\ud800'),
  accents: full('é'),
  emoji: full('🏡'),
  NULs: full('\0'),
});

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const logins = tokenRequestReader({ default: undefined, accepted: [], rights: ['requests:read'] });
const parse = (body: string, headers: Readonly<Record<string, string>>) =>
  logins.read(request('POST', '/login', { headers, body }));
export const find = routeFinder(mountRoutes(platform().kit.routes));
const match = pathMatcher('/api/v1/organisations/:organisationId/me');
export const reader = createEndpointReader(catalogue, { ports: [443] });
const key = signingKey('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');
const standard = standardKey('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');

/** Everything that reads what a stranger wrote. Each gives an answer; none throws. */
export const readersOf = (size: number): Readonly<Record<string, (text: string) => unknown>> => ({
  'a JSON body': (text) => parse(text, json),
  'a JSON body of one text': (text) => parse(JSON.stringify({ client_id: text, x: [text] }), json),
  'JSON with keys far from their colons': (text) =>
    parse(`{"a"${' '.repeat(size)}:1,"b":${JSON.stringify(text)}}`, json),
  'a form body': (text) => parse(text, form),
  'a form parameter': (text) => parse(`client_id=${text}`, form),
  'a content type': (text) => parse('{}', { 'content-type': text }),
  'a charset': (text) => parse('{}', { 'content-type': `application/json;charset=${text}` }),
  'a content type of JSON': (text) =>
    readJson(request('POST', '/x', { headers: { 'content-type': `application/json${text}` }, body: '{}' })),
  'a media type': (text) => readContentType({ 'content-type': text }),
  'a query': (text) => readQuery(pageQuery(), { target: `/x?${text}` }),
  'a parameter of a query': (text) => readQuery(pageQuery(), { target: `/x?after=${text}&limit=${text}` }),
  'If-Match': (text) => readVersions({ 'if-match': text }),
  'If-None-Match of a change': (text) => readVersions({ 'if-none-match': text }),
  'If-None-Match': (text) => matchesIfNoneMatch({ 'if-none-match': text }, '"1"'),
  'Idempotency-Key': (text) => readIdempotencyKey(request('POST', '/x', { headers: { 'idempotency-key': text } })),
  'two Authorization headers': (text) => repeatsAuthorization({ authorization: text }),
  'HTTP Basic': (text) => parse('{}', { ...json, authorization: `Basic ${text}` }),
  'HTTP Basic after blanks': (text) => parse('{}', { ...json, authorization: `Basic ${' '.repeat(size)}${text}` }),
  'the pair in HTTP Basic': (text) =>
    parse('{}', { ...json, authorization: `Basic ${Buffer.from(`${text}:${text}`).toString('base64')}` }),
  'a client secret': secretIdOf,
  'a client secret that begins well': (text) => secretIdOf(`pks_${text}`),
  'a client id': isId,
  'an identifier': isIdentifier,
  'a target': pathOf,
  'a target in absolute form': (text) => pathOf(`https://${text}`),
  'a path': (text) => match(`/${text}`),
  'an account id': (text) => match(`/api/v1/organisations/${text}/me`),
  'a route': (text) => find(`/api/v1/partner/${text}`),
  'an address': addressKey,
  'an address in brackets': (text) => addressKey(`[${text}]`),
  'an IPv6 address': (text) => addressKey(`::ffff:${text}`),
  'an endpoint’s URL': (url) => reader.changed({ url }),
  'the path of an endpoint’s URL': (text) => reader.changed({ url: `https://partner.example/${text}` }),
  'a delivery header': (text) => reader.changed({ deliveryHeader: { name: text, value: text } }),
  'an envelope': parseEnvelope,
  'a signature': (text) => verifySignature('', text, [key]),
  'the signatures of Standard Webhooks': (text) =>
    verifyStandard('', { id: text, timestamp: '1', signature: `v1,${text}` }, [standard], 0),
  'many signatures of Standard Webhooks': (text) =>
    verifyStandard('', { id: 'a', timestamp: '1', signature: filled(size, `v1,${text.slice(0, 2)} `) }, [standard], 0),
  'the time of Standard Webhooks': (text) =>
    verifyStandard('', { id: 'a', timestamp: text, signature: 'v1,x' }, [standard], 0),
  bytes: (text) => fromUtf8(toUtf8(text)),
  'a length': utf8Length,
});
