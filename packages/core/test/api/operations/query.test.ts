import { expect, test, vi } from 'vitest';
import { pageQuery, readQuery } from '../../../src/api/operations/query.ts';

const wrongOf = (query: string) => readQuery(pageQuery(), { target: `/x?${query}` })._unsafeUnwrapErr().errors;

test('a repeated parameter is refused, whatever its values', () => {
  expect(wrongOf('limit=1&limit=1')).toEqual([{ parameter: 'limit', detail: 'repeated; give it once.' }]);
  expect(wrongOf('limit=1&after=x&limit=0')).toEqual([{ parameter: 'limit', detail: 'repeated; give it once.' }]);
});

// Each of these methods of URLSearchParams walks through the whole query.
test('a query of 15 KB is walked through once for all of its parameters', () => {
  const walks = (['get', 'getAll', 'has', 'delete'] as const).map((name) => vi.spyOn(URLSearchParams.prototype, name));
  const many = Array.from({ length: 1_900 }, (_, index) => `p${index}=`).join('&');
  expect(wrongOf(many)).toHaveLength(32);
  for (const walk of walks) expect(walk).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
