import { minute } from '@partnerkit/core';
import { memoryRateLimiter } from '@partnerkit/core/memory';
import { manualClock } from '@partnerkit/testing';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { redisRateLimiter } from '../../src/index.ts';
import { nodeRedis } from '../support/clients.ts';
import { open } from '../support/servers.ts';
import { ownKeys } from '../support/store-time.ts';
import { timeout } from '../support/suites.ts';

/**
 * Whole minutes: their sums never meet the end of a window of half minutes, so the duration of the test is irrelevant.
 */
const rule = { points: 2, window: 10.5 * minute };
const key = fc.constantFrom('a', 'b');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('take' as const), key }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('refund' as const), key }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 8 }) }) },
);

test('for any calls at any time, limits on Redis equal those in memory', async () => {
  const { client } = await open(nodeRedis(inject('redis')));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const { prefix, elapse, close } = ownKeys([inject('redis')], { storeAhead: 0 });
      const clock = manualClock();
      const real = redisRateLimiter(client, { prefix, timeout });
      const model = memoryRateLimiter({ clock });
      for (const each of steps) {
        if (each.act === 'pass') {
          await elapse(each.minutes * minute);
          await clock.pass(each.minutes * minute);
        } else if (each.act === 'take') {
          const [wait, expected] = [await real.take(each.key, rule), await model.take(each.key, rule)];
          expect(Math.ceil(wait / minute)).toBe(Math.ceil(expected / minute));
        } else {
          await real.refund(each.key);
          await model.refund(each.key);
        }
      }
      await close();
    }),
    propertyRuns(50),
  );
});
