import type { ClientNews } from '@partnerkit/core';
import { memoryClientNews } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import { type ClientNewsFixture, clientNewsContract } from '../../src/index.ts';
import { type Double, findsEveryFault, meanwhile } from './doubles.ts';

/** Each loss begins another life, whose marks are not those of the one before. */
const memoryFixture = async (): Promise<ClientNewsFixture> => {
  let life = 0;
  let news = memoryClientNews();
  const since: ClientNews['since'] = async (mark) => {
    const [of, own] = mark?.split(' ') ?? [];
    const answer = await news.since(of === String(life) ? own : undefined);
    return { ...answer, mark: `${life} ${answer.mark}` };
  };
  const lose = async (): Promise<void> => {
    life++;
    news = memoryClientNews();
  };
  return { news: { tell: (subject) => news.tell(subject), since }, lose };
};

/** What happens at once is mixed, as it is over a network. */
const slowFixture = async (): Promise<ClientNewsFixture> => {
  const { news, lose } = await memoryFixture();
  const slow =
    <A extends readonly unknown[], T>(call: (...values: A) => Promise<T>) =>
    async (...values: A): Promise<T> => {
      await meanwhile();
      const answer = await call(...values);
      await meanwhile();
      return answer;
    };
  return { news: { tell: slow(news.tell), since: slow(news.since) }, lose };
};

describe('memory', () => {
  clientNewsContract({ test, create: memoryFixture });
});

describe('memory as slow as a network', () => {
  clientNewsContract({ test, create: slowFixture });
});

const broken = (
  how: string,
  breaks: Double<ClientNewsFixture>['breaks'],
  change: (news: ClientNews) => Partial<ClientNews>,
): Double<ClientNewsFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, news: { ...fixture.news, ...change(fixture.news) } }),
});

/** Answers with the subjects changed. */
const answering = (
  { since }: ClientNews,
  change: (subjects: readonly string[] | undefined, mark: string | undefined) => readonly string[] | undefined,
): Partial<ClientNews> => ({
  since: async (mark) => {
    const answer = await since(mark);
    return { ...answer, subjects: change(answer.subjects, mark) };
  },
});

const doubles: readonly Double<ClientNewsFixture>[] = [
  broken(
    'what one has heard the others do not hear',
    ['what was told is heard by each that asks', 'an answer that did not arrive is given again'],
    (news) => {
      const taken = new Set<string>();
      return answering(news, (subjects) =>
        subjects?.filter((subject) => !taken.has(subject) && taken.add(subject).size > 0),
      );
    },
  ),
  broken(
    'all that was ever told is heard each time',
    ['what was told before a mark is not heard again'],
    ({ tell, since }) => {
      const all: string[] = [];
      return {
        tell: async (subject) => {
          all.push(subject);
          await tell(subject);
        },
        since: async (mark) => {
          const answer = await since(mark);
          return { ...answer, subjects: answer.subjects && [...all] };
        },
      };
    },
  ),
  broken('who has no mark is told that nothing happened', ['who has no mark knows nothing of what was told'], (news) =>
    answering(news, (subjects, mark) => (mark === undefined ? [] : subjects)),
  ),
  broken(
    'one tells at a time, and who comes meanwhile is not heard',
    ['of many that tell at once all are heard'],
    (news) => {
      let telling = false;
      return {
        tell: async (subject) => {
          if (telling) return;
          telling = true;
          await news.tell(subject);
          await meanwhile();
          telling = false;
        },
      };
    },
  ),
  broken('what is told is heard some time later', ['what was told is heard by each that asks'], ({ tell }) => ({
    tell: async (subject) => {
      void meanwhile().then(() => tell(subject));
    },
  })),
  broken('the news are read, and then the mark', ['who asks while others tell misses nothing'], ({ since }) => ({
    since: async (mark) => {
      const { subjects } = await since(mark);
      await meanwhile();
      return { subjects, mark: (await since(undefined)).mark };
    },
  })),
  broken(
    'subjects are compared without regard to case',
    ['a subject is told from every other by each of its bytes'],
    ({ tell }) => ({ tell: (subject) => tell(subject.toLowerCase()) }),
  ),
  broken('only the last thousand are heard', ['too much to keep is said to be missing, and then it goes on'], () => {
    const roomy = memoryClientNews({ most: 10_000 });
    return { tell: roomy.tell, ...answering(roomy, (subjects) => subjects?.slice(-1_000)) };
  }),
  broken('what was lost is kept silent', ['what was lost is said to be missing, and then it goes on'], (news) =>
    answering(news, (subjects, mark) => (mark === undefined ? subjects : (subjects ?? []))),
  ),
  broken('every mark is believed', ['a mark that was never given is not known'], (news) =>
    answering(news, (subjects, mark) => subjects ?? (mark === 'never given' ? [] : undefined)),
  ),
];

findsEveryFault(clientNewsContract, memoryFixture, doubles);
