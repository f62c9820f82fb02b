import {
  type AttackRequest,
  type AttackTarget,
  bearer,
  credentials,
  type HttpAttack,
  readAccount,
  shown,
} from './attack.ts';

/** Refused by the server or by partnerkit; 0: the connection closes without a response. */
const refused = [0, 400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 426, 431, 501, 505];

const attack = (name: string, request: (target: AttackTarget) => AttackRequest, status = refused): HttpAttack => ({
  group: 'headers',
  name,
  request,
  status,
  work: 'login',
});

type Lines = AttackRequest['headers'];
const form = 'grant_type=client_credentials&scope=USER&client_id=nobody&client_secret=x';
/** A login that is refused, in whatever way its framing is read. */
const framed = (name: string, lines: Lines, body: string | Uint8Array = form): HttpAttack =>
  attack(name, ({ basePath }) => ({
    method: 'POST',
    target: `${basePath}/login`,
    headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...lines],
    body,
  }));

const length = String(Buffer.byteLength(form));
const chunked = `${Buffer.byteLength(form).toString(16)}\r\n${form}\r\n0\r\n\r\n`;

/** Bodies whose end two servers may see in different places. */
const framing: readonly HttpAttack[] = [
  framed(
    'a length and chunks',
    [
      ['Content-Length', length],
      ['Transfer-Encoding', 'chunked'],
    ],
    chunked,
  ),
  framed(
    'chunks and a length of 0',
    [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '0'],
    ],
    chunked,
  ),
  framed('two lengths', [
    ['Content-Length', length],
    ['Content-Length', '0'],
  ]),
  framed('two equal lengths in one line', [['Content-Length', `${length}, ${length}`]]),
  ...['-1', '+5', '0x10', '1e1', '5 5', '5.0', '', 'five', '99999999999999999999', '５'].map((value) =>
    framed(`the length "${value}"`, [['Content-Length', value]]),
  ),
  ...[
    'xchunked',
    'chunked, identity',
    'identity',
    'gzip, chunked',
    'chunked\u000b',
    'chunked;x',
    '"chunked"',
    'cow',
    '',
  ].map((value) => framed(`the transfer encoding "${shown(value)}"`, [['Transfer-Encoding', value]], chunked)),
  framed(
    'two transfer encodings',
    [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'identity'],
    ],
    chunked,
  ),
  framed('a blank before the colon', [['Transfer-Encoding ', 'chunked']], chunked),
  framed('a tab before the colon', [['Transfer-Encoding\t', 'chunked']], chunked),
  framed('a line that continues', [['Transfer-Encoding', '\r\n chunked']], chunked),
  ...['z\r\n', '-1\r\n', '0x5\r\n', 'ffffffffffffffff\r\n', '5;ext\n', '\r\n', `${'a'.repeat(2_000)}\r\n`].map(
    (chunk) => framed(`the chunk ${shown(chunk)}`, [['Transfer-Encoding', 'chunked']], chunk),
  ),
  framed(
    'trailers',
    [
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'Authorization'],
    ],
    chunked.replace(/\r\n\r\n$/, '\r\nAuthorization: Basic eA==\r\n\r\n'),
  ),
];

/** Header lines that no client writes. Without a token they are refused, whatever they say. */
const lines: readonly HttpAttack[] = [
  ...(
    [
      ['a NUL in a value', [['X-A', 'a\u0000b']]],
      ['a NUL in a name', [['X-\u0000', 'a']]],
      ['a line feed in a value', [['X-A', 'a\nX-B: b']]],
      ['a carriage return in a value', [['X-A', 'a\rX-B: b']]],
      ['a line that continues', [['X-A', 'a\r\n b']]],
      ['a name of nothing', [['', 'a']]],
      ['a name with a blank', [['X A', 'a']]],
      ['a name in brackets', [['(X)', 'a']]],
      ['a name with an accent', [['X-é', 'a']]],
      ['a value of bytes above 127', [['X-A', '\u00ff\u00fe']]],
      ['a value of 60,000 letters', [['X-A', 'x'.repeat(60_000)]]],
      ['a name of 20,000 letters', [['x'.repeat(20_000), 'a']]],
      ['1,500 headers', Array.from({ length: 1_500 }, (_, index) => [`X-${index}`, 'a'])],
      ['a header 500 times', Array.from({ length: 500 }, () => ['X-A', 'a'])],
      [
        'two hosts',
        [
          ['Host', 'a.example'],
          ['Host', 'b.example'],
        ],
      ],
      ['no host', [['Host', '']]],
      ['a host that is a path', [['Host', '../../x']]],
      ['a host with a user', [['Host', 'user@evil.example']]],
      ['Expect of nonsense', [['Expect', 'nonsense']]],
      [
        'an upgrade to WebSocket',
        [
          ['Upgrade', 'websocket'],
          ['Connection', 'Upgrade'],
          ['Sec-WebSocket-Key', 'eA=='],
        ],
      ],
      [
        'an upgrade to HTTP/2',
        [
          ['Upgrade', 'h2c'],
          ['Connection', 'Upgrade, HTTP2-Settings'],
          ['HTTP2-Settings', ''],
        ],
      ],
      ['Connection that removes Authorization', [['Connection', 'close, Authorization']]],
      ['Range', [['Range', 'bytes=0-0,1-1,2-2']]],
      ['Max-Forwards', [['Max-Forwards', '0']]],
      ['Forwarded of this machine', [['Forwarded', 'for=127.0.0.1;host=localhost']]],
      ['X-Forwarded-For of this machine', [['X-Forwarded-For', '127.0.0.1']]],
      ['X-Forwarded-User', [['X-Forwarded-User', 'admin']]],
      ['X-Real-IP', [['X-Real-IP', '127.0.0.1']]],
      ['X-Remote-User', [['X-Remote-User', 'admin']]],
      [
        'a client certificate of a proxy',
        [
          ['X-SSL-Client-Verify', 'SUCCESS'],
          ['X-SSL-Client-S-DN', 'CN=admin'],
        ],
      ],
      ['__proto__', [['__proto__', 'a']]],
      ['constructor', [['constructor', 'a']]],
    ] as readonly (readonly [string, Lines])[]
  ).map(([name, added]) =>
    attack(`${name}, without a token`, (target) => ({ ...readAccount(target), headers: added })),
  ),
];

/** Headers that make careless hosts serve another resource, or another method. */
const overrides: readonly HttpAttack[] = [
  ...['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Path', 'X-Forwarded-Prefix', 'X-Original-URI'].map((name) =>
    attack(`${name} of the own account, for a foreign one`, (target) => ({
      ...readAccount({ ...target, accountId: target.foreignAccountId }),
      headers: [bearer(target.token), [name, readAccount(target).target]],
    })),
  ),
  ...['X-Account-Id', 'X-Organisation-Id', 'X-Tenant-Id', 'X-User-Id'].map((name) =>
    attack(`${name} of the own account, for a foreign one`, (target) => ({
      ...readAccount({ ...target, accountId: target.foreignAccountId }),
      headers: [bearer(target.token), [name, target.accountId]],
    })),
  ),
  ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) =>
    attack(`${name}: POST, of a GET of the login`, (target) => ({
      method: 'GET',
      target: `${target.basePath}/login?${new URLSearchParams(credentials(target))}`,
      headers: [[name, 'POST']],
    })),
  ),
];

/**
 * Header lines and framings that must give nothing away, and be answered once.
 * @public
 */
export const headerAttacks: readonly HttpAttack[] = [...framing, ...lines, ...overrides];
