import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShardRange } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import { createAccountCursor } from '../../../../src/webhooks/worker/memory/account-cursor.ts';
import { runs } from '../../../support/runs.ts';

interface Row {
  readonly shard: number;
  readonly accountId: string;
}
const byAccount = (a: Row, b: Row): number =>
  a.shard - b.shard || (a.accountId < b.accountId ? -1 : a.accountId > b.accountId ? 1 : 0);

/** What a store answers: the ranges in order, in each the accounts in order. */
const read = (rows: readonly Row[], ranges: readonly ShardRange[], limit: number): readonly Row[] =>
  ranges
    .flatMap(({ shard, after = '', before = '\uffff' }) =>
      rows.filter((row) => row.shard === shard && row.accountId > after && row.accountId < before).toSorted(byAccount),
    )
    .slice(0, limit);

test('from the first account, in the order of the shards', () => {
  const cursor = createAccountCursor();
  const first = [{ shard: 1 }, { shard: 3 }, { shard: 5 }];
  expect([cursor.onward([5, 1, 3]), cursor.around([5, 1, 3])]).toEqual([first, first]);
});

test('after a full page from the account where it ended: to the end, or around to the account itself', () => {
  const cursor = createAccountCursor();
  cursor.note([{ shard: 3, accountId: 'b' }], true);
  const onward = [{ shard: 3, after: 'b' }, { shard: 5 }];
  expect(cursor.onward([5, 1, 3])).toEqual(onward);
  const around = cursor.around([5, 1, 3]);
  expect(around.slice(0, 3)).toEqual([...onward, { shard: 1 }]);
  const rows = ['a', 'b', 'b', 'ba', 'c'].map((accountId) => ({ shard: 3, accountId }));
  expect(read(rows, around, 10).map(({ accountId }) => accountId)).toEqual(['ba', 'c', 'a', 'b', 'b']);
});

test('a page that is not full ends the round', () => {
  const cursor = createAccountCursor();
  cursor.note([{ shard: 3, accountId: 'b' }], true);
  cursor.note([{ shard: 3, accountId: 'c' }], false);
  expect(cursor.around([3])).toEqual([{ shard: 3 }]);
});

test('a released shard is not read', () => {
  const cursor = createAccountCursor();
  cursor.note([{ shard: 3, accountId: 'b' }], true);
  expect(cursor.onward([1, 5])).toEqual([{ shard: 5 }]);
  expect(cursor.around([1, 5])).toEqual([{ shard: 5 }, { shard: 1 }]);
});

const row: fc.Arbitrary<Row> = fc.record({ shard: fc.nat({ max: 3 }), accountId: fc.constantFrom('a', 'b', 'c', 'd') });
const all = [0, 1, 2, 3];

test('around, a page that is not full holds all there is, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), row, (rows, last) => {
      const cursor = createAccountCursor();
      cursor.note([last], true);
      expect(read(rows, cursor.around(all), 100).toSorted(byAccount)).toEqual(rows.toSorted(byAccount));
    }),
    runs,
  );
});

test('around, an account with very many rows takes one page before all others have had theirs', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), row, (rows, huge) => {
      const cursor = createAccountCursor();
      const left = [...Array.from({ length: 200 }, () => huge), ...rows];
      for (let page = 0; page < 12; page++) {
        const found = read(left, cursor.around(all), 10);
        for (const each of found) left.splice(left.indexOf(each), 1);
        cursor.note(found, found.length === 10);
      }
      const others = left.filter((each) => byAccount(each, huge) !== 0);
      expect([others, left.length]).toEqual([[], 80 + rows.length]);
    }),
    runs,
  );
});

test('onward, a round passes by every account once and ends, even if no row goes', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (rows, limit) => {
      const cursor = createAccountCursor();
      const seen = new Set<string>();
      for (let pages = 0, isFull = true; isFull; pages++) {
        const page = read(rows, cursor.onward(all), limit);
        for (const { shard, accountId } of page) seen.add(`${shard} ${accountId}`);
        isFull = page.length === limit;
        cursor.note(page, isFull);
        expect(pages).toBeLessThanOrEqual(rows.length + 1);
      }
      expect(seen).toEqual(new Set(rows.map(({ shard, accountId }) => `${shard} ${accountId}`)));
    }),
    runs,
  );
});
