import type { ClientChangeFeed } from '@partnerkit/core/adapter';
import { memoryClientChangeFeed } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import { type ClientChangeFeedFixture, clientChangeFeedContract } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';

/** Each loss begins another life, whose marks are not those of the one before. */
const memoryFixture = async (): Promise<ClientChangeFeedFixture> => {
  let life = 0;
  let changeFeed = memoryClientChangeFeed();
  const changesSince: ClientChangeFeed['changesSince'] = async (mark) => {
    const [of, own] = mark?.split(' ') ?? [];
    const answer = await changeFeed.changesSince(of === String(life) ? own : undefined);
    return { ...answer, cursor: `${life} ${answer.cursor}` };
  };
  const lose = async (): Promise<void> => {
    life++;
    changeFeed = memoryClientChangeFeed();
  };
  return { changeFeed: { announce: (subject) => changeFeed.announce(subject), changesSince }, lose };
};

/** What happens at once is mixed, as it is over a network. */
const slowFixture = async (): Promise<ClientChangeFeedFixture> => {
  const { changeFeed, lose } = await memoryFixture();
  const slow =
    <A extends readonly unknown[], T>(call: (...values: A) => Promise<T>) =>
    async (...values: A): Promise<T> => {
      await meanwhile();
      const answer = await call(...values);
      await meanwhile();
      return answer;
    };
  return { changeFeed: { announce: slow(changeFeed.announce), changesSince: slow(changeFeed.changesSince) }, lose };
};

describe('memory', () => {
  clientChangeFeedContract({ test, create: memoryFixture });
});

describe('memory as slow as a network', () => {
  clientChangeFeedContract({ test, create: slowFixture });
});

const broken = (
  how: string,
  breaks: Double<ClientChangeFeedFixture>['breaks'],
  change: (changeFeed: ClientChangeFeed) => Partial<ClientChangeFeed>,
): Double<ClientChangeFeedFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, changeFeed: { ...fixture.changeFeed, ...change(fixture.changeFeed) } }),
});

/** Answers with the subjects changed. */
const answering = (
  { changesSince }: ClientChangeFeed,
  change: (subjects: readonly string[] | undefined, mark: string | undefined) => readonly string[] | undefined,
): Partial<ClientChangeFeed> => ({
  changesSince: async (mark) => {
    const answer = await changesSince(mark);
    return { ...answer, subjects: change(answer.subjects, mark) };
  },
});

const doubles: readonly Double<ClientChangeFeedFixture>[] = [
  broken(
    'a change is returned to one reader only',
    ['every reader gets every announced change', 'a read with the same cursor returns the same changes'],
    (changeFeed) => {
      const taken = new Set<string>();
      return answering(changeFeed, (subjects) =>
        subjects?.filter((subject) => !taken.has(subject) && taken.add(subject).size > 0),
      );
    },
  ),
  broken(
    'every read returns all changes',
    ['a reader gets only changes after its cursor'],
    ({ announce, changesSince }) => {
      const all: string[] = [];
      return {
        announce: async (subject) => {
          all.push(subject);
          await announce(subject);
        },
        changesSince: async (mark) => {
          const answer = await changesSince(mark);
          return { ...answer, subjects: answer.subjects && [...all] };
        },
      };
    },
  ),
  broken(
    'a first read returns an empty list of changes',
    ['a first read returns a cursor and no changes'],
    (changeFeed) => answering(changeFeed, (subjects, mark) => (mark === undefined ? [] : subjects)),
  ),
  broken('announcements during another one are lost', ['concurrent announcements are all read'], (changeFeed) => {
    let isAnnouncing = false;
    return {
      announce: async (subject) => {
        if (isAnnouncing) return;
        isAnnouncing = true;
        await changeFeed.announce(subject);
        await meanwhile();
        isAnnouncing = false;
      },
    };
  }),
  broken('announcements are visible late', ['every reader gets every announced change'], ({ announce }) => ({
    announce: async (subject) => {
      void meanwhile().then(() => announce(subject));
    },
  })),
  broken(
    'the change feed are read, and then the mark',
    ['a reader misses no announcement made during its reads'],
    ({ changesSince }) => ({
      changesSince: async (mark) => {
        const { subjects } = await changesSince(mark);
        await meanwhile();
        return { subjects, cursor: (await changesSince(undefined)).cursor };
      },
    }),
  ),
  broken(
    'subjects are compared without regard to case',
    ['subjects that differ in one byte are different'],
    ({ announce }) => ({ announce: (subject) => announce(subject.toLowerCase()) }),
  ),
  broken(
    'only the last thousand changes are returned',
    ['an overflow is reported as a gap, and later changes are read'],
    () => {
      const roomy = memoryClientChangeFeed({ maxAnnounced: 10_000 });
      return { announce: roomy.announce, ...answering(roomy, (subjects) => subjects?.slice(-1_000)) };
    },
  ),
  broken('what was lost is kept silent', ['lost data is reported as a gap, and later changes are read'], (changeFeed) =>
    answering(changeFeed, (subjects, mark) => (mark === undefined ? subjects : (subjects ?? []))),
  ),
  broken('every cursor is believed', ['an unknown cursor is reported as a gap'], (changeFeed) =>
    answering(changeFeed, (subjects, mark) => subjects ?? (mark === 'never given' ? [] : undefined)),
  ),
];

findsEveryFault(clientChangeFeedContract, memoryFixture, doubles);
