import { expect, test } from 'vitest';
import { createBell } from '../../src/runtime/bell.ts';
import { settled, testClock } from '../support/clock.ts';

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

test('a ring wakes whoever waits, at once', async () => {
  const bell = createBell(testClock());
  const woke = watched(bell.wait());
  expect(await woke()).toBe(false);
  bell.ring();
  expect(await woke()).toBe(true);
});

test('a ring that nobody waits for is remembered, once', async () => {
  const bell = createBell(testClock());
  bell.ring();
  bell.ring();
  expect(await watched(bell.wait())()).toBe(true);
  expect(await watched(bell.wait())()).toBe(false);
});

test('waits no longer than it was told', async () => {
  const clock = testClock();
  const bell = createBell(clock);
  const woke = watched(bell.wait(250));
  await clock.advance(249);
  expect(await woke()).toBe(false);
  await clock.advance(1);
  expect(await woke()).toBe(true);
});

test('a ring ends a timed wait and leaves no sleeper behind', async () => {
  const clock = testClock();
  const bell = createBell(clock);
  const woke = watched(bell.wait(250));
  bell.ring();
  expect(await woke()).toBe(true);
  expect(clock.sleepers()).toBe(0);
  const again = watched(bell.wait(250));
  expect(await again()).toBe(false);
  bell.ring();
  expect(await again()).toBe(true);
});

test('the end of a timed wait does not shorten the next', async () => {
  const clock = testClock();
  const bell = createBell(clock);
  const first = watched(bell.wait(250));
  await clock.advance(250);
  expect(await first()).toBe(true);
  const second = watched(bell.wait(250));
  await clock.advance(249);
  expect(await second()).toBe(false);
});

test('a wait without a time asks no clock', async () => {
  const bell = createBell({ now: () => expect.unreachable(), sleep: () => expect.unreachable() });
  const woke = watched(bell.wait());
  expect(await woke()).toBe(false);
  bell.ring();
  expect(await woke()).toBe(true);
});

test('a ring wakes all who wait, and is then over', async () => {
  const clock = testClock();
  const bell = createBell(clock);
  const woke = [watched(bell.wait()), watched(bell.wait(250)), watched(bell.wait())];
  bell.ring();
  expect(await Promise.all(woke.map((each) => each()))).toEqual([true, true, true]);
  expect(clock.sleepers()).toBe(0);
  expect(await watched(bell.wait())()).toBe(false);
});

test('one whose time has come wakes alone', async () => {
  const clock = testClock();
  const bell = createBell(clock);
  const [patient, hurried] = [watched(bell.wait()), watched(bell.wait(250))];
  await clock.advance(250);
  expect([await patient(), await hurried()]).toEqual([false, true]);
  bell.ring();
  expect(await patient()).toBe(true);
});
