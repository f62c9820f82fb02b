import { expect, test } from 'vitest';
import type { Clock } from '../../../src/base/runtime/clock.ts';
import { createPortLimit } from '../../../src/base/runtime/port-limit.ts';
import { systemClock } from '../../../src/base/runtime/system.ts';
import { minute } from '../../../src/base/runtime/time.ts';
import { yieldingOf } from '../../../src/base/runtime/yielding.ts';
import { settled, testClock } from '../../support/clock.ts';

/** A clock whose turns of the event loop end when the test says so. */
const steppedClock = () => {
  const clock = testClock();
  const turns: (() => void)[] = [];
  const stepped: Clock = { ...clock, yield: () => new Promise((resolve) => void turns.push(resolve)) };
  return {
    clock: stepped,
    pass: (time: number) => clock.set(clock.now() + time),
    asked: () => turns.length,
    turn: async () => {
      turns.shift()?.();
      await settled();
    },
  };
};

test('a loop asks for a turn at once, and waits for it after 5 ms', async () => {
  const { clock, pass, asked, turn } = steppedClock();
  const { due } = yieldingOf(clock);
  expect([due(), asked()]).toEqual([undefined, 1]);
  pass(4);
  expect(due()).toBeUndefined();
  pass(1);
  let isOver = false;
  void due()?.then(() => (isOver = true));
  await settled();
  expect([isOver, asked()]).toEqual([false, 1]);
  await turn();
  expect(isOver).toBe(true);
});

test('what waits in turns of its own neither waits nor asks more than once in 5 ms', async () => {
  const { clock, pass, asked, turn } = steppedClock();
  const { due } = yieldingOf(clock);
  let turns = 0;
  for (let time = 0; time < 100; time++) {
    expect(due()).toBeUndefined();
    turns += asked();
    await turn();
    pass(1);
  }
  expect(turns).toBe(20);
});

test('of loops that wait, one goes on in each turn, in order', async () => {
  const { clock, pass, turn } = steppedClock();
  const { due } = yieldingOf(clock);
  expect(due()).toBeUndefined();
  pass(5);
  const order: number[] = [];
  for (const nth of [1, 2, 3]) void due()?.then(() => order.push(nth));
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await turn();
    expect(order).toEqual(expected);
  }
  // Nothing waits: no turn is asked for until a loop has run for 5 ms again.
  expect(due()).toBeUndefined();
});

test('all loops of a clock share its time', () => {
  const { clock, pass } = steppedClock();
  expect(yieldingOf(clock).due()).toBeUndefined();
  pass(5);
  expect(yieldingOf(clock).due()).toBeInstanceOf(Promise);
});

test.each(['resolves', 'rejects'])(
  'a loop over calls of which each %s at once lets the event loop turn',
  async (how) => {
    const clock = testClock();
    const { call } = createPortLimit(clock, minute);
    let calls = 0;
    let atTimer: number | undefined;
    setTimeout(() => {
      atTimer = calls;
    }, 0);
    while (atTimer === undefined && calls < 10_000) {
      calls++;
      const answer = how === 'resolves' ? Promise.resolve() : Promise.reject(new Error('no'));
      await call('port', 'read', () => {
        clock.set(clock.now() + 1);
        return answer;
      }).catch(() => undefined);
    }
    expect(calls).toBeLessThan(10_000);
  },
);

test('the system lets timers run', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('immediate'));
  await systemClock.yield();
  order.push('yielded');
  expect(order).toEqual(['immediate', 'yielded']);
});
