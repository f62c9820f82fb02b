import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSealer, type Sealed, type SealingKey } from '../../../src/base/crypto/seal.ts';
import { fixedRandom, seededRandom } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';

const key = (id: string, byte: number): SealingKey => ({ id, key: new Uint8Array(32).fill(byte) });
const random = seededRandom();
const context = ['acc_a', 'endpoint-1', 'secret'];
const clearText = fc.string({ unit: 'grapheme', maxLength: 60 });
/** What `open` gives, or `undefined` where it refuses. */
const opened = (open: () => string): string | undefined => {
  try {
    return open();
  } catch {
    return undefined;
  }
};

test('opens what it sealed, in its context', () => {
  const sealer = createSealer([key('k1', 1)], random);
  fc.assert(
    fc.property(clearText, fc.array(fc.string()), (clear, where) => {
      expect(sealer.open(sealer.seal(clear, where), where)).toBe(clear);
    }),
    runs,
  );
});

test('golden: AES-256-GCM, key and context fixed', () => {
  const sealer = createSealer([key('k1', 7)], fixedRandom(9));
  const sealed = sealer.seal('whsec_abc', context);
  // Computed with Python's cryptography package: AESGCM(b'\x07' * 32).encrypt(b'\x09' * 12, b'whsec_abc', aad).
  expect(sealed).toBe('v1.k1.CQkJCQkJCQkJCQkJ.UO338d2voAPD8ZSeDKf9/c4AiXC4MyJl9g==');
});

test('the clear text is not in the sealed one, and sealing twice gives two texts', () => {
  const sealer = createSealer([key('k1', 1)], random);
  const clear = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const sealed = sealer.seal(clear, context);
  expect(sealed).toMatch(/^v1\.k1\.[A-Za-z0-9+/=]{16}\.[A-Za-z0-9+/=]+$/);
  expect(sealed).not.toContain(clear);
  expect(Buffer.from(sealed.split('.')[3] as string, 'base64').toString('latin1')).not.toContain(clear);
  expect(sealer.seal(clear, context)).not.toBe(sealed);
});

test('a value that was moved to another context does not open', () => {
  const sealer = createSealer([key('k1', 1)], random);
  const anywhere = fc.array(fc.constantFrom('acc_a', 'acc_b', 'acc', '_a', 'e1', 'secret', 'delivery-header', ''), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(clearText, anywhere, anywhere, (clear, from, to) => {
      fc.pre(JSON.stringify(from) !== JSON.stringify(to));
      expect(() => sealer.open(sealer.seal(clear, from), to)).toThrow(Error);
    }),
    runs,
  );
});

test('a changed text does not open', () => {
  const sealer = createSealer([key('k1', 1), key('k2', 2)], random);
  const char = fc.constantFrom(...'ABCabc019+/=.v_- é');
  fc.assert(
    fc.property(clearText, fc.nat(), char, (clear, place, replacement) => {
      const sealed = sealer.seal(clear, context);
      const at = place % sealed.length;
      const changed = (sealed.slice(0, at) + replacement + sealed.slice(at + 1)) as Sealed;
      expect([undefined, clear]).toContain(opened(() => sealer.open(changed, context)));
    }),
    runs,
  );
});

test('a changed byte of nonce, ciphertext or tag is refused', () => {
  const sealer = createSealer([key('k1', 1)], random);
  fc.assert(
    fc.property(clearText, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (clear, place, flip, inNonce) => {
      const [version, id, nonce, body] = sealer.seal(clear, context).split('.') as [string, string, string, string];
      const bytes = Buffer.from(inNonce ? nonce : body, 'base64');
      const at = place % bytes.length;
      bytes[at] = (bytes[at] as number) ^ flip;
      const text = bytes.toString('base64');
      const changed = [version, id, ...(inNonce ? [text, body] : [nonce, text])].join('.') as Sealed;
      expect(() => sealer.open(changed, context)).toThrow(Error);
    }),
    runs,
  );
});

test.each([
  '',
  'v1',
  'v1.k1',
  'v1.k1..',
  'v1.k1.CQkJCQkJCQkJCQkJ.',
  'v1.k1.CQkJ.AAAAAAAAAAAAAAAAAAAAAAAA',
  'v1.k1.CQkJCQkJCQkJCQkJ.AAAA',
  'v1.k1.!!!!.????',
  'v2.k1.CQkJCQkJCQkJCQkJ.AAAAAAAAAAAAAAAAAAAAAAAA',
  'whsec_in_clear',
])('%j is refused as damaged', (text) => {
  const sealer = createSealer([key('k1', 1)], random);
  expect(() => sealer.open(text as Sealed, context)).toThrow('A sealed value was damaged in the store.');
});

describe('the key ring', () => {
  test('the first key seals, all of them open', () => {
    const before = createSealer([key('k1', 1)], random);
    const after = createSealer([key('k2', 2), key('k1', 1)], random);
    expect(after.open(before.seal('old', context), context)).toBe('old');
    expect(after.seal('new', context)).toMatch(/^v1\.k2\./);
  });

  test('a missing key is named', () => {
    const before = createSealer([key('k1', 1)], random);
    const after = createSealer([key('k2', 2)], random);
    expect(() => after.open(before.seal('old', context), context)).toThrow(
      'A value was sealed with the key "k1", which is not among sealingKeys any more.',
    );
  });

  test('another key under the same id does not open', () => {
    const before = createSealer([key('k1', 1)], random);
    expect(() => createSealer([key('k1', 2)], random).open(before.seal('x', context), context)).toThrow(Error);
  });

  test.each([
    ['no key', [], 'at least one key'],
    ['a short key', [{ id: 'k1', key: new Uint8Array(31) }], 'the key "k1" has 31 bytes; 32 are needed'],
    ['a long key', [{ id: 'k1', key: new Uint8Array(33) }], 'the key "k1" has 33 bytes; 32 are needed'],
    ['one id twice', [key('k1', 1), key('k1', 2)], 'the id "k1" is used twice'],
    ['an empty id', [key('', 1)], '1 to 32 of A-Z a-z 0-9 _ -'],
    ['an id with a dot', [key('k.1', 1)], '1 to 32 of A-Z a-z 0-9 _ -'],
    ['a long id', [key('k'.repeat(33), 1)], '1 to 32 of A-Z a-z 0-9 _ -'],
  ])('%s is a TypeError', (_name, keys, message) => {
    expect(() => createSealer(keys, random)).toThrow(TypeError);
    expect(() => createSealer(keys, random)).toThrow(message);
  });
});
