import type { Inbox } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type FixtureSettings, type InboxFixture, inboxContract } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, sharing } from '../support/doubles.ts';
import { memoryInboxFixture, slowInboxFixture } from '../support/memory.ts';

describe('memory', () => {
  inboxContract({ test, create: memoryInboxFixture });
});

describe('memory as slow as a database', () => {
  inboxContract({ test, create: slowInboxFixture });
});

const day = 24 * 3_600_000;

const broken = (
  how: string,
  breaks: Double<InboxFixture>['breaks'],
  change: (inbox: Inbox, settings: FixtureSettings) => Partial<Inbox>,
): Double<InboxFixture> => ({
  how,
  breaks,
  make: (fixture, settings) => ({ ...fixture, inbox: { ...fixture.inbox, ...change(fixture.inbox, settings) } }),
});

/** The lease that an entry has now, as the store knows it. */
const knowing = (inbox: Inbox) => {
  const current = new Map<string, string>();
  const claim: Inbox['claim'] = async (limit, lease) => {
    const entries = await inbox.claim(limit, lease);
    for (const entry of entries) current.set(entry.key, entry.lease);
    return entries;
  };
  return { claim, leaseOf: (key: string, lease: string) => current.get(key) ?? lease };
};

/** Whatever waited for longer than a month when it is asked for. */
const forgetful: Double<InboxFixture> = {
  how: 'what waits for a month is forgotten',
  breaks: ['a waiting entry never expires'],
  make: ({ inbox, elapse }) => {
    let now = 0;
    const kept = new Map<string, number>();
    return {
      inbox: {
        ...inbox,
        enqueue: async (key, body) => {
          kept.set(key, kept.get(key) ?? now);
          return inbox.enqueue(key, body);
        },
        claim: async (limit, lease) =>
          (await inbox.claim(limit, lease)).filter(({ key }) => now - (kept.get(key) ?? now) < 30 * day),
      },
      elapse: (time) => {
        now += time;
        return elapse(time);
      },
    };
  },
};

