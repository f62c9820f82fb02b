import { expect, test } from 'vitest';
import type { UsageDay } from '../../../src/access/clients/client-usage.ts';
import { createCallCounter } from '../../../src/access/clients/count-calls.ts';
import { day, minute, second } from '../../../src/base/runtime/time.ts';
import { start, testClock } from '../../support/clock.ts';

/** Of each write, the calls by client and day. */
const world = (addUsage: (days: readonly UsageDay[]) => Promise<void> = async () => undefined) => {
  const clock = testClock();
  const writes: (readonly UsageDay[])[] = [];
  const firsts: string[] = [];
  const errors: unknown[] = [];
  const calls = createCallCounter({
    clock,
    store: {
      addUsage: (days, since) => {
        writes.push(days);
        firsts.push(since);
        return addUsage(days);
      },
    },
    onError: (cause) => errors.push(cause),
  });
  const sums = () => writes.map((days) => days.map((each) => [each.clientId, each.date, each.calls]));
  return { clock, calls, writes, firsts, errors, sums };
};
/** Lets writes that were begun reach the store. */
const turn = () => new Promise(setImmediate);

test('the first call is written at once; those of the minute after it, by the first call that follows', async () => {
  const { clock, calls, writes, sums } = world();
  calls.count('a');
  await turn();
  expect(writes).toEqual([[{ clientId: 'a', date: '2024-11-21', calls: 1, lastCallAt: start }]]);
  for (let count = 0; count < 500; count++) calls.count(count % 2 ? 'a' : 'b');
  clock.set(start + minute - 1);
  calls.count('a');
  await turn();
  expect(writes).toHaveLength(1);
  clock.set(start + minute);
  calls.count('b');
  await turn();
  expect(sums()[1]).toEqual([
    ['b', '2024-11-21', 251],
    ['a', '2024-11-21', 251],
  ]);
  expect(writes[1]?.map(({ lastCallAt }) => lastCallAt)).toEqual([start + minute, start + minute - 1]);
});

test('a thousand calls a second of 50 keys are one write a minute, with at most one row for each key', async () => {
  const { clock, calls, writes } = world();
  for (let at = 0; at < 3 * minute; at++) {
    clock.set(start + at);
    calls.count(`client ${at % 50}`);
  }
  await calls.flush();
  // The first call is written at once; what came since the last write, by the flush.
  expect(writes.map(({ length }) => length)).toEqual([1, 50, 50, 50]);
  for (const rows of writes) expect(new Set(rows.map(({ clientId }) => clientId)).size).toBe(rows.length);
  expect(writes.flat().reduce((sum, each) => sum + each.calls, 0)).toBe(3 * minute);
});

test('a call belongs to the day on which it came, and old days end 30 days before', async () => {
  const { clock, calls, firsts, sums } = world();
  clock.set(start + day - 2 * second);
  calls.count('a');
  calls.count('a');
  clock.set(start + day);
  calls.count('a');
  await turn();
  expect(sums()).toEqual([[['a', '2024-11-21', 1]], [['a', '2024-11-21', 1]], [['a', '2024-11-22', 1]]]);
  expect(firsts).toEqual(['2024-10-23', '2024-10-24', '2024-10-24']);
});

test('the last refusal is written with its reason', async () => {
  const { clock, calls, writes } = world();
  calls.count('a', 'insufficient_scope');
  clock.set(start + second);
  calls.count('a', 'insufficient_scope');
  clock.set(start + 2 * second);
  calls.count('a', 'too_many_requests');
  clock.set(start + 3 * second);
  calls.count('a');
  await calls.flush();
  const common = { clientId: 'a', date: '2024-11-21' };
  expect(writes.flat()).toEqual([
    { ...common, calls: 1, lastCallAt: start, lastRefusal: { at: start, reason: 'insufficient_scope' } },
    {
      ...{ ...common, calls: 3, lastCallAt: start + 3 * second },
      lastRefusal: { at: start + 2 * second, reason: 'too_many_requests' },
    },
  ]);
});

test('a worker writes what waits, once a minute has passed; what is told to flush writes at once', async () => {
  const { clock, calls, sums } = world();
  calls.writeIfDue();
  calls.count('a');
  calls.count('a');
  calls.writeIfDue();
  await turn();
  expect(sums()).toEqual([[['a', '2024-11-21', 1]]]);
  clock.set(start + minute);
  calls.writeIfDue();
  calls.writeIfDue();
  await turn();
  expect(sums()).toHaveLength(2);
  calls.count('b');
  await calls.flush();
  await calls.flush();
  expect(sums().slice(1)).toEqual([[['a', '2024-11-21', 1]], [['b', '2024-11-21', 1]]]);
});

test('flush waits for the store, and resolves when it fails: these calls are lost, and reported', async () => {
  const broken = new Error('no connection');
  let fail: () => void = () => undefined;
  const { calls, errors, writes } = world(() => new Promise((_, reject) => (fail = () => reject(broken))));
  calls.count('a');
  let isFlushed = false;
  const flushed = calls.flush().then(() => {
    isFlushed = true;
  });
  await turn();
  expect([isFlushed, writes.length]).toEqual([false, 1]);
  fail();
  await flushed;
  expect(errors).toEqual([broken]);
  await calls.flush();
  expect(writes).toHaveLength(1);
});

test('a clock that was set back does not stop the writes', async () => {
  const { clock, calls, sums } = world();
  calls.count('a');
  clock.set(start - 3 * day);
  calls.count('a');
  await turn();
  expect(sums()).toEqual([[['a', '2024-11-21', 1]], [['a', '2024-11-18', 1]]]);
});

test('many clients are written in batches of 500', async () => {
  const { calls, writes } = world();
  for (let count = 0; count < 1_201; count++) calls.count(`client ${count}`);
  await calls.flush();
  expect(writes.map(({ length }) => length)).toEqual([1, 500, 500, 200]);
});
