import { type AttackTarget, bearer, type HttpAttack, jsonType, shown } from './attack.ts';

// Attacks on the API of payment requests and deposits, for hosts that serve it.

const list = ({ basePath, accountId }: AttackTarget): string =>
  `${basePath}/organisations/${accountId}/payment-requests`;

const cursor = (text: string): HttpAttack => ({
  group: 'cursors',
  name: `the cursor ${shown(text)}`,
  request: (target) => ({
    method: 'GET',
    target: `${list(target)}?after=${encodeURIComponent(text)}`,
    headers: [bearer(target.token)],
  }),
  status: [400, 414, 431],
  work: 'call',
});
const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * Cursors that no list handed out. Each is refused, and no page is answered.
 * @public
 */
export const cursorAttacks: readonly HttpAttack[] = [
  ...[
    '',
    ' ',
    'x',
    '0',
    '1',
    '-1',
    '1e3',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '..',
    '*',
    '%',
    "' or 1=1 --",
    '__proto__',
  ],
  ...[
    '\u0000',
    '\n',
    'é',
    '🏡',
    '=',
    '====',
    'AAAA',
    'AA==',
    '-_-_',
    '+/+/',
    '9'.repeat(16),
    '9'.repeat(400),
    'x'.repeat(4_000),
  ],
  ...[
    '01930000-0000-7000-8000-000000000000',
    'payment-requests',
    '1_2',
    '0_x',
    'a.b.c',
    'v1.x',
    'eyJhbGciOiJub25lIn0.e30.',
  ],
  base64url(' '),
  base64url('0'),
  base64url({}),
  base64url([]),
  base64url({ after: 0 }),
  base64url({ accountId: 'x', place: '0_x' }),
  base64url('['.repeat(1_000)),
  Buffer.alloc(32).toString('base64url'),
  Buffer.alloc(32, 255).toString('base64url'),
].map(cursor);

const payment = { name: 'Stay', amount: 120.5, currency: 'EUR', recipient: { email: 'guest@example.com' } };
const create = (target: AttackTarget, body: string | Uint8Array) => ({
  method: 'POST',
  target: list(target),
  headers: [bearer(target.token), jsonType],
  body,
});
const money = (name: string, body: string): HttpAttack => ({
  group: 'money',
  name,
  request: (target) => create(target, body),
  status: [400],
  work: 'call',
});
/** The literal text: JavaScript would round, or refuse to write it. */
const amount = (text: string): HttpAttack =>
  money(
    `the amount ${shown(text)}`,
    JSON.stringify({ ...payment, amount: 0 }).replace('"amount":0', `"amount":${text}`),
  );

/**
 * Sums that are no sums: finer than the currency, out of range, rounded on the way, or of another type.
 * @public
 */
export const moneyAttacks: readonly HttpAttack[] = [
  ...[
    '0',
    '-0',
    '0.0',
    '-1',
    '-0.01',
    '-1e-9',
    '0.001',
    '0.009',
    '0.0000000000000001',
    '1e-7',
    '1e-400',
    '120.555',
    '120.5000001',
  ],
  ...[
    '120.0000000000000000001',
    '9999999999.9900000001',
    '1200000000000000000001e-19',
    '1e10',
    '1e15',
    '1e21',
    '1e300',
    '1e400',
    '-1e400',
  ],
  ...[
    '9007199254740993',
    '99999999999',
    '99999999999999999999999',
    '0x10',
    '1_000',
    '01',
    '1.',
    '.5',
    '+1',
    '1,5',
    'NaN',
    'Infinity',
    '-Infinity',
  ],
  ...['"5"', '"5.00"', '"1e2"', '"0x10"', '""', '" "', '"a"', '"120,50"', '"NaN"', '"1\u0660"', '"１２０"'],
  ...['null', 'true', 'false', '[]', '[5]', '{}', '{"value":5}', '{"$gt":0}', '{"__proto__":5}'],
]
  .map(amount)
  .concat(
    [
      '',
      'eur',
      'EURO',
      'E',
      'XXX',
      'EUR ',
      ' EUR',
      'EUR\u0000',
      '€',
      'ＥＵＲ',
      '__proto__',
      'constructor',
      'BTC',
      'E'.repeat(1_000),
    ].map((currency) => money(`the currency "${shown(currency)}"`, JSON.stringify({ ...payment, currency }))),
    [null, 5, true, [], ['EUR'], {}].map((currency) =>
      money(`the currency ${JSON.stringify(currency)}`, JSON.stringify({ ...payment, currency })),
    ),
    [
      money('an amount finer than its currency', JSON.stringify({ ...payment, amount: 1.5, currency: 'JPY' })),
      money('an amount without a currency', JSON.stringify({ ...payment, currency: undefined })),
      money('a currency without an amount', JSON.stringify({ ...payment, amount: undefined })),
      money('an amount twice', JSON.stringify(payment).replace('{', '{"amount":1,')),
      money('an amount twice, once escaped', JSON.stringify(payment).replace('{', '{"\\u0061mount":1,')),
      money('a currency twice', JSON.stringify(payment).replace('{', '{"currency":"USD",')),
      ...[
        'refundedAmount',
        'depositAmount',
        'status',
        'paidAt',
        'accountId',
        'id',
        'version',
        'environment',
        'createdBy',
      ].map((name) => money(`a payment request that sets ${name}`, JSON.stringify({ ...payment, [name]: 1 }))),
    ],
  );

