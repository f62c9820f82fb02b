import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hmacKey, hmacSha1, hmacSha256 } from '../../../src/base/crypto/hmac.ts';
import { toUtf8 } from '../../../src/base/runtime/text.ts';
import { historyRuns, runs } from '../../support/runs.ts';

const repeated = (byte: number, times: number): Uint8Array => new Uint8Array(times).fill(byte);

describe('RFC 2202, section 3: test cases for HMAC-SHA-1', () => {
  test.each([
    [1, repeated(0x0b, 20), toUtf8('Hi There'), 'b617318655057264e28bc0b6fb378c8ef146be00'],
    [2, toUtf8('Jefe'), toUtf8('what do ya want for nothing?'), 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
    [3, repeated(0xaa, 20), repeated(0xdd, 50), '125d7342b9ac11cd91a39af48aa17b4f63f175d3'],
    [
      4,
      Uint8Array.from({ length: 25 }, (_, index) => index + 1),
      repeated(0xcd, 50),
      '4c9007f4026250c6bc8414f9bf50c86c2d7235da',
    ],
    [5, repeated(0x0c, 20), toUtf8('Test With Truncation'), '4c1a03424b55e07fe7f27be1d58bb9324a9a5a04'],
    [
      6,
      repeated(0xaa, 80),
      toUtf8('Test Using Larger Than Block-Size Key - Hash Key First'),
      'aa4ae5e15272d00e95705637ce8a3b55ed402112',
    ],
    [
      7,
      repeated(0xaa, 80),
      toUtf8('Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data'),
      'e8e99d0f45237d786d6bbaa7965c7808bbff1a91',
    ],
  ])('case %i', (_number, key, data, digest) => {
    expect(hmacSha1(hmacKey(key), data)).toBe(digest);
  });
});

test('RFC 4231, case 2: HMAC-SHA-256, in Base64', () => {
  const digest = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const expected = Buffer.from(digest, 'hex').toString('base64');
  expect(hmacSha256(hmacKey(toUtf8('Jefe')), '', 'what do ya want for nothing?')).toBe(expected);
});

test('HMAC-SHA-256 of two parts is that of the whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.string(), fc.uint8Array(), (key, before, body) => {
      const whole = createHmac('sha256', key).update(before).update(body).digest('base64');
      expect(hmacSha256(hmacKey(key), before, body)).toBe(whole);
    }),
    runs,
  );
});

test('a text hashes like its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.string({ unit: 'binary' }), (bytes, text) => {
      const key = hmacKey(bytes);
      expect(hmacSha1(key, text)).toBe(hmacSha1(key, Buffer.from(text, 'utf8')));
      expect(hmacSha256(key, text, text)).toBe(hmacSha256(key, text, Buffer.from(text, 'utf8')));
    }),
    runs,
  );
});

test('keys and bodies of any length, around the block size and the buffer size', () => {
  const about = (length: number) => fc.integer({ min: length - 2, max: length + 2 });
  const unit = fc.constantFrom('a', 'é', '€', '🏡');
  const property = fc.property(
    fc.oneof(fc.integer({ min: 1, max: 200 }), about(64)),
    fc.oneof(fc.nat(300), about(65_536), about(21_845)),
    unit,
    (keyLength, length, character) => {
      const bytes = Uint8Array.from({ length: keyLength }, (_, index) => 255 - index);
      const text = character.repeat(length);
      const body = toUtf8(text);
      const key = hmacKey(bytes);
      const sha1 = createHmac('sha1', bytes).update(body).digest('hex');
      expect([hmacSha1(key, text), hmacSha1(key, body)]).toEqual([sha1, sha1]);
      const sha256 = createHmac('sha256', bytes).update('before').update(body).digest('base64');
      expect([hmacSha256(key, 'before', text), hmacSha256(key, 'before', body)]).toEqual([sha256, sha256]);
    },
  );
  fc.assert(property, historyRuns);
});
