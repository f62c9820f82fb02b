import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTable } from '../../src/memory/table.ts';
import { runs } from '../support/runs.ts';

test('rows by id', () => {
  const table = createTable<string>();
  table.insert('a', 'one');
  expect(table.get('a')).toBe('one');
  expect(() => table.insert('a', 'two')).toThrow('The id exists.');
  table.replace('a', 'three');
  table.replace('b', 'none');
  expect([table.get('a'), table.get('b')]).toEqual(['three', undefined]);
  table.delete('a');
  expect(table.get('a')).toBeUndefined();
});

test('pages hold each matching row once, in order of insertion, even if rows are deleted meanwhile', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.uniqueArray(fc.nat({ max: 39 }), { maxLength: 10 }),
      (rows, limit, gone) => {
        const table = createTable<{ readonly index: number; readonly mine: boolean }>();
        for (const [index, mine] of rows.entries()) table.insert(String(index), { index, mine });
        const seen: number[] = [];
        const deleted = new Set<number>();
        for (let after: string | undefined, page = 0; ; page++) {
          const { items, next } = table.page(({ mine }) => mine, { limit, ...(after === undefined ? {} : { after }) });
          seen.push(...items.map(({ index }) => index));
          expect(items.length).toBeLessThanOrEqual(limit);
          if (next === undefined) break;
          expect(items.length, 'no page but the last is short').toBe(limit);
          after = next;
          // One row goes between two pages: of those to come, or the last one that was seen.
          const victim = gone[page];
          if (victim !== undefined) {
            table.delete(String(victim));
            deleted.add(victim);
          }
        }
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
        expect(new Set(seen).size).toBe(seen.length);
        const expected = rows.flatMap((mine, index) => (mine && !deleted.has(index) ? [index] : []));
        expect(seen.filter((index) => !deleted.has(index))).toEqual(expected);
      },
    ),
    runs,
  );
});

test('a row that is replaced keeps its place', () => {
  const table = createTable<string>();
  for (const id of ['a', 'b', 'c']) table.insert(id, id);
  table.replace('b', 'B');
  table.replace('a', 'A');
  const first = table.page(() => true, { limit: 2 });
  expect(first.items).toEqual(['A', 'B']);
  expect(table.page(() => true, { limit: 2, after: first.next as string }).items).toEqual(['c']);
});

test('the last page has no next, even if it is full', () => {
  const table = createTable<number>();
  for (let index = 0; index < 4; index++) table.insert(String(index), index);
  expect(table.page(() => true, { limit: 4 })).toEqual({ items: [0, 1, 2, 3] });
  expect(table.page(() => true, { limit: 2 })).toEqual({ items: [0, 1], next: '1' });
  expect(table.page(() => true, { limit: 2, after: '1' })).toEqual({ items: [2, 3] });
  expect(table.page(() => false, {})).toEqual({ items: [] });
});

test('50 rows by default, and at most 100', () => {
  const table = createTable<number>();
  for (let index = 0; index < 150; index++) table.insert(String(index), index);
  expect(table.page(() => true, {}).items).toHaveLength(50);
  expect(table.page(() => true, { limit: 1_000 }).items).toHaveLength(100);
});
