import { describe, expect, test } from 'vitest';
import { rangesWithout } from '../../../../src/webhooks/worker/memory/shard-ranges.ts';

const of = (shard: number, ...accountIds: readonly string[]) => accountIds.map((accountId) => ({ shard, accountId }));

describe('ranges without accounts', () => {
  test('leave out these accounts and no other', () => {
    expect(rangesWithout([{ shard: 1 }, { shard: 2 }], [...of(2, 'b'), ...of(1, 'd', 'c'), ...of(3, 'x')])).toEqual([
      { shard: 1, before: 'c' },
      { shard: 1, after: 'c', before: 'd' },
      { shard: 1, after: 'd' },
      { shard: 2, before: 'b' },
      { shard: 2, after: 'b' },
    ]);
  });

  test('keep the bounds of each range', () => {
    expect(rangesWithout([{ shard: 1, after: 'b', before: 'f' }], of(1, 'a', 'b', 'd', 'f', 'g'))).toEqual([
      { shard: 1, after: 'b', before: 'd' },
      { shard: 1, after: 'd', before: 'f' },
    ]);
  });

  test('order accounts by bytes, as a store does', () => {
    // U+FF5E comes before U+1F600 in UTF-8, and after it in UTF-16.
    expect(rangesWithout([{ shard: 1 }], of(1, '\u{1F600}', '\uFF5E'))).toEqual([
      { shard: 1, before: '\uFF5E' },
      { shard: 1, after: '\uFF5E', before: '\u{1F600}' },
      { shard: 1, after: '\u{1F600}' },
    ]);
  });
});
