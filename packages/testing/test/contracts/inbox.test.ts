import type { Inbox } from '@partnerkit/core';
import { describe, test } from 'vitest';
import { type FixtureSettings, type InboxFixture, inboxContract } from '../../src/index.ts';
import { type Double, findsEveryFault, sharing } from './doubles.ts';
import { memoryInboxFixture, slowInboxFixture } from './memory.ts';

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
  const take: Inbox['take'] = async (limit, lease) => {
    const entries = await inbox.take(limit, lease);
    for (const entry of entries) current.set(entry.key, entry.lease);
    return entries;
  };
  return { take, leaseOf: (key: string, lease: string) => current.get(key) ?? lease };
};

/** Whatever waited for longer than a month when it is asked for. */
const forgetful: Double<InboxFixture> = {
  how: 'what waits for a month is forgotten',
  breaks: ['what waits is never forgotten'],
  make: ({ inbox, elapse }) => {
    let now = 0;
    const kept = new Map<string, number>();
    return {
      inbox: {
        ...inbox,
        keep: async (key, body) => {
          kept.set(key, kept.get(key) ?? now);
          return inbox.keep(key, body);
        },
        take: async (limit, lease) =>
          (await inbox.take(limit, lease)).filter(({ key }) => now - (kept.get(key) ?? now) < 30 * day),
      },
      elapse: (time) => {
        now += time;
        return elapse(time);
      },
    };
  },
};

