import { expect, test } from 'vitest';
import { objectHash } from '../../../src/webhooks/shards/object-hash.ts';

test('the hash is 7 bytes of SHA-256 over account and object, then the shard of the account', () => {
  // printf 'acc_ours\npay_1' | sha256sum; acc_ours is in shard 12.
  expect(objectHash('acc_ours', 'pay_1')).toBe('3cdc9b404b53e60c');
});

test('objects of accounts in other shards have other hashes', () => {
  const hashes = ['acc_ours', 'acc_theirs', 'acc_child'].map((accountId) => objectHash(accountId, 'pay_1').slice(-2));
  expect(hashes).toEqual(['0c', '16', '0f']);
});

test('golden: two objects that share a hash', () => {
  expect(objectHash('acc_ours', '5246ca52495bcf')).toBe(objectHash('acc_ours', '14948670721cc0'));
});
