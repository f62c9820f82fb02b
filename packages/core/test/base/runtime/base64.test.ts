import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../../../src/base/runtime/base64.ts';
import { runs } from '../../support/runs.ts';

test('RFC 4648, section 10: test vectors', () => {
  const vectors = {
    '': '',
    f: 'Zg==',
    fo: 'Zm8=',
    foo: 'Zm9v',
    foob: 'Zm9vYg==',
    fooba: 'Zm9vYmE=',
    foobar: 'Zm9vYmFy',
  };
  for (const [text, encoded] of Object.entries(vectors)) {
    expect(toBase64(Buffer.from(text))).toBe(encoded);
    expect(fromBase64(encoded)).toEqual(Uint8Array.from(Buffer.from(text)));
  }
});

test('writes what Buffer writes, and reads it back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }),
    runs,
  );
});

test.each(['!', 'A', 'AAAAA', 'Zg=', 'Zg===', 'Z=g=', 'Zm9v-_', 'é', 'A\u0000AA'])('%j is not Base64', (text) => {
  expect(fromBase64(text)).toBeUndefined();
});
