import { deflateSync, gzipSync } from 'node:zlib';
import { credentials, formType, type HttpAttack, jsonType, login, shown } from './attack.ts';
import { grant, loginAttack } from './login-attack.ts';

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'a blank': ' ',
  'broken JSON': '{"client_id":',
  'a comma too many': '{"client_id":"x",}',
  'single quotes': "{'client_id':'x'}",
  'keys without quotes': '{client_id:"x"}',
  'a comment': '{/**/}',
  'a comment of a line': '{}//',
  NaN: '{"client_id":NaN}',
  Infinity: '{"client_id":Infinity}',
  undefined: '{"client_id":undefined}',
  'a hexadecimal number': '{"client_id":0x1}',
  'a number with a leading zero': '{"client_id":01}',
  'a number with a plus sign': '{"client_id":+1}',
  'two objects': '{}{}',
  'a NUL after the object': '{}\u0000',
  'a NUL before the object': '\u0000{}',
  'a line end in a text': '{"client_id":"a\nb"}',
  'an unknown escape': '{"client_id":"\\x41"}',
  'a broken escape': '{"client_id":"\\u12"}',
  'a text': '"text"',
  'a number': '1',
  true: 'true',
  null: 'null',
  'a list': '[]',
  'a list of the parameters': '[{"grant_type":"client_credentials"}]',
  '1,300 brackets': '['.repeat(1_300),
  'lists nested 4,000 deep': '['.repeat(4_000) + ']'.repeat(4_000),
  'objects nested 1,300 deep': `${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`,
  'parameters in "data"':
    '{"data":{"grant_type":"client_credentials","scope":"USER","client_id":"a","client_secret":"b"}}',
  'parameters in "__proto__"':
    '{"__proto__":{"grant_type":"client_credentials","scope":"USER","client_id":"a","client_secret":"b"}}',
  'parameters in "constructor"': '{"constructor":{"prototype":{"grant_type":"client_credentials"}}}',
  'a repeated "__proto__"': '{"__proto__":1,"__proto__":2}',
  'a repeated key further down': '{"a":{"x":1,"x":2}}',
  '600 keys': JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, 0]))),
  'bytes that are not UTF-8': Uint8Array.of(0x7b, 0xff, 0x7d),
  'a truncated UTF-8 sequence': Uint8Array.of(0x22, 0xc3),
  'an overlong UTF-8 sequence': Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
  'a surrogate in UTF-8': Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
  'a byte order mark of UTF-16': Buffer.from('\ufeff{}', 'utf16le'),
  'UTF-16': Buffer.from('{"grant_type":"client_credentials"}', 'utf16le'),
  'UTF-32': Uint8Array.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]),
  gzip: gzipSync('{}'),
  XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  YAML: 'client_id: x\ngrant_type: client_credentials\n',
  'a serialised object of PHP': 'O:8:"stdClass":0:{}',
  'a pickle of Python': Buffer.from('80049500', 'hex'),
};
const malformed = Object.entries(bodies).map(([what, body]) =>
  loginAttack(`a login whose body is ${what}`, (target) => login(target, body), [400]),
);

const forms: Readonly<Record<string, string>> = {
  nothing: '',
  ampersands: '&&&&',
  'an equals sign': '=',
  'a repeated parameter': `${grant}&${grant}`,
  'a repeated parameter, once encoded': 'scope=USER&sc%6Fpe=USER&grant_type=client_credentials',
  JSON: '{"grant_type":"client_credentials"}',
  'semicolons between parameters': 'grant_type=client_credentials;scope=USER;client_id=a;client_secret=b',
  '2,000 parameters': Array.from({ length: 1_000 }, (_, index) => `a${index}=1`).join('&'),
  'percent signs': '%'.repeat(1_000),
};
const malformedForms = Object.entries(forms).map(([what, body]) =>
  loginAttack(`a form of ${what}`, (target) => login(target, body, formType), [400]),
);

const types = [
  ...[
    'text/plain',
    'text/html',
    'application/xml',
    'text/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
  ],
  ...[
    'application/jsonp',
    'application/jsonx',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/ld+json',
  ],
  ...[
    'application/json, application/json',
    'application/json,text/plain',
    'application/',
    '/json',
    'json',
    '*/*',
    ';;;',
    'application/x-yaml',
  ],
  ...[
    'application/x-www-form-urlencoded2',
    'application/cbor',
    'application/msgpack',
    `application/${'x'.repeat(2_000)}`,
  ],
];
const charsets = ['iso-8859-1', 'latin1', 'utf-16', 'utf-16le', 'utf-32', 'utf-7', 'us-ascii', 'shift_jis', 'x', ''];
const encodings = ['gzip', 'deflate', 'br', 'zstd', 'compress', 'identity, gzip', 'gzip, gzip', 'nonsense'];
const contentTypes: readonly HttpAttack[] = [
  loginAttack(
    'a login without a content type',
    (target) => ({ ...login(target, JSON.stringify(credentials(target))), headers: [] }),
    [400, 415],
  ),
  ...types.map((type) =>
    loginAttack(
      `a login of the type ${shown(type)}`,
      (target) => login(target, JSON.stringify(credentials(target)), ['Content-Type', type]),
      [400, 415],
    ),
  ),
  ...charsets.map((charset) =>
    loginAttack(
      `a login in the charset "${charset}"`,
      (target) =>
        login(target, JSON.stringify(credentials(target)), ['Content-Type', `application/json; charset=${charset}`]),
      [415],
    ),
  ),
  ...encodings.map((encoding) =>
    loginAttack(
      `a login in the encoding ${encoding}`,
      (target) =>
        login(
          target,
          (encoding === 'deflate' ? deflateSync : gzipSync)(JSON.stringify(credentials(target))),
          jsonType,
          ['Content-Encoding', encoding],
        ),
      [415],
    ),
  ),
  loginAttack(
    'a bomb of gzip',
    (target) => login(target, gzipSync(Buffer.alloc(4_000_000, ' ')), jsonType, ['Content-Encoding', 'gzip']),
    [415],
  ),
];

const sizes: readonly HttpAttack[] = [8_193, 65_536, 1_000_000].flatMap((bytes) => [
  loginAttack(
    `a login of ${bytes} bytes`,
    (target) => login(target, JSON.stringify({ ...credentials(target), pad: 'x'.repeat(bytes) })),
    [0, 413],
  ),
  loginAttack(
    `a form of ${bytes} bytes`,
    (target) => login(target, `${grant}&x=${'x'.repeat(bytes)}`, formType),
    [0, 413],
  ),
]);

/** Bodies, types, encodings and sizes that no login has. */
export const loginBodies: readonly HttpAttack[] = [...malformed, ...malformedForms, ...contentTypes, ...sizes];
