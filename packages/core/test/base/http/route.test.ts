import { expect, test } from 'vitest';
import { singleHeader } from '../../../src/base/http/route.ts';

test.each([
  [undefined, undefined],
  ['a', 'a'],
  ['', ''],
  [['a'], 'a'],
  [['a', 'a'], undefined],
  [[], undefined],
])('the only value of %j is %j', (value, single) => {
  expect(singleHeader({ name: value }, 'name')).toBe(single);
  expect(singleHeader({ name: value }, 'other')).toBeUndefined();
});
