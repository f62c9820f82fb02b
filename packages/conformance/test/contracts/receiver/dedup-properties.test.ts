import type { SeenKeys } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type ContractOptions, type SeenKeysFixture, seenKeysProperties } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, sharing } from '../support/doubles.ts';
import { memorySeenKeysFixture } from '../support/memory.ts';

const neverTwice =
  'with duplicates, failures, crashes and expired leases, no event is lost, and none is processed twice without a crash or an expiry';
const oneOfMany = 'exactly one of any number of simultaneous receivers processes an event';

describe('memory', () => {
  seenKeysProperties({ test, create: memorySeenKeysFixture });
});

const broken = (
  how: string,
  breaks: Double<SeenKeysFixture>['breaks'],
  change: (seen: SeenKeys) => Partial<SeenKeys>,
): Double<SeenKeysFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, seen: { ...fixture.seen, ...change(fixture.seen) } }),
});

const doubles: readonly Double<SeenKeysFixture>[] = [
  broken('a key is looked up, and then claimed', [neverTwice, oneOfMany], ({ claim }) => ({ claim: sharing(claim) })),
  broken('every claim is granted', [neverTwice, oneOfMany], () => ({
    claim: async () => ({ kind: 'claimed', lease: 'yes' }),
  })),
  broken('a claim is remembered as done: one phase', [neverTwice], (seen) => ({
    claim: async (key, lease) => {
      const claim = await seen.claim(key, lease);
      if (claim.kind === 'claimed') await seen.confirm(key, claim.lease, lease);
      return claim;
    },
  })),
  broken('a lease never lapses', [neverTwice], ({ claim }) => ({ claim: (key) => claim(key, 1e12) })),
  broken('nothing is released', [neverTwice], () => ({ release: async () => undefined })),
  broken('what is in progress is done', [neverTwice], ({ claim }) => ({
    claim: async (key, lease) => {
      const claimed = await claim(key, lease);
      return claimed.kind === 'in_progress' ? { kind: 'done' } : claimed;
    },
  })),
  broken('what is done is in progress', [neverTwice, oneOfMany], ({ claim }) => ({
    claim: async (key, lease) => {
      const claimed = await claim(key, lease);
      return claimed.kind === 'done' ? { kind: 'in_progress' } : claimed;
    },
  })),
  broken('nothing is confirmed', [neverTwice, oneOfMany], ({ release }) => ({
    confirm: async (key, lease) => {
      await release(key, lease);
      return true;
    },
  })),
  broken('any lease releases', [neverTwice], (seen) => {
    const current = new Map<string, string>();
    return {
      claim: async (key, lease) => {
        const claimed = await seen.claim(key, lease);
        if (claimed.kind === 'claimed') current.set(key, claimed.lease);
        return claimed;
      },
      release: (key, lease) => seen.release(key, current.get(key) ?? lease),
    };
  }),
];

findsEveryFault(
  (options: ContractOptions<SeenKeysFixture>) => seenKeysProperties({ ...options, runs: 1_000 }),
  memorySeenKeysFixture,
  doubles,
);
