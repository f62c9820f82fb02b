import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAccountCursor } from '../../src/deliveries/account-cursor.ts';
import type { ShardRange } from '../../src/deliveries/delivery-store.ts';
import { runs } from '../support/runs.ts';

interface Row {
  readonly shard: number;
  readonly accountId: string;
}
const byAccount = (a: Row, b: Row): number =>
  a.shard - b.shard || (a.accountId < b.accountId ? -1 : a.accountId > b.accountId ? 1 : 0);

/** What a store answers: the ranges in order, in each the accounts in order. */
const read = (rows: readonly Row[], ranges: readonly ShardRange[], limit: number): readonly Row[] =>
  ranges
    .flatMap(({ shard, after = '' }) =>
      rows.filter((row) => row.shard === shard && row.accountId > after).toSorted(byAccount),
    )
    .slice(0, limit);

test('from the first account, in the order of the shards', () => {
  expect(createAccountCursor().ranges([5, 1, 3])).toEqual([{ shard: 1 }, { shard: 3 }, { shard: 5 }]);
});

test('after a full page from the account where it ended, and around', () => {
  const cursor = createAccountCursor();
  cursor.ranges([1, 3, 5]);
  expect(cursor.note([{ shard: 3, accountId: 'b' }], true)).toBe(true);
  expect(cursor.ranges([5, 1, 3])).toEqual([{ shard: 3, after: 'b' }, { shard: 5 }, { shard: 1 }]);
});

test('a shard that was given back is read no more', () => {
  const cursor = createAccountCursor();
  cursor.note([{ shard: 3, accountId: 'b' }], true);
  expect(cursor.ranges([1, 5])).toEqual([{ shard: 5 }, { shard: 1 }]);
});

test('a page that is not full ends the round; one that began midway has passed by what came before', () => {
  const cursor = createAccountCursor();
  cursor.ranges([1]);
  expect(cursor.note([{ shard: 1, accountId: 'a' }], false)).toBe(false);
  cursor.ranges([1]);
  cursor.note([{ shard: 1, accountId: 'm' }], true);
  cursor.ranges([1]);
  expect(cursor.note([], false)).toBe(true);
  expect(cursor.ranges([1])).toEqual([{ shard: 1 }]);
  expect(cursor.note([], false)).toBe(false);
});

test('an account with very many rows takes one page of each round', () => {
  const cursor = createAccountCursor();
  const left: Row[] = [
    ...Array.from({ length: 1_000 }, () => ({ shard: 1, accountId: 'huge' })),
    { shard: 1, accountId: 'small' },
    { shard: 2, accountId: 'other' },
    { shard: 1, accountId: 'before' },
  ];
  const pages: string[] = [];
  for (let page = 0; page < 4; page++) {
    const rows = read(left, cursor.ranges([1, 2]), 10);
    for (const row of rows) left.splice(left.indexOf(row), 1);
    cursor.note(rows, rows.length === 10);
    pages.push([...new Set(rows.map(({ accountId }) => accountId))].join(' '));
  }
  expect(pages).toEqual(['before huge', 'small other', 'huge', '']);
});

test('for any rows all are read, if the next page is asked for while it says that rows may be left', () => {
  const row = fc.record({ shard: fc.nat({ max: 3 }), accountId: fc.constantFrom('a', 'b', 'c', 'd') });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (rows, limit) => {
      const cursor = createAccountCursor();
      const left = [...rows];
      for (let pages = 0, isLeft = true; isLeft; pages++) {
        const page = read(left, cursor.ranges([0, 1, 2, 3]), limit);
        for (const each of page) left.splice(left.indexOf(each), 1);
        isLeft = cursor.note(page, page.length === limit);
        expect(pages).toBeLessThan(100);
      }
      expect(left).toEqual([]);
    }),
    runs,
  );
});
