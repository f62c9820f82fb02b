import { expect, test } from 'vitest';
import { manualClock } from '../../src/scripted/clock.ts';

const never = new AbortController().signal;

test('time stands still until it is let pass', async () => {
  const clock = manualClock();
  expect(clock.now()).toBe(Date.UTC(2025, 0));
  await clock.pass(1_500);
  expect(clock.now()).toBe(Date.UTC(2025, 0) + 1_500);
  expect(manualClock(7).now()).toBe(7);
});

test('sleepers wake in the order of their times, each at its own, those that they start included', async () => {
  const clock = manualClock(0);
  const woken: string[] = [];
  const sleep = async (name: string, ...times: readonly number[]): Promise<void> => {
    for (const time of times) {
      await clock.sleep(time, never);
      woken.push(`${name} ${clock.now()}`);
    }
  };
  const asleep = [sleep('long', 50), sleep('twice', 20, 20), sleep('short', 10)];
  await clock.pass(39);
  expect(woken).toEqual(['short 10', 'twice 20']);
  await clock.pass(11);
  expect(woken).toEqual(['short 10', 'twice 20', 'twice 40', 'long 50']);
  await Promise.all(asleep);
});

test('a sleeper that is aborted, or sleeps for no time, wakes at once', async () => {
  const clock = manualClock();
  const abort = new AbortController();
  const asleep = clock.sleep(1_000, abort.signal);
  abort.abort();
  await asleep;
  await clock.sleep(1_000, abort.signal);
  await clock.sleep(0, never);
});
