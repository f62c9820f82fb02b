import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type SigningKey,
  signatureHeader,
  signBody,
  signingKey,
  verifySignature,
} from '../../../src/webhooks/signature/webhook-signature.ts';
import { runs } from '../../support/runs.ts';
import vectors from '../../vectors/signature-vectors.json' with { type: 'json' };
import whsecVectors from '../../vectors/whsec-vectors.json' with { type: 'json' };

/** Of the form that partnerkit makes, with any number of bytes, and any other text. */
const secrets = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
);
const bodies = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'grapheme' }));
const verdict = (body: string | Uint8Array, header: string | undefined, keys: readonly SigningKey[]) =>
  verifySignature(body, header, keys);

test('the header is the one of the specification', () => {
  expect(signatureHeader).toBe('x-webhook-signature');
});

describe('signature-vectors.json', () => {
  test.each(vectors.cases)('$name', ({ secret, body, bodyBytes, signature }) => {
    const key = signingKey(secret);
    const bytes = Buffer.from(body, 'utf8');
    expect(bytes).toHaveLength(bodyBytes);
    expect(signBody(key, body)).toBe(signature);
    expect(signBody(key, bytes)).toBe(signature);
    expect(verdict(body, signature, [key])).toBe('valid');
    expect(verdict(bytes, signature, [key])).toBe('valid');
  });

  test('no signature verifies in another case', () => {
    for (const one of vectors.cases) {
      for (const other of vectors.cases) {
        const right = one.signature === other.signature;
        expect(verdict(one.body, other.signature, [signingKey(one.secret)])).toBe(right ? 'valid' : 'wrong_signature');
      }
    }
    expect(new Set(vectors.cases.map(({ signature }) => signature)).size).toBe(vectors.cases.length);
  });
});

describe('whsec-vectors.json', () => {
  test.each(whsecVectors.cases)('$name', ({ secret, body, sha1 }) => {
    expect(signBody(signingKey(secret), body)).toBe(sha1);
    expect(verdict(Buffer.from(body), sha1, [signingKey(secret)])).toBe('valid');
  });
});

test('the signature equals the HMAC-SHA-1 of OpenSSL and verifies, for any secret and body', () => {
  fc.assert(
    fc.property(secrets, bodies, (secret, body) => {
      const signature = signBody(signingKey(secret), body);
      expect(signature).toBe(createHmac('sha1', Buffer.from(secret, 'utf8')).update(body).digest('hex'));
      expect(verdict(body, signature, [signingKey(secret)])).toBe('valid');
    }),
    runs,
  );
});

test('a text has the signature of its UTF-8 bytes', () => {
  fc.assert(
    fc.property(secrets, fc.string({ unit: 'binary' }), (secret, body) => {
      const key = signingKey(secret);
      expect(signBody(key, body)).toBe(signBody(key, Buffer.from(body, 'utf8')));
    }),
    runs,
  );
});

test('any changed byte of the body fails', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (secret, body, place, flip) => {
        const key = signingKey(secret);
        const changed = Uint8Array.from(body);
        const at = place % body.length;
        changed[at] = (changed[at] as number) ^ flip;
        expect(verdict(changed, signBody(key, body), [key])).toBe('wrong_signature');
        expect(verdict(body.subarray(0, at), signBody(key, body), [key])).toBe('wrong_signature');
      },
    ),
    runs,
  );
});

test('any other secret fails', () => {
  fc.assert(
    fc.property(secrets, secrets, bodies, (secret, other, body) => {
      fc.pre(secret !== other);
      expect(verdict(body, signBody(signingKey(secret), body), [signingKey(other)])).toBe('wrong_signature');
    }),
    runs,
  );
});

test('any changed character of the header fails, its case included', () => {
  const anything = fc.oneof(fc.constantFrom(...'0123456789abcdefABCDEF gé'), fc.string({ minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(secrets, bodies, fc.nat({ max: 39 }), anything, (secret, body, at, char) => {
      const key = signingKey(secret);
      const signature = signBody(key, body);
      fc.pre(signature[at] !== char);
      expect(verdict(body, signature.slice(0, at) + char + signature.slice(at + 1), [key])).toBe('wrong_signature');
      const upper = signature.toUpperCase();
      expect(verdict(body, upper, [key])).toBe(upper === signature ? 'valid' : 'wrong_signature');
    }),
    runs,
  );
});

test('a header of any other length fails, and throws nothing', () => {
  const key = signingKey('secret');
  const signature = signBody(key, 'body');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (header) => {
      fc.pre(header !== signature);
      expect(verdict('body', header, [key])).toBe('wrong_signature');
    }),
    runs,
  );
  for (const header of [
    signature.slice(1),
    `${signature}0`,
    ` ${signature}`,
    `${signature} `,
    `sha1=${signature}`,
    'é',
  ]) {
    expect(verdict('body', header, [key])).toBe('wrong_signature');
  }
});

test('an absent or empty header is missing', () => {
  expect(verdict('body', undefined, [signingKey('secret')])).toBe('missing_signature');
  expect(verdict('body', '', [signingKey('secret')])).toBe('missing_signature');
});

test('one of several keys suffices, and without keys every signature is wrong', () => {
  fc.assert(
    fc.property(fc.uniqueArray(secrets, { maxLength: 4 }), secrets, bodies, (others, secret, body) => {
      fc.pre(!others.includes(secret));
      const keys = others.map(signingKey);
      const signature = signBody(signingKey(secret), body);
      expect(verdict(body, signature, keys)).toBe('wrong_signature');
      for (let place = 0; place <= keys.length; place++) {
        expect(verdict(body, signature, keys.toSpliced(place, 0, signingKey(secret)))).toBe('valid');
      }
    }),
    runs,
  );
});

test.each(['', undefined, null, 7, ['secret']])('a secret like %j is a TypeError, not an empty key', (secret) => {
  expect(() => signingKey(secret as string)).toThrow(TypeError);
});
