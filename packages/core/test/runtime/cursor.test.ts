import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePage, openPage } from '../../src/runtime/cursor.ts';
import { runs } from '../support/runs.ts';

const refused = { code: 'invalid_cursor' };

test('a cursor leads back to where the page ended, in its own list alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.json()), fc.array(fc.json()), (place, scope, other) => {
      const { next } = closePage(scope, { items: [], next: place });
      expect(openPage(scope, { after: next as string, limit: 7 })._unsafeUnwrap()).toEqual({ after: place, limit: 7 });
      if (JSON.stringify(scope) !== JSON.stringify(other))
        expect(openPage(other, { after: next as string })._unsafeUnwrapErr()).toEqual(refused);
    }),
    runs,
  );
});

test('what was tampered with, or never was a cursor, is refused', () => {
  const next = closePage(['list', 'acc_a'], { items: [], next: '0190-a' }).next as string;
  for (let index = 0; index < next.length; index++) {
    const changed = next[index] === '0' ? '1' : '0';
    const after = next.slice(0, index) + changed + next.slice(index + 1);
    expect(openPage(['list', 'acc_a'], { after })._unsafeUnwrapErr()).toEqual(refused);
  }
  for (const after of ['', 'x', '0', next.slice(1), `${next} `, null as unknown as string, 7 as unknown as string])
    expect(openPage(['list', 'acc_a'], { after })._unsafeUnwrapErr()).toEqual(refused);
});

test('a first page has no cursor, a last page hands none out', () => {
  expect(openPage(['list'], { limit: 3, newestFirst: true })._unsafeUnwrap()).toEqual({ limit: 3, newestFirst: true });
  expect(closePage(['list'], { items: [1] })).toEqual({ items: [1] });
});
