import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientChangeFeed } from '@partnerkit/core/adapter';
import { type Cases, type ContractOptions, type Fixture, runCases } from '../support/contract.ts';
import { race } from '../support/racers.ts';

/**
 * A change feed without changes, and a way to lose its data.
 * @public
 */
export interface ClientChangeFeedFixture extends Fixture {
  /** The change feed under test. */
  readonly changeFeed: ClientChangeFeed;
  /** Deletes all its data, as a failure of its store would. */
  lose(): Promise<void>;
}

const begin = async (changeFeed: ClientChangeFeed): Promise<string> =>
  (await changeFeed.changesSince(undefined)).cursor;

/** Asserts that exactly these changes are read, and resolves to the next cursor. */
const expectChanges = async (
  changeFeed: ClientChangeFeed,
  cursor: string,
  expected: readonly string[],
): Promise<string> => {
  const { cursor: next, subjects } = await changeFeed.changesSince(cursor);
  ok(subjects, 'something is said to be missing');
  deepStrictEqual([...new Set(subjects)].toSorted(), expected.toSorted());
  return next;
};
const expectMissing = async (changeFeed: ClientChangeFeed, cursor: string | undefined): Promise<string> => {
  const { cursor: next, subjects } = await changeFeed.changesSince(cursor);
  strictEqual(subjects, undefined);
  return next;
};

const cases: Cases<ClientChangeFeedFixture> = {
  'every reader gets every announced change': async ({ changeFeed }) => {
    const cursors = await Promise.all([begin(changeFeed), begin(changeFeed)]);
    await changeFeed.announce('a');
    await changeFeed.announce('b');
    await changeFeed.announce('a');
    for (const cursor of cursors) await expectChanges(changeFeed, cursor, ['a', 'b']);
  },
  'a reader gets only changes after its cursor': async ({ changeFeed }) => {
    await changeFeed.announce('before');
    let cursor = await begin(changeFeed);
    cursor = await expectChanges(changeFeed, cursor, []);
    await changeFeed.announce('a');
    cursor = await expectChanges(changeFeed, cursor, ['a']);
    cursor = await expectChanges(changeFeed, cursor, []);
    await changeFeed.announce('b');
    await expectChanges(changeFeed, cursor, ['b']);
  },
  'a read with the same cursor returns the same changes': async ({ changeFeed }) => {
    const cursor = await begin(changeFeed);
    await changeFeed.announce('a');
    await expectChanges(changeFeed, cursor, ['a']);
    await changeFeed.announce('b');
    await expectChanges(changeFeed, cursor, ['a', 'b']);
  },
  'a first read returns a cursor and no changes': async ({ changeFeed }) => {
    await expectMissing(changeFeed, undefined);
    await changeFeed.announce('a');
    await expectMissing(changeFeed, undefined);
  },
  'concurrent announcements are all read': async ({ changeFeed }) => {
    const cursor = await begin(changeFeed);
    const subjects = await race(async (index) => {
      await changeFeed.announce(`s${index}`);
      return `s${index}`;
    });
    await expectChanges(changeFeed, cursor, subjects);
  },
  'a reader misses no announcement made during its reads': async ({ changeFeed }) => {
    let cursor = await begin(changeFeed);
    const expected = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const found: string[] = [];
    const listen = async (): Promise<void> => {
      const answer = await changeFeed.changesSince(cursor);
      ok(answer.subjects, 'something is said to be missing');
      found.push(...answer.subjects);
      cursor = answer.cursor;
    };
    let isAnnouncing = true;
    const announced = race(async (index) => {
      for (let next = index; next < expected.length; next += 20) await changeFeed.announce(`s${next}`);
    }).then(() => {
      isAnnouncing = false;
    });
    while (isAnnouncing) {
      await listen();
      await nextTurn();
    }
    await announced;
    await listen();
    deepStrictEqual([...new Set(found)].toSorted(), expected.toSorted());
  },
  'subjects that differ in one byte are different': async ({ changeFeed }) => {
    const long = 'x'.repeat(300);
    const subjects = [
      'a',
      'A',
      'a ',
      ' a',
      'á',
      'a\u0301',
      'a:b',
      'a b',
      '1',
      '🏡',
      '🏠',
      '"a"',
      `${long}1`,
      `${long}2`,
    ];
    const cursor = await begin(changeFeed);
    for (const subject of subjects) await changeFeed.announce(subject);
    await expectChanges(changeFeed, cursor, subjects);
  },
  'an overflow is reported as a gap, and later changes are read': async ({ changeFeed }) => {
    const cursor = await begin(changeFeed);
    const subjects = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
    await Promise.all(subjects.map((subject) => changeFeed.announce(subject)));
    const { cursor: next, subjects: found } = await changeFeed.changesSince(cursor);
    if (found) deepStrictEqual([...new Set(found)].toSorted(), subjects.toSorted());
    await changeFeed.announce('a');
    await expectChanges(changeFeed, next, ['a']);
  },
  'lost data is reported as a gap, and later changes are read': async ({ changeFeed, lose }) => {
    const cursor = await begin(changeFeed);
    await changeFeed.announce('a');
    const behind = await expectChanges(changeFeed, cursor, ['a']);
    await changeFeed.announce('b');
    await lose();
    await expectMissing(changeFeed, cursor);
    await expectMissing(changeFeed, behind);
    await changeFeed.announce('c');
    await expectMissing(changeFeed, behind);
    const next = await begin(changeFeed);
    await changeFeed.announce('d');
    await expectChanges(changeFeed, next, ['d']);
  },
  'an unknown cursor is reported as a gap': async ({ changeFeed }) => {
    await changeFeed.announce('a');
    for (const cursor of ['', '0', 'a', '1-1', 'never given']) await expectMissing(changeFeed, cursor);
  },
};

/**
 * Tests the obligations of a `ClientChangeFeed`.
 * @example
 * const create = async (): Promise<ClientChangeFeedFixture> => {
 *   let lost = 0;
 *   let changeFeed = memoryClientChangeFeed();
 *   const lose = async () => {
 *     lost++;
 *     changeFeed = memoryClientChangeFeed();
 *   };
 *   const changesSince: ClientChangeFeed['changesSince'] = async (cursor) => {
 *     const [life, own] = cursor?.split(' ') ?? [];
 *     const answer = await changeFeed.changesSince(life === String(lost) ? own : undefined);
 *     return { ...answer, cursor: `${lost} ${answer.cursor}` };
 *   };
 *   return { changeFeed: { announce: (subject) => changeFeed.announce(subject), changesSince }, lose };
 * };
 * clientChangeFeedContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const clientChangeFeedContract = (options: ContractOptions<ClientChangeFeedFixture>): void =>
  runCases(cases, options);
