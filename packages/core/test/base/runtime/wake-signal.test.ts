import { expect, test } from 'vitest';
import { createWakeSignal } from '../../../src/base/runtime/wake-signal.ts';
import { settled, testClock } from '../../support/clock.ts';

/** Whether a promise has resolved, once everything ran that needs no time. */
const watched = (promise: Promise<void>): (() => Promise<boolean>) => {
  let done = false;
  const watching = promise.then(() => {
    done = true;
  });
  return async () => {
    await Promise.race([watching, settled()]);
    return done;
  };
};

test('a wake ends a wait at once', async () => {
  const wakeSignal = createWakeSignal(testClock());
  const woke = watched(wakeSignal.wait());
  expect(await woke()).toBe(false);
  wakeSignal.wake();
  expect(await woke()).toBe(true);
});

test('a wake without a waiter is remembered once', async () => {
  const wakeSignal = createWakeSignal(testClock());
  wakeSignal.wake();
  wakeSignal.wake();
  expect(await watched(wakeSignal.wait())()).toBe(true);
  expect(await watched(wakeSignal.wait())()).toBe(false);
});

test('waits no longer than the given time', async () => {
  const clock = testClock();
  const wakeSignal = createWakeSignal(clock);
  const woke = watched(wakeSignal.wait(250));
  await clock.advance(249);
  expect(await woke()).toBe(false);
  await clock.advance(1);
  expect(await woke()).toBe(true);
});

test('a wake ends a timed wait and leaves no sleeper behind', async () => {
  const clock = testClock();
  const wakeSignal = createWakeSignal(clock);
  const woke = watched(wakeSignal.wait(250));
  wakeSignal.wake();
  expect(await woke()).toBe(true);
  expect(clock.sleepers()).toBe(0);
  const again = watched(wakeSignal.wait(250));
  expect(await again()).toBe(false);
  wakeSignal.wake();
  expect(await again()).toBe(true);
});

test('the end of a timed wait does not shorten the next', async () => {
  const clock = testClock();
  const wakeSignal = createWakeSignal(clock);
  const first = watched(wakeSignal.wait(250));
  await clock.advance(250);
  expect(await first()).toBe(true);
  const second = watched(wakeSignal.wait(250));
  await clock.advance(249);
  expect(await second()).toBe(false);
});

test('a wait without a time does not use the clock', async () => {
  const wakeSignal = createWakeSignal({ now: () => expect.unreachable(), sleep: () => expect.unreachable() });
  const woke = watched(wakeSignal.wait());
  expect(await woke()).toBe(false);
  wakeSignal.wake();
  expect(await woke()).toBe(true);
});

test('a wake ends every wait and is then over', async () => {
  const clock = testClock();
  const wakeSignal = createWakeSignal(clock);
  const woke = [watched(wakeSignal.wait()), watched(wakeSignal.wait(250)), watched(wakeSignal.wait())];
  wakeSignal.wake();
  expect(await Promise.all(woke.map((each) => each()))).toEqual([true, true, true]);
  expect(clock.sleepers()).toBe(0);
  expect(await watched(wakeSignal.wait())()).toBe(false);
});

test('a timed-out wait does not wake others', async () => {
  const clock = testClock();
  const wakeSignal = createWakeSignal(clock);
  const [patient, hurried] = [watched(wakeSignal.wait()), watched(wakeSignal.wait(250))];
  await clock.advance(250);
  expect([await patient(), await hurried()]).toEqual([false, true]);
  wakeSignal.wake();
  expect(await patient()).toBe(true);
});
