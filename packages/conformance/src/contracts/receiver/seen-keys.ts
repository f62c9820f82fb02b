import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, day, hour, minute } from '@partnerkit/core';
import type { SeenKeys } from '@partnerkit/core/adapter';
import { type Cases, type ContractOptions, type Fixture, runCases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { type StoreTime, slack } from '../support/store-time.ts';

/**
 * An empty `SeenKeys`, with control over its time.
 * @public
 */
export interface SeenKeysFixture extends Fixture, StoreTime {
  /** The `SeenKeys` under test. */
  readonly seen: SeenKeys;
}

const key = 'RequestPayment:pay_1:payed:1735689600';
/** The event of another receiver; it must never change. */
const other = 'RequestPayment:pay_2:payed:1735689600';

const claimed = async (seen: SeenKeys, of: string, lease: DurationMs = hour): Promise<string> => {
  const claim = await seen.claim(of, lease);
  ok(claim.kind === 'claimed', `the claim is ${claim.kind}`);
  return claim.lease;
};
const kind = async (seen: SeenKeys, of: string): Promise<string> => (await seen.claim(of, hour)).kind;
const kinds = async (seen: SeenKeys, of: string): Promise<Record<string, number>> => {
  const claims = await race(() => seen.claim(of, hour));
  const count = (wanted: string): number => claims.filter((claim) => claim.kind === wanted).length;
  return { claimed: count('claimed'), in_progress: count('in_progress'), done: count('done') };
};

/** Another key has a lease, and must still have it after `act`. */
const beside =
  (act: (seen: SeenKeys, fixture: SeenKeysFixture) => Promise<void>) =>
  async (fixture: SeenKeysFixture): Promise<void> => {
    const { seen } = fixture;
    const lease = await claimed(seen, other, 60 * day);
    await act(seen, fixture);
    strictEqual(await kind(seen, other), 'in_progress');
    strictEqual(await seen.confirm(other, lease, hour), true);
  };

const leaseLapses = async (seen: SeenKeys, { elapse }: SeenKeysFixture): Promise<void> => {
  const first = await claimed(seen, key, hour);
  await elapse(hour - slack);
  strictEqual(await kind(seen, key), 'in_progress');
  await elapse(slack);
  notStrictEqual(await claimed(seen, key), first);
};
const keepLasts = async (seen: SeenKeys, { elapse }: SeenKeysFixture): Promise<void> => {
  strictEqual(await seen.confirm(key, await claimed(seen, key, minute), 35 * day), true);
  for (const time of [minute, day, 33 * day]) {
    await elapse(time);
    strictEqual(await kind(seen, key), 'done');
  }
  await elapse(day);
  await claimed(seen, key);
};

const cases: Cases<SeenKeysFixture> = {
  'exactly one of many simultaneous claims of a key succeeds': beside(async (seen) => {
    deepStrictEqual(await kinds(seen, key), { claimed: 1, in_progress: 19, done: 0 });
  }),
  'exactly one of many simultaneous claims of a key with an expired lease succeeds': beside(
    async (seen, { elapse }) => {
      await claimed(seen, key, hour);
      await elapse(hour);
      deepStrictEqual(await kinds(seen, key), { claimed: 1, in_progress: 19, done: 0 });
    },
  ),
  'a claim expires with its lease, not before': beside(leaseLapses),
  ...whateverTheClocks('a claim lapses when its lease has passed', beside(leaseLapses)),
  'a confirmed key is done for its retention period, and no longer': beside(keepLasts),
  ...whateverTheClocks('what was confirmed is done for as long as it is kept', beside(keepLasts)),
  'a confirmed key is done for every simultaneous claim': beside(async (seen) => {
    strictEqual(await seen.confirm(key, await claimed(seen, key), hour), true);
    deepStrictEqual(await kinds(seen, key), { claimed: 0, in_progress: 0, done: 20 });
  }),
  'a released key is claimed again, by exactly one': beside(async (seen) => {
    const first = await claimed(seen, key);
    await seen.release(key, first);
    deepStrictEqual(await kinds(seen, key), { claimed: 1, in_progress: 19, done: 0 });
  }),

  'a superseded lease neither confirms nor releases': beside(async (seen, { elapse }) => {
    const stale = await claimed(seen, key, minute);
    await elapse(minute);
    const holder = await claimed(seen, key, hour);
    strictEqual(await seen.confirm(key, stale, hour), false);
    strictEqual(await kind(seen, key), 'in_progress');
    await seen.release(key, stale);
    strictEqual(await kind(seen, key), 'in_progress');
    strictEqual(await seen.confirm(key, holder, hour), true);
    strictEqual(await kind(seen, key), 'done');
  }),
  'a lease that was released, and claimed again by another, neither confirms nor releases': beside(async (seen) => {
    const stale = await claimed(seen, key);
    await seen.release(key, stale);
    strictEqual(await seen.confirm(key, stale, hour), false);
    const holder = await claimed(seen, key);
    strictEqual(await seen.confirm(key, stale, hour), false);
    await seen.release(key, stale);
    strictEqual(await kind(seen, key), 'in_progress');
    strictEqual(await seen.confirm(key, holder, hour), true);
  }),
  'an expired lease may still confirm; otherwise it changes nothing': beside(async (seen, { elapse }) => {
    const lapsed = await claimed(seen, key, minute);
    await elapse(minute);
    const confirmed = await seen.confirm(key, lapsed, hour);
    strictEqual(await kind(seen, key), confirmed ? 'done' : 'claimed');
  }),
  'a done key stays done, whatever its former lease': beside(async (seen) => {
    const lease = await claimed(seen, key);
    strictEqual(await seen.confirm(key, lease, hour), true);
    await seen.release(key, lease);
    strictEqual(await kind(seen, key), 'done');
    strictEqual(await seen.confirm(key, lease, hour), false);
    strictEqual(await kind(seen, key), 'done');
  }),
  'a lease of one key does not affect another': beside(async (seen) => {
    const lease = await claimed(seen, key);
    const second = `${key}0`;
    const held = await claimed(seen, second);
    notStrictEqual(held, lease);
    strictEqual(await seen.confirm(second, lease, hour), false);
    await seen.release(second, lease);
    strictEqual(await kind(seen, second), 'in_progress');
    strictEqual(await seen.confirm('nobody claimed this', lease, hour), false);
    await seen.release('nobody claimed this', lease);
    strictEqual(await kind(seen, 'nobody claimed this'), 'claimed');
  }),
  'simultaneous calls for many keys do not affect each other': beside(async (seen) => {
    const keys = Array.from({ length: 64 }, (_, index) => `${key}:${index}`);
    const claims = await Promise.all([...keys, ...keys].map((each) => seen.claim(each, hour)));
    const leases = keys.map((_, index) => {
      const of = [claims[index], claims[index + keys.length]].filter((claim) => claim?.kind === 'claimed');
      strictEqual(of.length, 1, `of two claims of one key ${of.length} got a lease`);
      return String(of[0]?.lease);
    });
    strictEqual(new Set(leases).size, keys.length);
    const isEven = (index: number): boolean => index % 2 === 0;
    // Keys at odd indexes are confirmed with the lease of the key before them.
    const confirmed = keys.map((each, index) => seen.confirm(each, String(leases[index - (index % 2)]), hour));
    deepStrictEqual(
      await Promise.all(confirmed),
      keys.map((_, index) => isEven(index)),
    );
    await Promise.all(keys.map((each, index) => seen.release(each, String(leases[index]))));
    deepStrictEqual(
      await Promise.all(keys.map((each) => kind(seen, each))),
      keys.map((_, index) => (isEven(index) ? 'done' : 'claimed')),
    );
  }),
  'keys that differ in one byte are different': beside(async (seen) => {
    const long = 'x'.repeat(300);
    const keys = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a:b', 'a%b', 'a_b', 'a*b', '🏡', '🏠', `${long}1`, `${long}2`];
    for (const each of keys) await claimed(seen, each);
    for (const each of keys) strictEqual(await kind(seen, each), 'in_progress');
  }),
};

/**
 * Tests the obligations of a `SeenKeys`.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<SeenKeysFixture> => {
 *   let now = Date.now() + storeAhead;
 *   const clock = { now: () => now, sleep: async () => {} };
 *   const elapse = async (time: number) => {
 *     now += time;
 *   };
 *   return { seen: memorySeenKeys({ clock }), elapse };
 * };
 * seenKeysContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const seenKeysContract = (options: ContractOptions<SeenKeysFixture>): void => runCases(cases, options);
