import type { SeenClaim, SeenKeys } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type FixtureSettings, type SeenKeysFixture, seenKeysContract } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, sharing } from '../support/doubles.ts';
import { memorySeenKeysFixture, slowSeenKeysFixture } from '../support/memory.ts';

describe('memory', () => {
  seenKeysContract({ test, create: memorySeenKeysFixture });
});

describe('memory as slow as a database', () => {
  seenKeysContract({ test, create: slowSeenKeysFixture });
});

const broken = (
  how: string,
  breaks: Double<SeenKeysFixture>['breaks'],
  change: (seen: SeenKeys, settings: FixtureSettings) => Partial<SeenKeys>,
): Double<SeenKeysFixture> => ({
  how,
  breaks,
  make: (fixture, settings) => ({ ...fixture, seen: { ...fixture.seen, ...change(fixture.seen, settings) } }),
});

/** The lease that a key has now, as the store knows it. */
const knowing = (seen: SeenKeys) => {
  const current = new Map<string, string>();
  const claim: SeenKeys['claim'] = async (key, lease) => {
    const claimed = await seen.claim(key, lease);
    if (claimed.kind === 'claimed') current.set(key, claimed.lease);
    return claimed;
  };
  return { claim, current };
};

/** What is called in one turn is sent together, and each caller gets the answer of another. */
const reversed = (claim: SeenKeys['claim']): SeenKeys['claim'] => {
  let waiting: { readonly send: () => ReturnType<typeof claim>; readonly resolve: (claim: SeenClaim) => void }[] = [];
  const flush = async (): Promise<void> => {
    const calls = waiting;
    waiting = [];
    const answers = await Promise.all(calls.map(({ send }) => send()));
    for (const [place, { resolve }] of calls.toReversed().entries()) resolve(answers[place] as SeenClaim);
  };
  return (key, lease) =>
    new Promise((resolve) => {
      if (waiting.push({ send: () => claim(key, lease), resolve }) === 1) setImmediate(flush);
    });
};

const doubles: readonly Double<SeenKeysFixture>[] = [
  broken(
    'a key is looked up, and then claimed',
    [
      'exactly one of many simultaneous claims of a key succeeds',
      'exactly one of many simultaneous claims of a key with an expired lease succeeds',
      'a released key is claimed again, by exactly one',
    ],
    ({ claim }) => ({ claim: sharing(claim) }),
  ),
  broken('a lease never lapses', ['a claim expires with its lease, not before'], ({ claim }) => ({
    claim: (key) => claim(key, 1e12),
  })),
  broken('a lease lasts half as long', ['a claim expires with its lease, not before'], ({ claim }) => ({
    claim: (key, lease) => claim(key, lease / 2),
  })),
  broken(
    'a lease ends by the clock of the host',
    [
      "a claim lapses when its lease has passed: a store's clock 3 hours ahead",
      "a claim lapses when its lease has passed: a store's clock 3 hours behind",
    ],
    ({ claim }, { storeAhead }) => ({ claim: (key, lease) => claim(key, lease - storeAhead) }),
  ),
  broken(
    'a key is kept until a time of the host',
    [
      "what was confirmed is done for as long as it is kept: a store's clock 3 hours ahead",
      "what was confirmed is done for as long as it is kept: a store's clock 3 hours behind",
    ],
    ({ confirm }, { storeAhead }) => ({ confirm: (key, lease, keep) => confirm(key, lease, keep - 9 * storeAhead) }),
  ),
  broken(
    'no key is kept longer than a timer can count',
    ['a confirmed key is done for its retention period, and no longer'],
    ({ confirm }) => ({ confirm: (key, lease, keep) => confirm(key, lease, Math.min(keep, 2 ** 31 - 1)) }),
  ),
  broken(
    'a key is kept for ever',
    ['a confirmed key is done for its retention period, and no longer'],
    ({ confirm }) => ({
      confirm: (key, lease) => confirm(key, lease, 1e12),
    }),
  ),
  broken('what is done is in progress', ['a confirmed key is done for every simultaneous claim'], ({ claim }) => ({
    claim: async (key, lease) => {
      const claimed = await claim(key, lease);
      return claimed.kind === 'done' ? { kind: 'in_progress' } : claimed;
    },
  })),
  broken('nothing is released', ['a released key is claimed again, by exactly one'], () => ({
    release: async () => {},
  })),
  broken(
    'any lease confirms',
    [
      'a superseded lease neither confirms nor releases',
      'a lease that was released, and claimed again by another, neither confirms nor releases',
      'a lease of one key does not affect another',
    ],
    (seen) => {
      const { claim, current } = knowing(seen);
      return { claim, confirm: (key, lease, keep) => seen.confirm(key, current.get(key) ?? lease, keep) };
    },
  ),
  broken('any lease releases', ['a superseded lease neither confirms nor releases'], (seen) => {
    const { claim, current } = knowing(seen);
    return { claim, release: (key, lease) => seen.release(key, current.get(key) ?? lease) };
  }),
  broken(
    'who confirms is always believed',
    ['an expired lease may still confirm; otherwise it changes nothing'],
    () => ({
      confirm: async () => true,
    }),
  ),
  broken('a release forgets what is done', ['a done key stays done, whatever its former lease'], (seen) => {
    const forgotten = new Set<string>();
    return {
      claim: async (key, lease) => {
        const claimed = await seen.claim(key, lease);
        return claimed.kind === 'done' && forgotten.has(key) ? { kind: 'claimed', lease: 'again' } : claimed;
      },
      release: async (key, lease) => {
        forgotten.add(key);
        await seen.release(key, lease);
      },
    };
  }),
  broken(
    'claims of one turn are answered in the wrong order',
    ['simultaneous calls for many keys do not affect each other'],
    ({ claim }) => ({ claim: reversed(claim) }),
  ),
  broken('all leases of one turn are equal', ['simultaneous calls for many keys do not affect each other'], (seen) => {
    const real = new Map<string, string>();
    const lease = (key: string): string => real.get(key) ?? 'none';
    return {
      claim: async (key, time) => {
        const claimed = await seen.claim(key, time);
        if (claimed.kind !== 'claimed') return claimed;
        real.set(key, claimed.lease);
        return { kind: 'claimed', lease: 'shared' };
      },
      confirm: (key, _lease, keep) => seen.confirm(key, lease(key), keep),
      release: (key) => seen.release(key, lease(key)),
    };
  }),
  broken('keys are compared without regard to case', ['keys that differ in one byte are different'], (seen) => ({
    claim: (key, lease) => seen.claim(key.toLowerCase(), lease),
  })),
  broken('keys are compared without blanks', ['keys that differ in one byte are different'], (seen) => ({
    claim: (key, lease) => seen.claim(key.trim(), lease),
  })),
  broken('long keys are cut', ['keys that differ in one byte are different'], (seen) => ({
    claim: (key, lease) => seen.claim(key.slice(0, 255), lease),
  })),
];

findsEveryFault(seenKeysContract, memorySeenKeysFixture, doubles);
