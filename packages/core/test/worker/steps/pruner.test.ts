import { describe, expect, test } from 'vitest';
import type { PruneLimits, PruneOutcome } from '../../../src/delivery-ports/delivery-log.ts';
import { day, minute, second } from '../../../src/runtime/time.ts';
import type { Signal } from '../../../src/signals/signal.ts';
import { createPruner, defaultRetention } from '../../../src/worker/pruner.ts';
import { createWorkerErrors } from '../../../src/worker/worker-errors.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { seededRandom } from '../../support/random.ts';

const nothing: PruneOutcome = { expired: [], hasMore: false };

/** A pruner of a log that answers so, one call after the other; then that there is nothing. */
const world = ({
  answers = [] as (PruneOutcome | Error)[],
  seed = 1,
  onCall = (_calls: number): unknown => undefined,
} = {}) => {
  const clock = testClock();
  const signals: Signal[] = [];
  const calls: { readonly at: number; readonly shards: readonly number[]; readonly limits: PruneLimits }[] = [];
  const state = { served: [3, 5] };
  const observe = (signal: Signal) => signals.push(signal);
  const errors = createWorkerErrors(observe, () => undefined);
  const pruner = createPruner({
    log: {
      prune: async (shards, limits) => {
        calls.push({ at: clock.now() - start, shards, limits });
        onCall(calls.length);
        const answer = answers.shift() ?? nothing;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    clock,
    random: seededRandom(seed),
    observe,
    errors,
    served: () => state.served,
    ages: { ...defaultRetention, deleted: 50 * second },
    every: minute,
  });
  return { clock, signals, calls, state, pruner, errors };
};

test('golden: held for 14 days, events and attempts for 30', () => {
  expect(defaultRetention).toEqual({ held: 14 * day, events: 30 * day, attempts: 30 * day });
});

describe('while it runs', () => {
  test('about once a minute, never at once, and not in step with others', async () => {
    const firsts = new Set<number>();
    for (let seed = 1; seed <= 20; seed++) {
      const { clock, calls, pruner } = world({ seed });
      const running = pruner.run();
      await clock.advance(20 * minute);
      expect(calls.length).toBeGreaterThan(13);
      expect(calls.length).toBeLessThan(41);
      for (const [index, { at }] of calls.entries()) {
        const wait = at - (calls[index - 1]?.at ?? 0);
        expect(wait >= minute / 2 && wait <= 1.5 * minute).toBe(true);
      }
      firsts.add(calls[0]?.at ?? 0);
      pruner.stop();
      await running;
    }
    expect(firsts.size).toBe(20);
  });

  test('a few rows of all shards; if there are more, shard by shard, as long as one has more', async () => {
    const more = { expired: [], hasMore: true };
    const { clock, calls, pruner } = world({ answers: [more, more, more, nothing, more] });
    const running = pruner.run();
    await clock.advance(1.5 * minute);
    const atOnce = calls.filter(({ at }) => at === calls[0]?.at);
    expect(atOnce.map(({ shards, limits: { limit } }) => [shards, limit])).toEqual([
      [[3, 5], 8],
      [[3], 1_000],
      [[3], 1_000],
      [[3], 1_000],
      [[5], 1_000],
      [[5], 1_000],
    ]);
    expect(calls[1]?.limits).toEqual({ ...defaultRetention, deleted: 50 * second, limit: 1_000 });
    pruner.stop();
    await running;
  });

  test('a storage that fails is not called again for the other shards', async () => {
    const more = { expired: [], hasMore: true };
    const { clock, calls, signals, pruner } = world({ answers: [more, more, new Error('down')] });
    const running = pruner.run();
    await clock.advance(1.5 * minute);
    expect(calls.filter(({ at }) => at === calls[0]?.at)).toHaveLength(3);
    expect(signals).toHaveLength(1);
    pruner.stop();
    await running;
  });

  test('a shard that is released meanwhile is left to its next owner', async () => {
    const more = { expired: [], hasMore: true };
    const { clock, calls, pruner, state } = world({
      answers: [more, more, more],
      onCall: (made) => {
        if (made === 2) state.served = [5];
      },
    });
    const running = pruner.run();
    await clock.advance(1.5 * minute);
    expect(calls.slice(0, 4).map(({ shards }) => shards)).toEqual([[3, 5], [3], [5], [5]]);
    pruner.stop();
    await running;
  });

  test('one signal for each endpoint with expired deliveries', async () => {
    const expired = [1, 2].map((count) => ({ accountId: 'acc_a', endpointId: `e${count}`, deliveries: count }));
    const { clock, signals, pruner } = world({ answers: [{ expired, hasMore: false }] });
    const running = pruner.run();
    await clock.advance(1.5 * minute);
    expect(signals).toEqual(expired.map((each) => ({ kind: 'delivery_expired', ...each, reason: 'held_too_long' })));
    pruner.stop();
    await running;
  });

  test('a failing storage is signalled, and called again a minute later', async () => {
    const { clock, signals, calls, pruner } = world({ answers: [new Error('down'), new Error('down')] });
    const running = pruner.run();
    await clock.advance(5 * minute);
    expect(signals).toEqual(Array(2).fill({ kind: 'worker_error', during: 'prune', error: { name: 'Error' } }));
    expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(minute / 2);
    pruner.stop();
    await running;
  });

  test('it stops during a wait or during long work, and may run again', async () => {
    const { clock, calls, pruner } = world();
    const first = pruner.run();
    await settled();
    pruner.stop();
    await first;
    expect([calls.length, clock.sleepers()]).toEqual([0, 0]);

    // Asked to stop while the third piece is being pruned.
    const endless = world({
      answers: Array.from({ length: 1_000 }, () => ({ expired: [], hasMore: true })),
      onCall: (calls) => calls === 3 && endless.pruner.stop(),
    });
    const second = endless.pruner.run();
    await endless.clock.advance(1.5 * minute);
    await second;
    expect(endless.calls).toHaveLength(3);

    const again = pruner.run();
    await clock.advance(1.5 * minute);
    expect(calls.length).toBeGreaterThan(0);
    pruner.stop();
    await again;
  });
});

describe('once', () => {
  test('all there is, and then not again for a minute', async () => {
    const { clock, calls, pruner } = world({ answers: [{ expired: [], hasMore: true }] });
    await pruner.once();
    await pruner.once();
    expect(calls.map(({ shards }) => shards)).toEqual([[3, 5], [3], [5]]);
    clock.set(start + minute - second);
    await pruner.once();
    expect(calls).toHaveLength(3);
    clock.set(start + minute);
    await pruner.once();
    expect(calls).toHaveLength(4);
  });

  test('nothing, while the worker serves no shards', async () => {
    const { pruner, calls, state } = world({ answers: [{ expired: [], hasMore: true }] });
    state.served = [];
    await pruner.once();
    expect(calls).toEqual([]);
  });

  test('an error is remembered', async () => {
    const { pruner, errors } = world({ answers: [new Error('down')] });
    await pruner.once();
    expect(errors.last()).toEqual(new Error('down'));
  });
});
