import { gzipSync } from 'node:zlib';
import { jsonHint, refused, unreadable } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { credentials, form, isGranted, login } from './requests.ts';

const invalid = (detail: string) => refused(400, 'invalid_request', detail);
const noJson = invalid('The body is not valid JSON.');
const noUtf8 = invalid('The body is not UTF-8.');
const repeated = invalid('A parameter is repeated.');
const noStrings = invalid('The parameters are strings in one JSON object or form.');

const sent = (name: string, body: string | Uint8Array, answer: typeof noJson): HttpCase => ({
  name: `login with ${name}`,
  request: () => login(body),
  ...answer,
});

const texts: readonly HttpCase[] = [
  sent('an empty body', '', noJson),
  sent('broken JSON', '{"client_id":', noJson),
  sent('a comma too many', '{"client_id":"x",}', noJson),
  sent('single quotes', "{'client_id':'x'}", noJson),
  sent('a comment in JSON', '{/**/}', noJson),
  sent('NaN in JSON', '{"client_id":NaN}', noJson),
  sent('two JSON objects', '{}{}', noJson),
  sent('a NUL after the JSON', '{}\0', noJson),
  sent('a line end inside a JSON text', '{"client_id":"a\nb"}', noJson),
  sent('1,300 brackets that do not close', '['.repeat(1_300), noJson),
  {
    name: 'login with a form that is called JSON',
    request: (platform) => login(new URLSearchParams(credentials(platform)).toString()),
    ...noJson,
  },
  {
    name: 'login with JSON that is called a form',
    request: (platform) => login(JSON.stringify(credentials(platform)), form),
    ...invalid(`grant_type is missing.${jsonHint}`),
  },
  {
    name: 'login with a text that is no JSON, of another type',
    request: () => login('client_id=x', { 'content-type': 'text/plain' }),
    ...unreadable,
  },
  { name: 'login with an empty form', request: () => login('', form), ...invalid('grant_type is missing.') },
];

const shapes: readonly HttpCase[] = [
  ...['[]', '"text"', '1', 'true', 'null'].map((text) => sent(`the JSON ${text}`, text, noStrings)),
  sent('JSON nested 4,000 deep', '['.repeat(4_000) + ']'.repeat(4_000), noStrings),
  sent(
    'JSON objects nested 1,300 deep',
    `${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`,
    invalid('grant_type is missing.'),
  ),
  sent('a repeated key', '{"scope":"USER","scope":"USER"}', repeated),
  sent('a repeated key that is escaped', '{"scope":"USER","sc\\u006fpe":"USER"}', repeated),
  sent('a repeated key further down', '{"a":{"x":1,"x":2}}', repeated),
  sent('a repeated "__proto__"', '{"__proto__":1,"__proto__":2}', repeated),
  {
    name: 'login with a repeated parameter',
    request: () => login('grant_type=client_credentials&grant_type=x', form),
    ...repeated,
  },
  {
    name: 'login with a repeated parameter that is encoded',
    request: () => login('scope=USER&sc%6Fpe=USER', form),
    ...repeated,
  },
];

const bytes: readonly HttpCase[] = [
  sent('bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), noUtf8),
  sent('a truncated UTF-8 sequence', Uint8Array.of(0x22, 0xc3), noUtf8),
  sent('an overlong UTF-8 sequence', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), noUtf8),
  sent('a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), noUtf8),
  sent('UTF-16 and its byte order mark', Buffer.from('\ufeff{}', 'utf16le'), noUtf8),
  sent('UTF-16', Buffer.from('{}', 'utf16le'), noJson),
  sent('gzip that is not declared', gzipSync('{}'), noUtf8),
  {
    name: 'login with a UTF-8 byte order mark',
    request: (platform) => login(`\ufeff${JSON.stringify(credentials(platform))}`),
    ...isGranted,
  },
  {
    name: 'login with a form whose encoding is not UTF-8',
    request: (platform) => login(`${new URLSearchParams(credentials(platform))}&x=%ff`, form),
    ...isGranted,
  },
];

/** Invalid bodies of a login. */
export const bodyCases: readonly HttpCase[] = bad('body', [...texts, ...shapes, ...bytes]);