const json = (name: string, body: string | Uint8Array): HttpAttack => ({
  group: 'json',
  name: `a payment request whose JSON ${name}`,
  request: (target) => create(target, body),
  status: [400, 413],
  work: 'call',
});
const good = JSON.stringify(payment);

/**
 * JSON that two parsers read differently, that is none, or that pollutes an object.
 * @public
 */
export const jsonAttacks: readonly HttpAttack[] = [
  ...Object.entries({
    'is empty': '',
    'is a blank': ' ',
    'is a text': '"x"',
    'is a number': '1',
    'is true': 'true',
    'is null': 'null',
    'is a list': '[]',
    'is a list of it': `[${good}]`,
    'ends early': good.slice(0, -1),
    'begins late': good.slice(1),
    'comes twice': good + good,
    'has a comma at its end': good.replace(/}$/, ',}'),
    'has a comma at its beginning': good.replace('{', '{,'),
    'has a comment': good.replace('{', '{/**/'),
    'has a comment of a line': `${good}//`,
    'has single quotes': good.replaceAll('"', "'"),
    'has keys without quotes': good.replace('"name"', 'name'),
    'has curly quotes': good.replace('"name"', '“name”'),
    'ends with a NUL': `${good}\u0000`,
    'begins with a NUL': `\u0000${good}`,
    'has a line end in a text': good.replace('Stay', 'St\nay'),
    'has a tab in a text': good.replace('Stay', 'St\tay'),
    'has an unknown escape': good.replace('Stay', '\\x41'),
    'has half an escape': good.replace('Stay', '\\u00'),
    'has a lone surrogate, escaped': good.replace('Stay', '\\ud800'),
    'has an escaped NUL': good.replace('Stay', 'a\\u0000b'),
    'has NaN': good.replace('120.5', 'NaN'),
    'has undefined': good.replace('"Stay"', 'undefined'),
    'has a function': good.replace('"Stay"', 'function(){}'),
    'repeats a key': good.replace('{', '{"name":"x",'),
    'repeats a key, escaped': good.replace('{', '{"n\\u0061me":"x",'),
    'repeats a key further down': good.replace('"email"', '"email":"x@example.com","email"'),
    'repeats "__proto__"': good.replace('{', '{"__proto__":1,"__proto__":2,'),
    'has "__proto__"': good.replace('{', '{"__proto__":{"status":"payed"},'),
    'has "constructor"': good.replace('{', '{"constructor":{"prototype":{"status":"payed"}},'),
    'has "prototype"': good.replace('{', '{"prototype":{},'),
    'has "toString"': good.replace('{', '{"toString":"x",'),
    'has "hasOwnProperty"': good.replace('{', '{"hasOwnProperty":"x",'),
    'has "__proto__" further down': good.replace('"email"', '"__proto__":{"a":1},"email"'),
    'has an operator of a document store': good.replace('"Stay"', '{"$ne":null}'),
    'has a key of nothing': good.replace('{', '{"":1,'),
    'has a key of 5,000 letters': good.replace('{', `{"${'k'.repeat(5_000)}":1,`),
    'has 2,000 keys': good.replace('{', `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":1`).join(',')},`),
    'is nested 5,000 deep': '['.repeat(5_000) + ']'.repeat(5_000),
    'is nested 5,000 deep, without an end': '['.repeat(5_000),
    'has metadata nested 1,000 deep': good.replace('{', `{"metadata":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)},`),
    'has 70,000 blanks': good.replace('{', `{${' '.repeat(70_000)}`),
    'has a name of 300 letters': good.replace('Stay', 'x'.repeat(300)),
  }).map(([name, body]) => json(name, body)),
  json('is not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)),
  json('is UTF-16', Buffer.from(good, 'utf16le')),
  json(
    'has an overlong UTF-8 sequence',
    Buffer.concat([Buffer.from('{"name":"'), Uint8Array.of(0xc0, 0xaf), Buffer.from('"}')]),
  ),
  json(
    'has a truncated UTF-8 sequence',
    Buffer.concat([Buffer.from('{"name":"'), Uint8Array.of(0xc3), Buffer.from('"}')]),
  ),
];
