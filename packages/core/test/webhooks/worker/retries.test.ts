import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { failuresToOpen } from '../../../src/webhooks/delivery-rules/breaker.ts';
import { retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { start } from '../../support/clock.ts';
import {
  answered,
  attemptsOf,
  deliveriesOf,
  outcomesOf,
  publish,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom, withoutJitter } from '../../support/random.ts';
import { historyRuns } from '../../support/runs.ts';

test('a failing endpoint is tried again on schedule, to exhaustion', async () => {
  const made = platform({ random: withoutJitter(), sender: memorySender(() => answered(500)) });
  const { clock } = made;
  await subscribe(made, 'one.example');
  await publish(made, 1);
  const worker = made.kit.worker();
  expect(await worker.drain()).toBe(1);
  for (const wait of retrySchedule) {
    clock.set(clock.now() + wait - 1);
    expect(await worker.drain(), 'never early').toBe(0);
    expect(await statesOf(made)).toEqual(['waiting']);
    clock.set(clock.now() + 1);
    expect(await worker.drain(), 'then at once').toBe(1);
  }
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'exhausted', attempts: 10 }]);
  expect(await attemptsOf(made)).toHaveLength(10);
  const signals = made.signals
    .filter((signal) => signal.kind === 'attempt')
    .map(({ attempt, next }) => [attempt, next]);
  expect(signals).toEqual(Array.from({ length: 10 }, (_, index) => [index + 1, index === 9 ? 'exhausted' : 'retry']));
  clock.set(clock.now() + 30 * day);
  expect(await worker.drain()).toBe(0);
});

test('ends with the first 2xx; a redirect is none', async () => {
  const answers = [
    answered(500),
    answered(302),
    { kind: 'failed', reason: 'timeout', durationMs: 15_000 } as const,
    answered(204),
  ];
  const made = platform({ random: withoutJitter(), sender: memorySender(() => answers.shift() ?? answered(500)) });
  await subscribe(made, 'one.example');
  await publish(made, 1);
  const worker = made.kit.worker();
  for (const wait of [0, ...retrySchedule]) {
    made.clock.set(made.clock.now() + wait);
    await worker.drain();
  }
  expect(await outcomesOf(made)).toEqual([500, 302, 'timeout', 204]);
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 4 }]);
});

test('Retry-After lengthens the wait', async () => {
  const sender = memorySender(() => answered(503, { retryAfter: '3600' }));
  const made = platform({ random: withoutJitter(), sender });
  await subscribe(made, 'one.example');
  await publish(made, 1);
  const worker = made.kit.worker();
  await worker.drain();
  made.clock.set(start + hour - 1);
  expect(await worker.drain()).toBe(0);
  made.clock.set(start + hour);
  expect(await worker.drain()).toBe(1);
});

test('for any responses and times, a retry is never early, and there are at most ten attempts', async () => {
  const status = fc.constantFrom(200, 302, 404, 500, 500, 503);
  const step = fc.oneof(
    fc.integer({ min: 0, max: 10 * second }),
    fc.integer({ min: minute, max: hour }),
    fc.constant(25 * hour),
  );
  let attempts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(status, { minLength: 1, maxLength: 30 }),
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.integer(),
      async (statuses, steps, seed) => {
        let place = 0;
        /** Failures in a row, as they were sent: with three in flight, two more or less than as they were settled. */
        let failures = 0;
        const sender = memorySender(() => {
          const next = statuses[place++ % statuses.length] as number;
          failures = next === 200 ? 0 : failures + 1;
          return answered(next);
        });
        const made = platform({ sender, random: seededRandom(seed) });
        const { clock } = made;
        await subscribe(made, 'one.example');
        await publish(made, 3);
        const worker = made.kit.worker();
        const due = new Map<string, number>();
        for (const wait of [0, ...steps]) {
          clock.set(clock.now() + wait);
          await worker.drain();
          // Nothing that is surely due is left behind, while the endpoint is surely not paused.
          if (failures + 2 >= failuresToOpen) continue;
          for (const [index, { id, state }] of (await deliveriesOf(made)).entries()) {
            const log = await attemptsOf(made, index);
            const last = log.at(-1)?.at ?? start;
            if (state === 'waiting') due.set(id, last + Math.ceil((retrySchedule[log.length - 1] as number) * 1.1));
            if (state === 'waiting') expect(due.get(id), 'due, and not attempted').toBeGreaterThan(clock.now());
          }
        }
        for (const [index, { state, attempts: counted }] of (await deliveriesOf(made)).entries()) {
          const log = await attemptsOf(made, index);
          attempts += log.length;
          expect(log).toHaveLength(counted);
          expect(counted).toBeLessThanOrEqual(10);
          for (const [at, attempt] of log.entries()) {
            const before = log[at - 1];
            if (before) expect(attempt.at - before.at, 'early').toBeGreaterThanOrEqual(retrySchedule[at - 1] as number);
            const delivered = attempt.kind === 'answered' && attempt.status === 200;
            expect(delivered).toBe(state === 'delivered' && at === log.length - 1);
          }
        }
      },
    ),
    historyRuns,
  );
  expect(attempts).toBeGreaterThan(5 * historyRuns.numRuns);
});
