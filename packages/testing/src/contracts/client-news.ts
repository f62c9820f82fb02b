import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientNews } from '@partnerkit/core';
import { type Cases, type ContractOptions, type Fixture, runCases } from './contract.ts';
import { race } from './racers.ts';

/**
 * News of which nothing was told yet, and a hand on what can happen to them.
 * @public
 */
export interface ClientNewsFixture extends Fixture {
  readonly news: ClientNews;
  /** Has them lose all that they hold, as their store would. */
  lose(): Promise<void>;
}

const begin = async (news: ClientNews): Promise<string> => (await news.since(undefined)).mark;

/** Asserts that exactly these are heard, and resolves to the next mark. */
const heard = async (news: ClientNews, mark: string, expected: readonly string[]): Promise<string> => {
  const { mark: next, subjects } = await news.since(mark);
  ok(subjects, 'something is said to be missing');
  deepStrictEqual([...new Set(subjects)].toSorted(), expected.toSorted());
  return next;
};
const missing = async (news: ClientNews, mark: string | undefined): Promise<string> => {
  const { mark: next, subjects } = await news.since(mark);
  strictEqual(subjects, undefined);
  return next;
};

const cases: Cases<ClientNewsFixture> = {
  'what was told is heard by each that asks': async ({ news }) => {
    const marks = await Promise.all([begin(news), begin(news)]);
    await news.tell('a');
    await news.tell('b');
    await news.tell('a');
    for (const mark of marks) await heard(news, mark, ['a', 'b']);
  },
  'what was told before a mark is not heard again': async ({ news }) => {
    await news.tell('before');
    let mark = await begin(news);
    mark = await heard(news, mark, []);
    await news.tell('a');
    mark = await heard(news, mark, ['a']);
    mark = await heard(news, mark, []);
    await news.tell('b');
    await heard(news, mark, ['b']);
  },
  'an answer that did not arrive is given again': async ({ news }) => {
    const mark = await begin(news);
    await news.tell('a');
    await heard(news, mark, ['a']);
    await news.tell('b');
    await heard(news, mark, ['a', 'b']);
  },
  'who has no mark knows nothing of what was told': async ({ news }) => {
    await missing(news, undefined);
    await news.tell('a');
    await missing(news, undefined);
  },
  'of many that tell at once all are heard': async ({ news }) => {
    const mark = await begin(news);
    const subjects = await race(async (index) => {
      await news.tell(`s${index}`);
      return `s${index}`;
    });
    await heard(news, mark, subjects);
  },
  'who asks while others tell misses nothing': async ({ news }) => {
    let mark = await begin(news);
    const expected = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const found: string[] = [];
    const listen = async (): Promise<void> => {
      const answer = await news.since(mark);
      ok(answer.subjects, 'something is said to be missing');
      found.push(...answer.subjects);
      mark = answer.mark;
    };
    let telling = true;
    const told = race(async (index) => {
      for (let next = index; next < expected.length; next += 20) await news.tell(`s${next}`);
    }).then(() => {
      telling = false;
    });
    while (telling) {
      await listen();
      await turn();
    }
    await told;
    await listen();
    deepStrictEqual([...new Set(found)].toSorted(), expected.toSorted());
  },
  'a subject is told from every other by each of its bytes': async ({ news }) => {
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
    const mark = await begin(news);
    for (const subject of subjects) await news.tell(subject);
    await heard(news, mark, subjects);
  },
  'too much to keep is said to be missing, and then it goes on': async ({ news }) => {
    const mark = await begin(news);
    const subjects = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
    await Promise.all(subjects.map((subject) => news.tell(subject)));
    const { mark: next, subjects: found } = await news.since(mark);
    if (found) deepStrictEqual([...new Set(found)].toSorted(), subjects.toSorted());
    await news.tell('a');
    await heard(news, next, ['a']);
  },
  'what was lost is said to be missing, and then it goes on': async ({ news, lose }) => {
    const mark = await begin(news);
    await news.tell('a');
    const behind = await heard(news, mark, ['a']);
    await news.tell('b');
    await lose();
    await missing(news, mark);
    await missing(news, behind);
    await news.tell('c');
    await missing(news, behind);
    const next = await begin(news);
    await news.tell('d');
    await heard(news, next, ['d']);
  },
  'a mark that was never given is not known': async ({ news }) => {
    await news.tell('a');
    for (const mark of ['', '0', 'a', '1-1', 'never given']) await missing(news, mark);
  },
};

/**
 * Holds a `ClientNews` to its obligations.
 * @example
 * const create = async (): Promise<ClientNewsFixture> => {
 *   let lost = 0;
 *   let news = memoryClientNews();
 *   const lose = async () => {
 *     lost++;
 *     news = memoryClientNews();
 *   };
 *   const since: ClientNews['since'] = async (mark) => {
 *     const [life, own] = mark?.split(' ') ?? [];
 *     const answer = await news.since(life === String(lost) ? own : undefined);
 *     return { ...answer, mark: `${lost} ${answer.mark}` };
 *   };
 *   return { news: { tell: (subject) => news.tell(subject), since }, lose };
 * };
 * clientNewsContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const clientNewsContract = (options: ContractOptions<ClientNewsFixture>): void => runCases(cases, options);
