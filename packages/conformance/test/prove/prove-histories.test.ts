import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTrace } from '../../src/prove/count-trace.ts';
import { batchSize, proveHistories } from '../../src/prove/prove-histories.ts';
import { historyArbitrary } from '../../src/simulator/arbitrary.ts';
import { lawNames } from '../../src/simulator/laws.ts';
import { simulate } from '../../src/simulator/simulate.ts';
import type { Trace } from '../../src/simulator/trace.ts';

/** A history with at least one event and one POST. */
const sound = async (): Promise<Trace> => {
  for (const history of fc.sample(historyArbitrary, { numRuns: 20, seed: 1 })) {
    const trace = await simulate(history);
    if (trace.posts.length > 0 && trace.published.some(({ committedAt }) => committedAt !== undefined)) return trace;
  }
  return expect.unreachable('no history sends anything');
};

test('the figures are the sum of all histories, and each batch has the next seed', async () => {
  const trace = await sound();
  const one = countTrace(trace);
  const heard: number[] = [];
  const proved = await proveHistories({
    seed: 7,
    goesOn: (histories) => histories < 2 * batchSize,
    onBatch: (histories) => heard.push(histories),
    run: async () => trace,
  });
  expect(proved).toMatchObject({ histories: 2 * batchSize, laws: lawNames.length, seeds: [7, 8] });
  expect(proved.broken).toBeUndefined();
  expect(proved.counts.attempts).toBe(2 * batchSize * one.attempts);
  expect(proved.counts.events).toBe(2 * batchSize * one.events);
  expect(heard).toEqual([batchSize, 2 * batchSize]);
});

test('the first broken law ends it, with its name and the seed that finds it', async () => {
  const trace = await sound();
  const forged = { ...trace, posts: trace.posts.map((post) => ({ ...post, body: `${post.body} ` })) };
  const proved = await proveHistories({ seed: 40, goesOn: () => true, run: async () => forged });
  expect(proved.histories).toBe(0);
  expect(proved.broken).toContain('every attempt sends the bytes that were dispatched');
  expect(proved.broken).toMatch(/seed: 40/);
});

test('faults are counted by what they did', () => {
  const call = (learned: 'answer' | 'error' | undefined, effectAt: number | undefined) => ({ learned, effectAt });
  const life = (diedAt: number | undefined, stoppedAt: number | undefined, pauses = 0) => ({
    ...{ diedAt, stoppedAt },
    pauses: Array.from({ length: pauses }, () => ({ from: 1, to: 2 })),
  });
  const trace = {
    history: { storeJumps: [{}, {}], machineEvents: [{ kind: 'clock' }, { kind: 'crash' }] },
    startedAt: 0,
    endedAt: 43_200_000,
    published: [
      { committedAt: 5, end: 'committed' },
      { committedAt: undefined, end: 'rolled back' },
      { committedAt: 6, end: 'unknown' },
    ],
    posts: [
      { outcome: { kind: 'answered', status: 204 } },
      { outcome: { kind: 'answered', status: 300 } },
      { outcome: { kind: 'failed', reason: 'reset' } },
      { outcome: undefined },
    ],
    calls: [
      call('answer', 1),
      call('error', 2),
      call(undefined, 3),
      call('error', undefined),
      call(undefined, undefined),
    ],
    // One crashed, one lived to the end, one stopped before it ended.
    lives: [life(10, undefined, 2), life(43_200_000, undefined), life(20, 20, 1)],
  };
  expect(countTrace(trace as unknown as Trace)).toEqual({
    ...{ events: 2, rolledBack: 1, attempts: 4, failedAttempts: 3, crashes: 1, pauses: 3 },
    ...{ failedCalls: 1, lostAnswers: 2, clockJumps: 3, days: 0.5 },
  });
});
