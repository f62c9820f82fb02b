import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = 1_614_265_330;

describe('an option of hmac that is wrong is refused', () => {
  const given = { header: 'X-Sign', algorithm: 'sha256', encoding: 'hex', timestampHeader: 'X-Time' } as const;
  const dot = { text: '.' };
  const content = ['timestamp', dot, 'body'];
  test.each<[string, object, RegExp]>([
    ['an empty text', { content: ['timestamp', { text: '' }, 'body'] }, /content is a list/],
    ['a text beyond ASCII', { content: ['timestamp', { text: 'é.' }, 'body'] }, /content is a list/],
    ['a text with a line end', { content: ['timestamp', { text: '.\n' }, 'body'] }, /content is a list/],
    ['an unknown part', { content: ['path', 'body'] }, /content is a list/],
    ['no part', { content: [null, 'body'] }, /content is a list/],
    ['no list', { content: 'body' }, /content is a list/],
    ['the body twice', { content: ['timestamp', dot, 'body', dot, 'body'] }, /contains 'body' once/],
    ['the time twice', { content: ['timestamp', dot, 'timestamp', dot, 'body'] }, /contains 'timestamp' twice/],
    ['a text that begins as a time', { content: ['timestamp', { text: '0.' }, 'body'] }, /needs a text/],
    ['a text that ends as a time', { content: ['body', { text: '.0' }, 'timestamp'] }, /needs a text/],
    ['a prefix that is no list', { content, prefix: 7 }, /prefix is a text/],
    ['an unknown part of a prefix', { content, prefix: ['id'] }, /prefix is a text/],
    ['the time twice in a prefix', { content, prefix: ['timestamp', dot, 'timestamp', dot] }, /'timestamp' once/],
    ['the time at the end of a prefix', { content, prefix: [dot, 'timestamp'] }, /with a text such as/],
    ['a letter behind the time', { content, prefix: ['timestamp', { text: 'v1=' }] }, /with a text such as/],
    ['an id that is not signed', { content, idHeader: 'X-Id' }, /contains 'id' when a header has it/],
    ['no header', { content, header: undefined }, /header is missing/],
    ['a header of 65 letters', { content, header: 'x'.repeat(65) }, /header is a header name of 1 to 64/],
    ['a header with a colon', { content, header: 'X:' }, /header is a header name/],
    ['a header that begins with -', { content, header: '-x' }, /header is a header name/],
    ['an id header of HTTP', { content: ['id', dot, ...content], idHeader: 'Host' }, /idHeader is a header name/],
    ['a time header of HTTP', { content, timestampHeader: 'Connection' }, /timestampHeader is a header name/],
    ['an unknown encoding', { content, encoding: 'HEX' }, /encoding is 'hex'/],
    ['an unknown key', { content, key: 'HEX' }, /key is 'utf8', 'base64' or 'hex'\.$/],
    ['an unknown unit', { content, timestampUnit: 'ms' }, /timestampUnit is 'seconds' or 'milliseconds'\.$/],
    ['a twin of a header', { content: ['id', { text: '.' }, 'body'], header: 'x-id', idHeader: 'X_ID' }, /differ/],
    ['an end at 0', { content, until: 0 }, /hmac: until is a time/],
    ['an end with a fraction', { content, until: 1.5 }, /hmac: until is a time/],
  ])('%s', (_, more, message) => {
    expect(() => hmac({ ...given, ...more } as never)).toThrow(message);
  });

  test('the longest header, and a time behind the body, are none', () => {
    const scheme = hmac({ ...given, header: 'x'.repeat(64), content: ['body', { text: '|' }, 'timestamp'] });
    const digest = createHmac('sha256', secret).update(`{}|${at}`).digest('hex');
    const headers: Record<string, string> = {};
    scheme.signer([secret])({ id: 'evt_1', messageId: 'evt_1_7c1d', at: at * 1_000, body: '{}', url: '' }, headers);
    expect(headers).toEqual({ ['x'.repeat(64)]: digest, 'x-time': String(at) });
  });
});

test.each([
  ['Base64 of nothing', 'whsec_'],
  ['no Base64', 'no-Base64-of-anything'],
])('a key that is %s is no decoded key', (_, other) => {
  const options = { header: 'X-Sign', algorithm: 'sha256', encoding: 'hex' } as const;
  expect(hmac({ ...options, key: 'base64' }).secretProblem(other)).toMatch(/^Base64, after whsec_ or alone/);
  expect(hmac(options).secretProblem(other)).toBeUndefined();
});

test('each option of standardWebhooks and of the others is checked', () => {
  expect(() => standardWebhooks({ key: 'hex' as never })).toThrow("standardWebhooks: key is 'base64' or 'utf8'.");
  expect(() => standardWebhooks({ until: -1 })).toThrow('standardWebhooks: until is a time');
  expect(() => specificationSignature({ until: Number.NaN })).toThrow('specificationSignature: until is a time');
  expect(() => ed25519({ keys: [{ id: 'a', privateKey: new Uint8Array(32) }], until: 0.5 })).toThrow(
    'ed25519: until is a time',
  );
  expect(specificationSignature({ until: 1 }).until).toBe(1);
  expect(Object.hasOwn(specificationSignature(), 'until')).toBe(false);
});

const key = new Uint8Array(32).fill(7);

test.each<[string, readonly unknown[], RegExp]>([
  [
    'an id of a key is used twice',
    [
      { id: 'a', privateKey: key },
      { id: 'a', privateKey: key.map((byte) => byte ^ 1) },
    ],
    /^ed25519: an id of a key is used twice\.$/,
  ],
  ['a key has 31 bytes', [{ id: 'a', privateKey: key.subarray(1) }], /^ed25519: the key "a" needs 32 bytes/],
  ['a public key has 33 bytes', [{ id: 'a', publicKey: new Uint8Array(33) }], /^ed25519: the key "a" needs 32 bytes/],
  ['a key is a text', [{ id: 'a', publicKey: 'x'.repeat(32) }], /^ed25519: the key "a" needs 32 bytes/],
  ['a key has no bytes', [{ id: 'a' }], /^ed25519: the key "a" needs 32 bytes/],
  ['it is no key', ['a'], /an id of a key takes/],
  ['a key is null', [null], /an id of a key takes/],
  ['an id has a full stop', [{ id: 'a.b', privateKey: key }], /an id of a key takes/],
  ['there is no key', [], /at least one key/],
])('Ed25519 is refused when %s', (_, keys, message) => {
  expect(() => ed25519({ keys: keys as never })).toThrow(message);
});
