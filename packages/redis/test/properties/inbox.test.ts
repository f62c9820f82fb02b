import { minute } from '@partnerkit/core';
import type { Inbox } from '@partnerkit/core/adapter';
import { memoryInbox } from '@partnerkit/core/memory';
import { manualClock } from '@partnerkit/testing';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { redisInbox } from '../../src/index.ts';
import { nodeRedis } from '../support/clients.ts';
import { open } from '../support/servers.ts';
import { ownKeys } from '../support/store-time.ts';
import { timeout } from '../support/suites.ts';

/** Half minutes, which sums of whole ones never meet: what a test itself takes decides nothing. */
const halves = fc.integer({ min: 0, max: 12 }).map((minutes) => (minutes + 0.5) * minute);
const key = fc.constantFrom('a', 'b', 'c');
/** Any lease that was ever given out, stale ones too. */
const holder = fc.nat({ max: 20 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('keep' as const), key }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('take' as const), time: halves }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('done' as const, 'retry' as const, 'park' as const),
      holder,
      time: halves,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('resume' as const), keys: fc.array(key, { maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('look' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 8 }) }) },
);
type Step = Exclude<typeof step extends fc.Arbitrary<infer S> ? S : never, { act: 'pass' }>;

/** One side of the comparison: what it answers, without what may differ. */
const performer = (inbox: Inbox) => {
  const held: { readonly key: string; readonly lease: string }[] = [];
  return async (each: Step): Promise<unknown> => {
    switch (each.act) {
      case 'keep':
        return inbox.enqueue(each.key, `body of ${each.key}`);
      case 'take': {
        // All at once: the order of those that fell due together is not promised.
        const entries = (await inbox.claim(10, each.time)).toSorted((a, b) => a.key.localeCompare(b.key));
        held.push(...entries);
        return entries.map(({ lease: _own, ...rest }) => rest);
      }
      case 'resume':
        return inbox.requeue(each.keys);
      case 'look': {
        const { oldestDueMs, deadLetters, ...rest } = await inbox.stats(10);
        return {
          ...rest,
          late: Math.floor(oldestDueMs / minute),
          deadLetters: deadLetters.toSorted((a, b) => a.key.localeCompare(b.key)),
        };
      }
      default: {
        const of = held[each.holder % Math.max(held.length, 1)] ?? { key: 'a', lease: 'nobody has this' };
        if (each.act === 'park') return inbox.deadLetter(of.key, of.lease);
        return each.act === 'done'
          ? inbox.complete(of.key, of.lease, each.time)
          : inbox.retry(of.key, of.lease, each.time);
      }
    }
  };
};

test('for any calls at any time, an inbox on Redis behaves like one in memory', async () => {
  const { client } = await open(nodeRedis(inject('redis')));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { prefix, elapse, close } = ownKeys([inject('redis')], { storeAhead: 0 });
      const clock = manualClock();
      const real = performer(redisInbox(client, { prefix, timeout }));
      const model = performer(memoryInbox({ clock }));
      for (const each of steps) {
        if (each.act === 'pass') {
          await elapse(each.minutes * minute);
          await clock.pass(each.minutes * minute);
        } else {
          expect([each, await real(each)]).toEqual([each, await model(each)]);
        }
      }
      await close();
    }),
    propertyRuns(50),
  );
});
