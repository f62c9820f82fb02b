import type { Clock } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyKinds } from '../../src/simulator/arbitraries/kinds.ts';
import type { History } from '../../src/simulator/history.ts';
import { simulate } from '../../src/simulator/index.ts';
import { createPrng } from '../../src/simulator/prng.ts';
import type { Process } from '../../src/simulator/process.ts';
import { createScheduler } from '../../src/simulator/scheduler.ts';

const never = new AbortController().signal;

describe('a process that never waits ends its history with an error that names the loop', () => {
  const waitForMicrotasks = async ({ clock }: Process): Promise<void> => {
    for (const until = clock.now() + 1_000; clock.now() < until; ) await undefined;
  };
  const sleepForNothing = async ({ clock }: Process): Promise<void> => {
    for (;;) await clock.sleep(0, never);
  };

  test.each([
    ['the reading of its clock', waitForMicrotasks],
    ['a sleep of no duration', sleepForNothing],
  ])('%s', async (act, spin) => {
    const scheduler = createScheduler(0, createPrng(1), 1_000_000);
    const process = scheduler.spawn('worker 1.1', { wallAhead: 0, monotonicStart: 0 });
    spin(process).catch(() => undefined);
    const error: Error = await scheduler.run(() => false).then(expect.unreachable, (cause) => cause);
    expect(error.message).toMatch(new RegExp(`^worker 1\\.1 repeated ${act} \\d+ times within \\d+ ms`));
    expect(error.stack).toContain(spin.name);
  });

  test('the calls of a worker whose sleeps end at once', async () => {
    const [history] = fc.sample(historyKinds.minutes, { numRuns: 1, seed: 1 }) as [History];
    const clock = (whole: Clock): Clock => ({ ...whole, sleep: (_time, signal) => whole.sleep(0, signal) });
    await expect(simulate(history, { clock })).rejects.toThrow(/^worker \d\.\d repeated shards\.\w+ \d+ times/);
  });

  test('sessions that are lost, without a pause of a second', async () => {
    const clock = (whole: Clock): Clock => ({
      ...whole,
      sleep: (time, signal) => whole.sleep(time === 1_000 ? 0 : time, signal),
    });
    const spins: string[] = [];
    for (const history of fc.sample(historyKinds.losses, { numRuns: 20, seed: 1 })) {
      await simulate(history, { clock }).catch((cause) => spins.push(String(cause)));
      if (spins.length > 0) break;
    }
    expect(spins).toEqual([expect.stringContaining('worker 1.1 repeated shards.join 13 times')]);
  });
});