const doubles: readonly Double<InboxFixture>[] = [
  broken('blanks around a body are lost', ['what is kept is taken, byte for byte'], ({ keep }) => ({
    keep: (key, body) => keep(key, body.trim()),
  })),
  broken('a body is cut', ['what is kept is taken, byte for byte'], ({ keep }) => ({
    keep: (key, body) => keep(key, body.slice(0, 65_535)),
  })),
  broken('a key is looked up, and then kept', ['of many that keep a key at once exactly one does'], ({ keep }) => ({
    keep: sharing(keep),
  })),
  broken(
    'what is known is kept again',
    ['what is known is not kept again: waiting, being processed, failed, parked or done'],
    ({ keep }) => ({ keep: async (key, body) => (await keep(key, body)) || keep(`${key} again`, body) }),
  ),
  broken('what failed is kept anew', ['what is tried again is due after its wait, and not before'], (inbox) => {
    const failed = new Set<string>();
    return {
      keep: async (key, body) => failed.has(key) || inbox.keep(key, body),
      retry: async (key, lease, wait) => {
        failed.add(key);
        return inbox.retry(key, lease, wait);
      },
    };
  }),
  broken(
    'keys are compared without regard to case',
    ['a key is told from every other by each of its bytes'],
    ({ keep }) => ({ keep: (key, body) => keep(key.toLowerCase(), body) }),
  ),
  broken('long keys are cut', ['a key is told from every other by each of its bytes'], ({ keep }) => ({
    keep: (key, body) => keep(key.slice(0, 255), body),
  })),
  forgetful,

  broken(
    'what is due is looked up, and then taken',
    ['of many that take at once exactly one gets each', 'of many that take a lapsed one at once exactly one gets it'],
    ({ take }) => {
      const together = sharing((_one: string, limit: number, lease: number) => take(limit, lease));
      return { take: (limit, lease) => together('all', limit, lease) };
    },
  ),
  broken(
    'what fell due last is taken first',
    ['no more is taken than was asked for, and what fell due first is taken first'],
    ({ take }) => ({ take: async (limit, lease) => (await take(limit, lease)).toReversed() }),
  ),
  broken(
    'one more is taken than was asked for',
    ['no more is taken than was asked for, and what fell due first is taken first'],
    ({ take }) => ({ take: (limit, lease) => take(limit + 1, lease) }),
  ),
  broken('nothing is taken while one failed', ['one that failed holds up no other'], ({ retry, take }) => {
    let failed = false;
    return {
      retry: async (...said) => {
        failed = true;
        return retry(...said);
      },
      take: async (...asked) => (failed ? [] : take(...asked)),
    };
  }),
  broken(
    'a lease never lapses',
    ['a lease lapses when its time has passed, and not before; the attempt counts'],
    ({ take }) => ({ take: (limit) => take(limit, 1e12) }),
  ),
  broken(
    'a lease lasts half as long',
    ['a lease lapses when its time has passed, and not before; the attempt counts'],
    ({ take }) => ({ take: (limit, lease) => take(limit, lease / 2) }),
  ),
  broken(
    'only attempts that were settled count',
    ['a lease lapses when its time has passed, and not before; the attempt counts'],
    ({ take }) => ({
      take: async (limit, lease) => (await take(limit, lease)).map((entry) => ({ ...entry, attempt: 1 })),
    }),
  ),
  broken(
    'a lease ends by the clock of the host',
    [
      "a lease lapses when its time has passed: a store's clock 3 hours ahead",
      "a lease lapses when its time has passed: a store's clock 3 hours behind",
    ],
    ({ take }, { storeAhead }) => ({ take: (limit, lease) => take(limit, lease - storeAhead) }),
  ),

  broken(
    'what is done is known until a time of the host',
    [
      "what is done is known for as long as it is kept: a store's clock 3 hours ahead",
      "what is done is known for as long as it is kept: a store's clock 3 hours behind",
    ],
    ({ done }, { storeAhead }) => ({ done: (key, lease, keep) => done(key, lease, keep - 9 * storeAhead) }),
  ),
  broken(
    'what is done is known no longer than a timer can count',
    ['what is done is known for as long as it is kept, and no longer'],
    ({ done }) => ({ done: (key, lease, keep) => done(key, lease, Math.min(keep, 2 ** 31 - 1)) }),
  ),
  broken(
    'what is done is known for ever',
    ['what is done is known for as long as it is kept, and no longer'],
    ({ done }) => ({ done: (key, lease) => done(key, lease, 1e12) }),
  ),
  broken(
    'what failed is due at once',
    ['what is tried again is due after its wait, and not before', 'one that failed holds up no other'],
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
  broken('every retry waits', ['what is tried again without a wait is due at once'], ({ retry }) => ({
    retry: (key, lease, wait) => retry(key, lease, Math.max(wait, 1_000)),
  })),
  broken(
    'any lease counts',
    ['a lease that was taken over changes nothing', 'a lease of one entry does nothing to another'],
    (inbox) => {
      const { take, leaseOf } = knowing(inbox);
      return {
        take,
        done: (key, lease, keep) => inbox.done(key, leaseOf(key, lease), keep),
        retry: (key, lease, wait) => inbox.retry(key, leaseOf(key, lease), wait),
        park: (key, lease) => inbox.park(key, leaseOf(key, lease)),
      };
    },
  ),
  broken('who is done is always believed', ['a lapsed lease is believed, or changes nothing'], () => ({
    done: async () => true,
  })),
  broken(
    'who parks is always believed',
    [
      'of many that say something of one entry exactly one is believed',
      'a lease of which something was said before changes nothing',
    ],
    ({ park }) => ({
      park: async (key, lease) => {
        await park(key, lease);
        return true;
      },
    }),
  ),

  broken(
    'what is parked comes back by itself',
    ['what is parked is not taken however long it lies, and not kept again'],
    ({ retry }) => ({ park: (key, lease) => retry(key, lease, 40 * day) }),
  ),
  broken(
    'what is resumed goes on counting',
    ['what is resumed is due at once as if never taken, and nothing else is resumed'],
    ({ resume, take }) => {
      const resumed = new Set<string>();
      return {
        resume: async (keys) => {
          for (const key of keys) resumed.add(key);
          return resume(keys);
        },
        take: async (limit, lease) =>
          (await take(limit, lease)).map((entry) =>
            resumed.has(entry.key) ? { ...entry, attempt: entry.attempt + 2 } : entry,
          ),
      };
    },
  ),
  broken(
    'as many are said to be resumed as were asked for',
    [
      'what is resumed is due at once as if never taken, and nothing else is resumed',
      'of many that resume at once exactly one does',
    ],
    ({ resume }) => ({
      resume: async (keys) => {
        await resume(keys);
        return keys.length;
      },
    }),
  ),
  broken(
    'what is parked still waits',
    ['a look says how much waits, how late it is and what is stuck, and changes nothing'],
    ({ look }) => ({
      look: async (most) => {
        const view = await look(most);
        return { ...view, waiting: view.waiting + view.parked };
      },
    }),
  ),
  broken(
    'what is not due is late',
    ['a look says how much waits, how late it is and what is stuck, and changes nothing'],
    ({ look }) => ({ look: async (most) => ({ ...(await look(most)), late: 1 }) }),
  ),
];

findsEveryFault(inboxContract, memoryInboxFixture, doubles);
