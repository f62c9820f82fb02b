import { describe, expect, test } from 'vitest';
import {
  advance,
  type Checkpoints,
  judgeCursor,
  readFeedCursor,
  writeFeedCursor,
} from '../../../src/webhooks/feeds/feed-cursor.ts';
import type { FeedPart } from '../../../src/webhooks/feeds/feed-store.ts';

/** The id of entry `number` in a history of this name. */
const idOf = (number: number, history = 'a'): string =>
  `01900000-0000-7000-8000-${history.repeat(4)}${number.toString(16).padStart(8, '0')}`;

/** The cursor of a reader that has read to `number`, `step` entries at a time. */
const readTo = (number: number, step = 1): Checkpoints => {
  let cursor: Checkpoints = [{ number: 0, check: '' }];
  for (let at = step; at <= number; at += step) cursor = advance(cursor, { number: at, eventId: idOf(at) });
  return cursor;
};

/** A feed whose entries up to `common` are those of the reader; later ones, up to `last`, are others. */
const feed = (
  places: readonly number[],
  { last, common = last, pruned = 0 }: Partial<FeedPart> & { last: number; common?: number },
): FeedPart => ({
  ...{ last, pruned, now: 0, entries: [] },
  places: [...new Set([...places, ...(pruned > 0 ? [pruned] : [])])]
    .filter((number) => number >= Math.max(pruned, 1) && number <= last)
    .map((number) => ({ number, eventId: number <= common ? idOf(number) : idOf(number + 500_000) })),
});
const judged = (cursor: Checkpoints, of: { last: number; common?: number; pruned?: number }) =>
  judgeCursor(
    cursor,
    feed(
      cursor.map(({ number }) => number),
      of,
    ),
  );

describe('a cursor is good while its entry is that of the feed', () => {
  test.each([
    ['at the end', 7, { last: 7 }],
    ['before the end', 7, { last: 9 }],
    ['at the last pruned entry', 7, { last: 9, pruned: 7 }],
    ['at the begin', 0, { last: 0 }],
    ['at the begin, before entries', 0, { last: 3 }],
  ])('%s', (_name, number, of) => {
    expect(judged(readTo(number), of)).toEqual({ kind: 'good' });
  });
});

describe('a cursor has expired when entries after it were pruned', () => {
  test.each([
    ['in the feed', 7, { last: 9, pruned: 8 }],
    ['at the begin', 0, { last: 9, pruned: 1 }],
    ['at the last pruned entry, which is another one', 7, { last: 9, pruned: 7, common: 6 }],
  ])('%s', (_name, number, of) => {
    const verdict = judged(readTo(number), of);
    expect(verdict).toMatchObject({ kind: 'cursor_expired', at: [{ number: of.pruned }] });
  });
});

describe('a cursor is ahead when the store lost its entry', () => {
  test.each([
    ['and has no entry instead', { last: 90, common: 90 }],
    ['and has others instead, fewer', { last: 95, common: 90 }],
    ['and has others instead, as many', { last: 100, common: 90 }],
    ['and has others instead, more', { last: 300, common: 90 }],
  ])('%s: it goes back to an entry that both have', (_name, of) => {
    const verdict = judged(readTo(100), of);
    if (verdict.kind !== 'cursor_ahead') return expect.unreachable(verdict.kind);
    expect(verdict.at[0].number).toBeLessThanOrEqual(90);
    expect(verdict.at[0].number).toBeGreaterThan(0);
    expect(judged(verdict.at, of)).toEqual({ kind: 'good' });
  });

  test('it goes back at most 32 times what was lost, and a page', () => {
    for (const [read, step] of [
      [4_096, 1],
      [10_000, 1],
      [10_007, 1],
      [10_000, 50],
    ] as const)
      for (const lost of [1, 5, 40, 300]) {
        const verdict = judged(readTo(read, step), { last: read - lost });
        if (verdict.kind !== 'cursor_ahead') return expect.unreachable(verdict.kind);
        expect(verdict.at[0].number).toBeGreaterThanOrEqual(Math.max(read - 32 * lost - 2 * step, 0));
      }
  });

  test('without a common entry, it goes back to the oldest', () => {
    expect(judged(readTo(3), { last: 9, common: 0 })).toMatchObject({ kind: 'cursor_ahead', at: [{ number: 0 }] });
    const cursor: Checkpoints = [{ number: 9, check: '00000000' }];
    expect(judged(cursor, { last: 20, pruned: 5 })).toMatchObject({ kind: 'cursor_ahead', at: [{ number: 5 }] });
  });
});

describe('the text of a cursor', () => {
  const [account, endpoint] = ['acc_a', '01900000-0000-7000-8000-000000000001'];
  const read = (text: string, of = account, at = endpoint) => readFeedCursor(of, at, text);

  test('is read as it was written, and stays short', () => {
    for (const cursor of [readTo(0), readTo(1), readTo(70_000), readTo(70_000, 100)]) {
      const text = writeFeedCursor(account, endpoint, cursor);
      expect(read(text)._unsafeUnwrap()).toEqual(cursor);
      expect(text.length).toBeLessThan(220);
      expect(text).toMatch(/^[\w.-]+$/);
    }
  });

  test('is of one account and one endpoint', () => {
    const text = writeFeedCursor(account, endpoint, readTo(5));
    for (const other of [read(text, 'acc_b'), read(text, account, endpoint.replace('1', '2')), read(`${text}0`)])
      expect(other._unsafeUnwrapErr().code).toBe('invalid_cursor');
    for (const made of ['', '0', '5_00000000', 'x'.repeat(500)])
      expect(read(made)._unsafeUnwrapErr().code).toBe('invalid_cursor');
  });
});
