import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ed25519PrivateKey,
  ed25519PublicBytes,
  ed25519PublicKey,
  signEd25519,
  verifyEd25519,
} from '../../../src/base/crypto/ed25519.ts';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import type { SignatureScheme } from '../../../src/webhooks/signature/signature-scheme.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import { runs } from '../../support/runs.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = 1_614_265_330;
const url = 'https://partner.example/hooks';
/** With the event `msg`, the id of the message in the vector of Standard Webhooks. */
const endpointId = 'p5jXN8AQM9LWM0D4loKWxJek';

/** The headers of a request, as a sender makes them. */
const sign = (scheme: SignatureScheme, body: string, id = 'msg', key = secret) => {
  const headers: Record<string, string> = {};
  scheme.signer([key])({ id, messageId: `${id}_${endpointId}`, at: at * 1_000, body, url }, headers);
  return headers;
};

/** What a receiver finds. */
const verify = (scheme: SignatureScheme, headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
  scheme.verifier([secret], { endpoints: [endpointId], url })(
    { header: (name) => headers[name], body: typeof body === 'string' ? Buffer.from(body) : body },
    at * 1_000,
  );

const github = hmac({ header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' });
const stripe = hmac({
  header: 'Stripe-Signature',
  algorithm: 'sha256',
  encoding: 'hex',
  content: ['timestamp', { text: '.' }, 'body'],
  prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
});
const square = hmac({ header: 'X-Square', algorithm: 'sha1', encoding: 'base64', content: ['url', 'body'] });
const withId = hmac({
  header: 'X-Acme',
  algorithm: 'sha512',
  encoding: 'base64url',
  content: ['id', { text: ':' }, 'body', { text: ':' }, 'timestamp'],
  idHeader: 'X-Acme-Id',
  timestampHeader: 'X-Acme-Time',
  key: 'base64',
});
const privateKey = hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
const asymmetric = ed25519({ keys: [{ id: 'w1', privateKey }] });
const schemes = {
  specification: specificationSignature(),
  standard: standardWebhooks(),
  github,
  stripe,
  square,
  withId,
  asymmetric,
};
const named = Object.entries(schemes);

describe('vectors', () => {
  test('GitHub: the example of its documentation', () => {
    const headers = sign(github, 'Hello, World!', 'any', "It's a Secret to Everybody");
    expect(headers).toEqual({
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
  });

  test('Standard Webhooks: the vector of the specification', () => {
    expect(sign(standardWebhooks(), '{"test": 2432232314}')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('Stripe: t, v1 and the HMAC of timestamp and body, keyed with the whole secret', () => {
    const digest = createHmac('sha256', secret).update('1614265330.{"id":"evt_1"}').digest('hex');
    expect(sign(stripe, '{"id":"evt_1"}')).toEqual({ 'stripe-signature': `t=1614265330,v1=${digest}` });
  });

  test.each([
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('Ed25519: RFC 8032 §7.1, %s', (seed, publicKey, message, signature) => {
    expect(Buffer.from(ed25519PublicBytes(hex(seed))).toString('hex')).toBe(publicKey);
    expect(Buffer.from(signEd25519(ed25519PrivateKey(hex(seed)), hex(message))).toString('hex')).toBe(signature);
    expect(verifyEd25519(ed25519PublicKey(hex(publicKey)), hex(message), hex(signature))).toBe(true);
    expect(verifyEd25519(ed25519PublicKey(hex(publicKey)), hex(`${message}00`), hex(signature))).toBe(false);
  });

  test('Ed25519: the public key is a JWK (RFC 8037 §A.2)', () => {
    expect(asymmetric.publicKeys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: 'w1',
        alg: 'EdDSA',
        use: 'sig',
      },
    ]);
  });
});

describe('assertNoChangedByteIsValid', () => {
  const body = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });

  test.each(named)('%s: what was signed is valid', (_, scheme) => {
    const property = fc.property(body, (text) => {
      expect(verify(scheme, sign(scheme, text, 'evt_1'), text)).toBe('valid');
    });
    fc.assert(property, runs);
  });

  test.each(named)('%s: one changed byte of the body is not', (_, scheme) => {
    const property = fc.property(body, fc.nat(), fc.integer({ min: 1, max: 255 }), (text, place, by) => {
      const bytes = Uint8Array.from(Buffer.from(text));
      const at = place % bytes.length;
      bytes[at] = (bytes[at] as number) ^ by;
      expect(verify(scheme, sign(scheme, text, 'evt_1'), bytes)).toBe('wrong_signature');
    });
    fc.assert(property, runs);
  });

  test.each(named)('%s: one changed character of a header is not', (_, scheme) => {
    const property = fc.property(body, fc.nat(), fc.nat(), (text, which, place) => {
      const headers = sign(scheme, text, 'evt_1');
      const name = scheme.headers[which % scheme.headers.length] as string;
      const value = headers[name] as string;
      const at = place % value.length;
      const other = value[at] === 'A' ? 'B' : 'A';
      const changed = { ...headers, [name]: value.slice(0, at) + other + value.slice(at + 1) };
      expect(['wrong_signature', 'other']).toContain(verify(scheme, changed, text));
    });
    fc.assert(property, runs);
  });

  test.each(named)('%s: bytes that move between id, timestamp and body are not', (_, scheme) => {
    const text = '.1614265330.1:2:evt-x';
    const headers = sign(scheme, text, 'evt_1');
    for (const [name, value] of Object.entries(headers))
      for (let cut = 1; cut < value.length; cut++) {
        expect(verify(scheme, { ...headers, [name]: value.slice(0, cut) }, value.slice(cut) + text)).not.toBe('valid');
        const moved = { ...headers, [name]: value + text.slice(0, cut) };
        expect(verify(scheme, moved, text.slice(cut))).not.toBe('valid');
      }
  });
});

describe('assertNoSchemeIsTakenForAnother', () => {
  const pairs = named.flatMap(([one, scheme]) => named.map(([other, reader]) => [one, other, scheme, reader] as const));
  const different = pairs.filter(([one, other]) => one !== other);

  test.each(different)('%s is not valid as %s, under any of its headers', (_one, _other, scheme, reader) => {
    const text = '{"a":1}';
    const values = Object.values(sign(scheme, text, 'evt_1'));
    const [header, ...more] = [...reader.headers].reverse() as [string, ...string[]];
    for (const value of values) {
      const rest = Object.fromEntries(more.map((name) => [name, name.endsWith('id') ? 'evt_1' : String(at)]));
      expect(verify(reader, { ...rest, [header]: value }, text)).not.toBe('valid');
    }
  });
});

describe('a scheme that fits two requests is refused', () => {
  const given = { header: 'X-Sign', algorithm: 'sha256', encoding: 'hex' } as const;
  test.each([
    ['no body', { content: ['id'], idHeader: 'x-id' }, "hmac: content contains 'body' once."],
    ['id beside the body', { content: ['id', 'body'], idHeader: 'x-id' }, /needs a text/],
    ['a text that an id contains', { content: ['id', { text: '-' }, 'body'], idHeader: 'x-id' }, /needs a text/],
    ['body before a timestamp', { content: ['body', 'timestamp'], timestampHeader: 'x-at' }, /needs a text/],
    ['an id that no header has', { content: ['id', { text: '.' }, 'body'] }, /idHeader is needed/],
    ['a timestamp that no header has', { content: ['timestamp', { text: '.' }, 'body'] }, /timestampHeader, or/],
    ['a timestamp that is not signed', { timestampHeader: 'x-at' }, /anyone could change it/],
    ['a header of HTTP', { header: 'Content-Length' }, /header is a header name/],
    ['one header twice', { idHeader: 'X-SIGN', content: ['id', { text: '.' }, 'body'] }, /differ/],
    ['an unknown hash', { algorithm: 'md5' }, /algorithm is/],
    ['an unknown option', { encodng: 'hex' }, /encoding/],
  ])('%s', (_, more, message) => {
    expect(() => hmac({ ...given, ...more } as never)).toThrow(message);
  });

  test('a receiver of Ed25519 needs the ids of its endpoints', () => {
    expect(() => asymmetric.verifier([], { endpoints: [], url })).toThrow('the option endpoints');
  });

  test('a receiver of a signed URL needs it', () => {
    expect(() => square.verifier([secret], { endpoints: [endpointId], url: undefined })).toThrow('the option url');
  });
});

test('a rotation: Standard Webhooks signs with both secrets, others with the current one', () => {
  const next = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const both: Record<string, string> = {};
  const message = { id: 'evt_1', messageId: `evt_1_${endpointId}`, at: at * 1_000, body: '{}', url };
  standardWebhooks().signer([secret, next])(message, both);
  expect(both['webhook-signature']?.split(' ')).toHaveLength(2);
  const one: Record<string, string> = {};
  github.signer([secret, next])(message, one);
  expect(one).toEqual(sign(github, '{}'));
});

test('Standard Webhooks and Ed25519 share their headers', () => {
  const headers: Record<string, string> = {};
  for (const scheme of [standardWebhooks(), asymmetric])
    scheme.signer([secret])(
      { id: 'evt_1', messageId: `evt_1_${endpointId}`, at: at * 1_000, body: '{}', url },
      headers,
    );
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  expect(verify(standardWebhooks(), headers, '{}')).toBe('valid');
  expect(verify(asymmetric, headers, '{}')).toBe('valid');
});

test('a secret of another form is its own key where that is said, and signs nothing elsewhere', () => {
  const headers = sign(standardWebhooks({ key: 'utf8' }), '{}', 'evt_1', 'a secret of 16 bytes');
  expect(() => sign(standardWebhooks(), '{}', 'evt_1', 'a secret of 16 bytes')).toThrow('whsec_');
  expect(standardWebhooks().secretProblem('a secret of 16 bytes')).toContain('whsec_');
  const digest = createHmac('sha256', 'a secret of 16 bytes')
    .update(`evt_1_${endpointId}.1614265330.{}`)
    .digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${digest}`);
});

test('the time of a prefix is that of the header', () => {
  const both = hmac({
    ...{ header: 'X-Sign', algorithm: 'sha256', encoding: 'hex', timestampHeader: 'X-Time' },
    content: ['timestamp', { text: '.' }, 'body'],
    prefix: [{ text: 't=' }, 'timestamp', { text: ',' }],
  });
  const headers = sign(both, '{}');
  expect(verify(both, headers, '{}')).toBe('valid');
  const later = headers['x-sign']?.replace(`t=${at}`, `t=${at + 1}`) ?? '';
  expect(verify(both, { ...headers, 'x-sign': later }, '{}')).toBe('wrong_signature');
  expect(verify(both, { 'x-sign': headers['x-sign'] ?? '' }, '{}')).toBe('wrong_signature');
});

test('bytes of the body do not move into an id', () => {
  const headers = sign(withId, 'x:y', 'evt_1');
  expect(verify(withId, { ...headers, 'x-acme-id': 'evt_1:x' }, 'y')).toBe('wrong_signature');
  const { 'x-acme-id': _, ...withoutId } = headers;
  expect(verify(withId, withoutId, 'x:y')).toBe('wrong_signature');
});

test('Ed25519: the first private key signs, and every key verifies', () => {
  const [first, second] = [privateKey, hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb')];
  const of = (seed: Uint8Array) => ({ id: 'k', publicKey: ed25519PublicBytes(seed) });
  const sender = ed25519({
    keys: [of(new Uint8Array(32).fill(9)), { id: 'a', privateKey: first }, { id: 'b', privateKey: second }],
  });
  const headers = sign(sender, '{}');
  expect(verify(ed25519({ keys: [of(first)] }), headers, '{}')).toBe('valid');
  expect(verify(ed25519({ keys: [of(second)] }), headers, '{}')).toBe('wrong_signature');
  expect(verify(sender, sign(ed25519({ keys: [{ id: 'b', privateKey: second }] }), '{}'), '{}')).toBe('valid');
});
