import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import { hasEnded, type SignatureScheme } from '../../../src/webhooks/signature/signature-scheme.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = 1_614_265_330;
const body = '{"a":1}';
const endpointId = '7c1d';
type Headers = Readonly<Record<string, string>>;

const sign = (scheme: SignatureScheme, id = 'evt_1', key = secret, endpoint = endpointId): Record<string, string> => {
  const headers: Record<string, string> = {};
  scheme.signer([key])(
    { id, messageId: `${id}_${endpoint}`, at: at * 1_000, body, url: 'https://partner.example' },
    headers,
  );
  return headers;
};
const verify = (scheme: SignatureScheme, headers: Headers, now = at * 1_000, endpoints = [endpointId]) =>
  scheme.verifier([secret], { endpoints, url: undefined })(
    { header: (name) => headers[name.toLowerCase()], body: new TextEncoder().encode(body) },
    now,
  );

// Each test makes its schemes itself: the mutants of a scheme that a file makes meet no test.
const schemes = {
  specification: () => specificationSignature(),
  standard: () => standardWebhooks(),
  ed25519: () => ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] }),
  github: () =>
    hmac({ header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=', key: 'utf8' }),
  all: () =>
    hmac({
      ...{ header: 'X-Acme', algorithm: 'sha512', encoding: 'base64url', key: 'base64' },
      content: ['id', { text: ':' }, 'body', { text: '|' }, 'timestamp'],
      ...{ idHeader: 'X-Acme-Id', timestampHeader: 'X-Acme-Time' },
    }),
  stripe: () =>
    hmac({
      ...{ header: 'Stripe-Signature', algorithm: 'sha256', encoding: 'hex' },
      content: ['timestamp', { text: '.' }, 'body'],
      prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
    }),
  sha1: () => hmac({ header: 'X-Old', algorithm: 'sha1', encoding: 'base64', prefix: '', content: ['url', 'body'] }),
};

describe.each([
  ['Standard Webhooks', schemes.standard, 'v1', 'missing_signature'],
  ['Ed25519', schemes.ed25519, 'v1a', 'absent'],
] as const)('%s', (_scheme, scheme, version, alone) => {
  const changed = (change: (right: string) => string) => {
    const headers = sign(scheme());
    return { ...headers, 'webhook-signature': change(headers['webhook-signature'] as string) };
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(sign(scheme())).filter(([header]) => header !== name));

  test.each<[string, () => Headers, string]>([
    ['its own signature', () => sign(scheme()), 'valid'],
    ['behind those of other versions', () => changed((right) => `v2,AA v10b,AA ${right}`), 'valid'],
    ['the sixteenth', () => changed((right) => `${'v2,AA '.repeat(15)}${right}`), 'valid'],
    ['the seventeenth', () => changed((right) => `${'v2,AA '.repeat(16)}${right}`), 'wrong_signature'],
    ['headers that a server joined', () => changed((right) => `${right}, ${right}`), 'wrong_signature'],
    ['an id that ends in a number', () => sign(scheme(), 'evt', secret, 'x.1'), 'wrong_signature'],
    ['the signature without padding', () => changed((right) => right.replaceAll('=', '')), 'wrong_signature'],
    ['no Base64', () => changed(() => `${version},!`), 'wrong_signature'],
    ['a wrong one beside another version', () => changed(() => `v2,AA ${version},AAAA`), 'wrong_signature'],
    ['other versions', () => changed(() => 'v2,AA v3b,AA v10,AA'), 'other'],
    ['a text before the version', () => changed(() => `xv2,AA`), 'wrong_signature'],
    ['a version of two letters', () => changed(() => `v2ab,AA`), 'wrong_signature'],
    ['one that is no version', () => changed(() => `v2,AA AA`), 'wrong_signature'],
    ['an empty signature', () => changed(() => ''), 'missing_signature'],
    ['no id', () => without('webhook-id'), 'missing_signature'],
    ['no timestamp', () => without('webhook-timestamp'), 'missing_signature'],
    ['no signature', () => without('webhook-signature'), alone],
    ['no header', () => ({}), 'absent'],
  ])('%s', (_name, headers, expected) => {
    expect(verify(scheme(), headers())).toBe(expected);
  });
});

test.each(['standard', 'ed25519'] as const)('%s: a message is for the receiver of its endpoint alone', (name) => {
  const headers = sign(schemes[name]());
  const as = (...endpoints: readonly string[]) => verify(schemes[name](), headers, undefined, [...endpoints]);
  expect(headers['webhook-id']).toBe('evt_1_7c1d');
  expect(as('aaaa', '7c1d')).toBe('valid');
  for (const other of ['aaaa', 'c1d', '7C1D', '1_7c1d7c1d', '7c1d_']) expect(as(other)).toBe('wrong_endpoint');
  const moved = { ...headers, 'webhook-id': 'evt_1_aaaa' };
  expect(verify(schemes[name](), moved, undefined, ['aaaa'])).toBe('wrong_signature');
});

test('a receiver that names no endpoint takes the secret of Standard Webhooks for its name', () => {
  expect(verify(schemes.standard(), sign(schemes.standard()), undefined, [])).toBe('valid');
});

test.each(['standard', 'ed25519', 'all', 'stripe'] as const)(
  '%s: five minutes before and after its time it is valid, and no millisecond more',
  (name) => {
    const headers = sign(schemes[name]());
    const verdicts = [-300_001, -300_000, 300_000, 300_001].map((by) =>
      verify(schemes[name](), headers, at * 1_000 + by),
    );
    expect(verdicts).toEqual(['wrong_signature', 'valid', 'valid', 'wrong_signature']);
  },
);

test.each([
  ['specification', 'x-webhook-signature'],
  ['github', 'x-hub-signature-256'],
] as const)('%s: valid, absent, missing, wrong', (name, header) => {
  const given = [sign(schemes[name]()), {}, { [header]: '' }, { [header]: 'sha256=00' }];
  expect(given.map((headers) => verify(schemes[name](), headers))).toEqual([
    ...['valid', 'absent', 'missing_signature', 'wrong_signature'],
  ]);
});

test('golden: an HMAC of all parts, keyed with the decoded secret; one without a prefix', () => {
  const decoded = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(sign(schemes.all())).toEqual({
    'x-acme': createHmac('sha512', decoded).update(`evt_1:${body}|${at}`).digest('base64url'),
    'x-acme-id': 'evt_1',
    'x-acme-time': String(at),
  });
  const digest = createHmac('sha1', secret).update(`https://partner.example${body}`).digest('base64');
  expect(sign(schemes.sha1())).toEqual({ 'x-old': digest });
  expect(schemes.all().secretProblem('AAAAwhsec_AAAA')).toMatch(/^Base64/);
});

/** What an old system sends, written anew: the key as bytes, the hash, and how digest and time are written. */
describe('golden: forms of an HMAC', () => {
  const hexSecret = '00ff10ABcd000102030405060708090a';
  const bytes = Buffer.from(hexSecret, 'hex');
  const ms = at * 1_000 + 789;
  const signAt = (scheme: SignatureScheme, key: string) => {
    const headers: Record<string, string> = {};
    scheme.signer([key])({ id: 'evt', messageId: 'evt_1', at: ms, body, url: '' }, headers);
    return headers;
  };
  const verifyAt = (scheme: SignatureScheme, headers: Headers, key: string, now = ms) =>
    scheme.verifier([key], { endpoints: [], url: undefined })(
      { header: (name) => headers[name], body: new TextEncoder().encode(body) },
      now,
    );
  const given = { header: 'X-A', algorithm: 'sha256', encoding: 'hex' } as const;

  test.each<[string, Partial<Parameters<typeof hmac>[0]>, string, string]>([
    ['a key in hex', { key: 'hex' }, hexSecret, createHmac('sha256', bytes).update(body).digest('hex')],
    [
      'a new secret',
      { key: 'hex' },
      secret,
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(body)
        .digest('hex'),
    ],
    ['SHA-384', { algorithm: 'sha384' }, 'a text', createHmac('sha384', 'a text').update(body).digest('hex')],
    [
      'capitals',
      { encoding: 'hex-upper' },
      'a text',
      createHmac('sha256', 'a text').update(body).digest('hex').toUpperCase(),
    ],
  ])('%s', (_name, options, key, expected) => {
    const scheme = hmac({ ...given, ...options });
    expect(signAt(scheme, key)).toEqual({ 'x-a': expected });
    expect(verifyAt(scheme, { 'x-a': expected }, key)).toBe('valid');
    expect(verifyAt(scheme, { 'x-a': expected.toUpperCase() }, key)).toBe(
      options.encoding === 'hex-upper' ? 'valid' : 'wrong_signature',
    );
    expect(verifyAt(scheme, { 'x-a': expected.toLowerCase() }, key)).toBe(
      options.encoding === 'hex-upper' ? 'wrong_signature' : 'valid',
    );
  });

  test('a time in milliseconds, in content and header', () => {
    const scheme = hmac({
      ...{ ...given, timestampHeader: 'X-Time', timestampUnit: 'milliseconds' },
      content: ['timestamp', { text: '.' }, 'body'],
    });
    const digest = createHmac('sha256', 'a text').update(`${ms}.${body}`).digest('hex');
    const headers = signAt(scheme, 'a text');
    expect(headers).toEqual({ 'x-a': digest, 'x-time': String(ms) });
    const verdicts = [-300_001, -300_000, 300_000, 300_001].map((by) => verifyAt(scheme, headers, 'a text', ms + by));
    expect(verdicts).toEqual(['wrong_signature', 'valid', 'valid', 'wrong_signature']);
    expect(scheme.documents['X-Time']).toEqual({ description: 'Milliseconds since 1970.' });
  });

  test('a time in milliseconds before the digest', () => {
    const scheme = hmac({
      ...{ ...given, timestampUnit: 'milliseconds' },
      content: ['timestamp', { text: '.' }, 'body'],
      prefix: [{ text: 't=' }, 'timestamp', { text: ',' }],
    });
    const headers = signAt(scheme, 'a text');
    expect(headers['x-a']).toMatch(new RegExp(`^t=${ms},[0-9a-f]{64}$`));
    expect(verifyAt(scheme, headers, 'a text')).toBe('valid');
  });

  test.each(['', 'abc', 'zz', 'whsec_', '0x00ff'])('%j is no key in hex', (other) => {
    expect(hmac({ ...given, key: 'hex' }).secretProblem(other)).toBe('an even number of hex digits is needed.');
  });
});

const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const standardDocuments = (signature: string) => ({
  'webhook-id': {
    description: 'Standard Webhooks: the id of the event, `_` and the id of the endpoint; the same on every attempt.',
  },
  'webhook-timestamp': { description: 'Standard Webhooks: seconds since 1970.' },
  'webhook-signature': { description: `Standard Webhooks: ${signature}` },
});

const signed = 'the id of the event, `:`, the exact body, `|`, the timestamp';

test.each<[keyof typeof schemes, boolean, boolean, readonly string[], object]>([
  [
    ...(['specification', true, true, ['x-webhook-signature']] as const),
    {
      'X-WEBHOOK-SIGNATURE': {
        description: 'HMAC-SHA-1 of the exact body, keyed with the webhook secret, in lower-case hex.',
        pattern: '^[0-9a-f]{40}$',
      },
    },
  ],
  ['standard', false, true, standardHeaders, standardDocuments('`v1,` and HMAC-SHA-256 in Base64.')],
  [
    ...(['ed25519', false, false, standardHeaders] as const),
    standardDocuments('`v1a,` and Ed25519 in Base64; public keys at `/.well-known/webhook-keys.json`.'),
  ],
  [
    ...(['github', false, true, ['x-hub-signature-256']] as const),
    {
      'X-Hub-Signature-256': {
        description:
          'HMAC-SHA-256 of the exact body, keyed with the webhook secret, in lower-case hex, after `sha256=`.',
      },
    },
  ],
  [
    ...(['all', false, true, ['x-acme', 'x-acme-id', 'x-acme-time']] as const),
    {
      'X-Acme': {
        description: `HMAC-SHA-512 of ${signed}, keyed with the decoded Base64 of the webhook secret, in Base64url.`,
      },
      'X-Acme-Id': { description: 'The id of the event.' },
      'X-Acme-Time': { description: 'Seconds since 1970.' },
    },
  ],
  [
    ...(['sha1', true, true, ['x-old']] as const),
    {
      'X-Old': {
        description: 'HMAC-SHA-1 of the URL of the endpoint, the exact body, keyed with the webhook secret, in Base64.',
      },
    },
  ],
])(
  'golden: what %s is: SHA-1 is weak; its secret, headers and documents',
  (name, isWeak, usesSecret, headers, documents) => {
    const scheme = schemes[name]();
    expect(scheme).toMatchObject({ isWeak, usesSecret });
    expect(scheme.headers).toEqual(headers);
    expect(scheme.documents).toEqual(documents);
  },
);

test('a scheme ends at its until, and never without one', () => {
  expect([4, 5, 6].map((now) => hasEnded({ until: 5 }, now))).toEqual([false, true, true]);
  expect(hasEnded({}, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test('a sender needs a secret, and a private key', () => {
  expect(() => sign(schemes.github(), 'evt_1', '')).toThrow('A webhook secret must not be empty.');
  const receiver = ed25519({ keys: [{ id: 'w1', publicKey: new Uint8Array(32) }] });
  expect(() => sign(receiver)).toThrow('ed25519: a sender needs a privateKey.');
});
