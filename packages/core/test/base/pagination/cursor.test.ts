import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/base/pagination/cursor.ts';
import { runs } from '../../support/runs.ts';

const refused = { code: 'invalid_cursor' };

test('a cursor continues where the page ended, in its own list only', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.json()), fc.array(fc.json()), (place, scope, other) => {
      const { next } = encodeCursor(scope, { items: [], next: place });
      expect(decodeCursor(scope, { after: next as string, limit: 7 })._unsafeUnwrap()).toEqual({
        after: place,
        limit: 7,
      });
      if (JSON.stringify(scope) !== JSON.stringify(other))
        expect(decodeCursor(other, { after: next as string })._unsafeUnwrapErr()).toMatchObject(refused);
    }),
    runs,
  );
});

test('a changed or invented cursor is refused', () => {
  const next = encodeCursor(['list', 'acc_a'], { items: [], next: '0190-a' }).next as string;
  for (let index = 0; index < next.length; index++) {
    const changed = next[index] === '0' ? '1' : '0';
    const after = next.slice(0, index) + changed + next.slice(index + 1);
    expect(decodeCursor(['list', 'acc_a'], { after })._unsafeUnwrapErr()).toMatchObject(refused);
  }
  for (const after of ['', 'x', '0', next.slice(1), `${next} `, null as unknown as string, 7 as unknown as string])
    expect(decodeCursor(['list', 'acc_a'], { after })._unsafeUnwrapErr()).toMatchObject(refused);
});

test('a first page needs no cursor, and a last page returns none', () => {
  expect(decodeCursor(['list'], { limit: 3, newestFirst: true })._unsafeUnwrap()).toEqual({
    limit: 3,
    newestFirst: true,
  });
  expect(encodeCursor(['list'], { items: [1] })).toEqual({ items: [1] });
});
