import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestSecret, mintSecret, noDigest, secretIdOf } from '../../../src/access/clients/secret.ts';
import { systemRandom } from '../../../src/base/runtime/system.ts';
import { fixedRandom, seededRandom } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';

const prefix = fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 1, maxLength: 16 });

test('golden: prefix, id, entropy and checksum', () => {
  const { id, secret } = mintSecret('pks', fixedRandom(0));
  expect(id).toBe('000000000000');
  expect(secret).toBe('pks_000000000000_00000000000000000000000000000000000000000001Cjqkk');
  expect(digestSecret(secret)).toBe('36a94c947534cf35e6ba21b5ecf8b3c5243dc008dc38be8d05718a0866a8168a');
});

test('a secret has one form and is recognised by it', () => {
  fc.assert(
    fc.property(prefix, fc.integer(), (word, seed) => {
      const { id, secret } = mintSecret(word, seededRandom(seed));
      expect(secret).toMatch(new RegExp(`^${word}_${id}_[A-Za-z0-9]{49}$`));
      expect(secretIdOf(secret)).toBe(id);
      expect(digestSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
      expect(digestSecret(secret)).not.toBe(noDigest);
    }),
    runs,
  );
});

test('every typing error is detected: a character changed, lost, doubled or swapped', () => {
  const { secret } = mintSecret('pks', seededRandom());
  const char = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- é');
  fc.assert(
    fc.property(fc.nat({ max: secret.length - 2 }), char, (at, other) => {
      const [before, here, next, after] = [secret.slice(0, at), secret[at], secret[at + 1], secret.slice(at + 2)];
      const errors = [
        before + other + next + after,
        before + next + after,
        before + here + here + next + after,
        before + next + here + after,
        before + here + other + next + after,
      ];
      for (const wrong of errors) if (wrong !== secret) expect(secretIdOf(wrong), wrong).toBeUndefined();
    }),
    runs,
  );
});

describe('secretIdOf', () => {
  const { secret } = mintSecret('pks', seededRandom());
  test.each([
    '',
    'wrong',
    ` ${secret}`,
    `${secret}\n`,
    secret.toUpperCase(),
    secret.replace('pks_', ''),
    secret.replace('pks_', '_'),
    `${'x'.repeat(17)}${secret.slice(3)}`,
    `pks${secret}`,
    secret.replaceAll('_', '-'),
    'pks_000000000000_0000000000000000000000000000000000000000000000000',
  ])('%j has none', (text) => {
    expect(secretIdOf(text)).toBeUndefined();
  });

  test('returns an id or undefined for any text, in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '0', '_'), maxLength: 200 }), (text) => {
        expect(secretIdOf(text)).toBeUndefined();
      }),
      runs,
    );
    expect(secretIdOf('a'.repeat(1_000_000))).toBeUndefined();
  });
});

test('1,000 random secrets have 1,000 different ids and values', () => {
  const minted = Array.from({ length: 1_000 }, () => mintSecret('pks', systemRandom));
  expect(new Set(minted.map(({ id }) => id)).size).toBe(1_000);
  expect(new Set(minted.map(({ secret }) => secret.slice(17))).size).toBe(1_000);
});