const doubles: readonly Double<InboxFixture>[] = [
  broken('blanks around a body are lost', ['an entry is claimed as it was enqueued, byte for byte'], ({ enqueue }) => ({
    enqueue: (key, body) => enqueue(key, body.trim()),
  })),
  broken('a body is cut', ['an entry is claimed as it was enqueued, byte for byte'], ({ enqueue }) => ({
    enqueue: (key, body) => enqueue(key, body.slice(0, 65_535)),
  })),
  broken(
    'a key is looked up, and then kept',
    ['exactly one of many simultaneous enqueues of a key succeeds'],
    ({ enqueue }) => ({
      enqueue: sharing(enqueue),
    }),
  ),
  broken(
    'what is known is kept again',
    ['a known key is not enqueued again: waiting, claimed, failed, dead-lettered or completed'],
    ({ enqueue }) => ({ enqueue: async (key, body) => (await enqueue(key, body)) || enqueue(`${key} again`, body) }),
  ),
  broken('what failed is kept anew', ['a retried entry is due after its delay, not before'], (inbox) => {
    const failed = new Set<string>();
    return {
      enqueue: async (key, body) => failed.has(key) || inbox.enqueue(key, body),
      retry: async (key, lease, wait) => {
        failed.add(key);
        return inbox.retry(key, lease, wait);
      },
    };
  }),
  broken('keys are compared without regard to case', ['keys that differ in one byte are different'], ({ enqueue }) => ({
    enqueue: (key, body) => enqueue(key.toLowerCase(), body),
  })),
  broken('long keys are cut', ['keys that differ in one byte are different'], ({ enqueue }) => ({
    enqueue: (key, body) => enqueue(key.slice(0, 255), body),
  })),
  forgetful,

  broken(
    'what is due is looked up, and then taken',
    [
      'each entry goes to exactly one of many simultaneous claims',
      'an entry with an expired lease goes to exactly one of many simultaneous claims',
    ],
    ({ claim }) => {
      const together = sharing((_one: string, limit: number, lease: number) => claim(limit, lease));
      return { claim: (limit, lease) => together('all', limit, lease) };
    },
  ),
  broken(
    'what fell due last is taken first',
    ['a claim returns at most the given number of entries, the first due first'],
    ({ claim }) => ({ claim: async (limit, lease) => (await claim(limit, lease)).toReversed() }),
  ),
  broken(
    'one more is taken than was asked for',
    ['a claim returns at most the given number of entries, the first due first'],
    ({ claim }) => ({ claim: (limit, lease) => claim(limit + 1, lease) }),
  ),
  broken('nothing is taken while one failed', ['a failed entry blocks no other'], ({ retry, claim }) => {
    let failed = false;
    return {
      retry: async (...said) => {
        failed = true;
        return retry(...said);
      },
      claim: async (...args) => (failed ? [] : claim(...args)),
    };
  }),
  broken(
    'a lease never lapses',
    ['a lease expires after its duration, not before; the attempt counts'],
    ({ claim }) => ({ claim: (limit) => claim(limit, 1e12) }),
  ),
  broken(
    'a lease lasts half as long',
    ['a lease expires after its duration, not before; the attempt counts'],
    ({ claim }) => ({ claim: (limit, lease) => claim(limit, lease / 2) }),
  ),
  broken(
    'only attempts that were settled count',
    ['a lease expires after its duration, not before; the attempt counts'],
    ({ claim }) => ({
      claim: async (limit, lease) => (await claim(limit, lease)).map((entry) => ({ ...entry, attempt: 1 })),
    }),
  ),
  broken(
    'a lease ends by the clock of the host',
    [
      "a lease lapses when its time has passed: a store's clock 3 hours ahead",
      "a lease lapses when its time has passed: a store's clock 3 hours behind",
    ],
    ({ claim }, { storeAhead }) => ({ claim: (limit, lease) => claim(limit, lease - storeAhead) }),
  ),

  broken(
    'what is done is known until a time of the host',
    [
      "what is done is known for as long as it is kept: a store's clock 3 hours ahead",
      "what is done is known for as long as it is kept: a store's clock 3 hours behind",
    ],
    ({ complete }, { storeAhead }) => ({ complete: (key, lease, keep) => complete(key, lease, keep - 9 * storeAhead) }),
  ),
  broken(
    'what is done is known no longer than a timer can count',
    ['a completed key is known for its retention period, and no longer'],
    ({ complete }) => ({ complete: (key, lease, keep) => complete(key, lease, Math.min(keep, 2 ** 31 - 1)) }),
  ),
  broken(
    'what is done is known for ever',
    ['a completed key is known for its retention period, and no longer'],
    ({ complete }) => ({ complete: (key, lease) => complete(key, lease, 1e12) }),
  ),
  broken(
    'what failed is due at once',
    ['a retried entry is due after its delay, not before', 'a failed entry blocks no other'],
    ({ retry }) => ({ retry: (key, lease) => retry(key, lease, 0) }),
  ),
  broken(
    'what failed is due at a time of the host',
    [
      "what is tried again is due after its wait: a store's clock 3 hours ahead",
      "what is tried again is due after its wait: a store's clock 3 hours behind",
    ],
    ({ retry }, { storeAhead }) => ({ retry: (key, lease, wait) => retry(key, lease, wait - storeAhead) }),
  ),
  broken('every retry waits', ['an entry retried without a delay is due at once'], ({ retry }) => ({
    retry: (key, lease, wait) => retry(key, lease, Math.max(wait, 1_000)),
  })),
  broken(
    'any lease counts',
    ['a superseded lease changes nothing', 'a lease of one entry does not affect another'],
    (inbox) => {
      const { claim, leaseOf } = knowing(inbox);
      return {
        claim,
        complete: (key, lease, keep) => inbox.complete(key, leaseOf(key, lease), keep),
        retry: (key, lease, wait) => inbox.retry(key, leaseOf(key, lease), wait),
        deadLetter: (key, lease) => inbox.deadLetter(key, leaseOf(key, lease)),
      };
    },
  ),
  broken('who is done is always believed', ['an expired lease either settles its entry, or changes nothing'], () => ({
    complete: async () => true,
  })),
  broken(
    'who parks is always believed',
    [
      'exactly one of many simultaneous results of an entry is accepted',
      'a lease with a reported result changes nothing more',
    ],
    ({ deadLetter }) => ({
      deadLetter: async (key, lease) => {
        await deadLetter(key, lease);
        return true;
      },
    }),
  ),

  broken(
    'what is parked comes back by itself',
    ['a dead letter is never claimed, and its key is not enqueued again'],
    ({ retry }) => ({ deadLetter: (key, lease) => retry(key, lease, 40 * day) }),
  ),
  broken(
    'what is resumed goes on counting',
    ['a requeued entry is due at once with no attempts, and no other entry is requeued'],
    ({ requeue, claim }) => {
      const resumed = new Set<string>();
      return {
        requeue: async (keys) => {
          for (const key of keys) resumed.add(key);
          return requeue(keys);
        },
        claim: async (limit, lease) =>
          (await claim(limit, lease)).map((entry) =>
            resumed.has(entry.key) ? { ...entry, attempt: entry.attempt + 2 } : entry,
          ),
      };
    },
  ),
  broken(
    'as many are said to be resumed as were asked for',
    [
      'a requeued entry is due at once with no attempts, and no other entry is requeued',
      'exactly one of many simultaneous requeues succeeds',
    ],
    ({ requeue }) => ({
      requeue: async (keys) => {
        await requeue(keys);
        return keys.length;
      },
    }),
  ),
  broken(
    'what is parked still waits',
    ['stats report the waiting entries, the oldest due one and the dead letters, and change nothing'],
    ({ stats }) => ({
      stats: async (most) => {
        const view = await stats(most);
        return { ...view, waiting: view.waiting + view.deadLettered };
      },
    }),
  ),
  broken(
    'what is not due is late',
    ['stats report the waiting entries, the oldest due one and the dead letters, and change nothing'],
    ({ stats }) => ({ stats: async (most) => ({ ...(await stats(most)), oldestDueMs: 1 }) }),
  ),
];

findsEveryFault(inboxContract, memoryInboxFixture, doubles);
