import { deepStrictEqual, strictEqual } from 'node:assert';
import { type DurationMs, day, hour, minute } from '@partnerkit/core';
import type { LatestTimestamps } from '@partnerkit/core/adapter';
import { withResolvers } from '../../node-20.ts';
import {
  type Cases,
  type ContractOptions,
  concurrently,
  type Fixture,
  runCases,
  whateverTheClocks,
} from '../support/contract.ts';
import { race, soon } from '../support/racers.ts';
import { type StoreTime, slack } from '../support/store-time.ts';

/**
 * Empty `LatestTimestamps`, with transactions of the host and control over their time.
 * @public
 */
export interface LatestTimestampsFixture<Tx extends object = object> extends Fixture, StoreTime {
  /** The `LatestTimestamps` under test. */
  readonly latest: LatestTimestamps<Tx>;
  /** Runs `work` in a transaction of the host: commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const object = '["RequestPayment","pay_1"]';
/** Another object; it must never change. */
const other = '["RequestPayment","pay_2"]';
/** 2025-01-01T00:00:00Z, in seconds. */
const base = 1_735_689_600;

const advance = ({ latest, transaction }: LatestTimestampsFixture, of: string, by: number, keep?: DurationMs) =>
  transaction((tx) => latest.advanceIn(tx, of, base + by, keep));

/** Another object has a timestamp, and must still have it after `act`. */
const beside =
  (act: (fixture: LatestTimestampsFixture) => Promise<void>) =>
  async (fixture: LatestTimestampsFixture): Promise<void> => {
    strictEqual(await advance(fixture, other, 5, 900 * day), true);
    await act(fixture);
    deepStrictEqual([await advance(fixture, other, 4), await advance(fixture, other, 5)], [false, true]);
  };

const rolledBack = new Error('The handler failed.');
/** Advances in a transaction that is rolled back. */
const advanceInVain = async ({ latest, transaction }: LatestTimestampsFixture, by: number): Promise<void> => {
  const outcome = await transaction(async (tx) => {
    strictEqual(await latest.advanceIn(tx, object, base + by), true);
    throw rolledBack;
  }).catch((cause: unknown) => cause);
  strictEqual(outcome, rolledBack);
};

const keepLasts = async (fixture: LatestTimestampsFixture): Promise<void> => {
  strictEqual(await advance(fixture, object, 5), true);
  for (const time of [day, 33 * day, day - slack]) {
    await fixture.elapse(time);
    strictEqual(await advance(fixture, object, 4), false);
  }
  await fixture.elapse(slack);
  strictEqual(await advance(fixture, object, 4), true);
};

/** Two transactions of one object: the second advances while the first is open, which then ends as told. */
const oneAfterTheOther = async (fixture: LatestTimestampsFixture, end: 'commits' | 'fails'): Promise<boolean> => {
  const { latest, transaction } = fixture;
  const [marked, go] = [withResolvers<void>(), withResolvers<void>()];
  const first = transaction(async (tx) => {
    strictEqual(await latest.advanceIn(tx, object, base + 5), true);
    marked.resolve();
    await go.promise;
    if (end === 'fails') throw rolledBack;
  }).catch((cause: unknown) => strictEqual(cause, rolledBack));
  await marked.promise;
  let isDecided = false;
  const second = advance(fixture, object, 4).finally(() => {
    isDecided = true;
  });
  // Objects do not wait for each other, so this one has time to.
  for (let nth = 0; nth < 3; nth++) await advance(fixture, `${object} ${nth}`, nth);
  strictEqual(isDecided, false, 'the second call did not wait for the first transaction');
  go.resolve();
  await first;
  return soon(second, 'the second call');
};

const cases: Cases<LatestTimestampsFixture> = {
  'a timestamp advances, and never goes back': beside(async (fixture) => {
    const answers: boolean[] = [];
    for (const by of [5, 4, 6, 5, 0, -base, 7]) answers.push(await advance(fixture, object, by));
    deepStrictEqual(answers, [true, false, true, false, false, false, true]);
  }),
  'the stored timestamp itself is accepted: an event may come again': beside(async (fixture) => {
    for (let nth = 0; nth < 3; nth++) strictEqual(await advance(fixture, object, 5), true);
    strictEqual(await advance(fixture, object, 4), false);
  }),
  'what is rolled back stores nothing': beside(async (fixture) => {
    await advanceInVain(fixture, 9);
    strictEqual(await advance(fixture, object, 3), true);
    await advanceInVain(fixture, 9);
    deepStrictEqual([await advance(fixture, object, 2), await advance(fixture, object, 4)], [false, true]);
  }),
  'a transaction reads what it stored itself': beside(async ({ latest, transaction }) => {
    const answers = await transaction(async (tx) => {
      const told: boolean[] = [];
      for (const by of [5, 4, 6, 6]) told.push(await latest.advanceIn(tx, object, base + by));
      return told;
    });
    deepStrictEqual(answers, [true, false, true, true]);
  }),
  'of simultaneous calls, the accepted ones are in order, and the latest is among them': beside(async (fixture) => {
    const { latest, transaction } = fixture;
    const accepted: number[] = [];
    // 20 timestamps, in an order that is neither ascending nor descending.
    await race((index) =>
      transaction(async (tx) => {
        const by = (index * 7) % 20;
        if (await latest.advanceIn(tx, object, base + by)) accepted.push(by);
      }),
    );
    deepStrictEqual(
      accepted,
      accepted.toSorted((a, b) => a - b),
    );
    strictEqual(accepted.at(-1), 19);
    strictEqual(await advance(fixture, object, 18), false);
  }),
  'an earlier one waits for an open transaction, and is refused when that commits': concurrently(
    beside(async (fixture) => strictEqual(await oneAfterTheOther(fixture, 'commits'), false)),
  ),
  'an earlier one waits for an open transaction, and is accepted when that rolls back': concurrently(
    beside(async (fixture) => strictEqual(await oneAfterTheOther(fixture, 'fails'), true)),
  ),
  'a timestamp is stored for 35 days by default, and no longer': beside(keepLasts),
  ...whateverTheClocks('a timestamp is stored for 35 days', beside(keepLasts)),
  'each accepted call stores it anew, for as long as it says': beside(async (fixture) => {
    strictEqual(await advance(fixture, object, 5, hour), true);
    await fixture.elapse(hour - slack);
    strictEqual(await advance(fixture, object, 6, hour), true);
    await fixture.elapse(hour - slack);
    strictEqual(await advance(fixture, object, 6, minute), true);
    strictEqual(await advance(fixture, object, 5, hour), false);
    await fixture.elapse(minute);
    strictEqual(await advance(fixture, object, 1, minute), true);
  }),
  'objects whose names differ in one byte are different': beside(async (fixture) => {
    const long = 'x'.repeat(300);
    const longer = 'x'.repeat(700);
    const names = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a:b', 'a%b', 'a_b', '🏡', '🏠', '\ud800', '\ud801', 'a\0b'];
    const all = [...names, `${long}1`, `${long}2`, `${longer}1`, `${longer}2`];
    for (const [by, name] of all.entries()) strictEqual(await advance(fixture, name, -by), true, JSON.stringify(name));
    for (const [by, name] of all.entries()) strictEqual(await advance(fixture, name, -by - 1), false);
  }),
};

/**
 * Tests the obligations of a `LatestTimestamps`.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<LatestTimestampsFixture> => {
 *   let now = Date.now() + storeAhead;
 *   const rows = memoryRows(rowTables, { now: () => now, sleep: async () => {} });
 *   const elapse = async (time: number) => {
 *     now += time;
 *   };
 *   return { latest: rowSeenKeys(rows, systemRandom), transaction: rows.transaction, elapse } as never;
 * };
 * latestTimestampsContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const latestTimestampsContract = (options: ContractOptions<LatestTimestampsFixture>): void =>
  runCases(cases, options);
