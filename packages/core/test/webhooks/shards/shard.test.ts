import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardCount, shardOf } from '../../../src/webhooks/shards/shard.ts';
import { runs } from '../../support/runs.ts';

/** Computed with another implementation of FNV-1a; those of "a" and "foobar" are its published test vectors. */
const golden: readonly (readonly [accountId: string, shard: number])[] = [
  ['', 69],
  ['a', 0xe40c292c % 128],
  ['foobar', 0xbf9cf968 % 128],
  ['acc_1', 106],
  ['acc_child', 15],
  ['café', 73],
  ['アカウント', 38],
  ['🏡', 68],
  ['01930000-0000-7000-8000-000000000000', 5],
];

test.each(golden)('golden: the shard of %j is %i', (accountId, shard) => {
  expect(shardOf(accountId)).toBe(shard);
});

test("there are 128: the number is part of every store's schema", () => {
  expect(shardCount).toBe(128);
});

test('any text has a shard', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (accountId) => {
      const shard = shardOf(accountId);
      expect(Number.isInteger(shard) && shard >= 0 && shard < shardCount).toBe(true);
      expect(shardOf(accountId)).toBe(shard);
    }),
    runs,
  );
});

test('many accounts are spread over all of them', () => {
  const counts: number[] = new Array(shardCount).fill(0);
  for (let index = 0; index < 128 * 100; index++) {
    const shard = shardOf(`acc_${index}`);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(200);
});
