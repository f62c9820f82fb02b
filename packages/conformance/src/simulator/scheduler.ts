import type { DurationMs, EpochMs } from '@partnerkit/core';
import { createHeap } from './heap.ts';
import type { Prng } from './prng.ts';
import { createProcess, type Process, type ProcessClocks } from './process.ts';
import { createSpinGuard, type SpinGuard } from './spin-guard.ts';

/** Virtual time, and the order of all steps. */
export interface Scheduler {
  /** The true time; the clocks of the simulation may differ. */
  now(): EpochMs;
  spawn(name: string, clocks: ProcessClocks): Process;
  /** Schedules a call outside any process. Returns a function that cancels it. */
  at(time: EpochMs, call: () => void): () => void;
  /**
   * Schedules a call for now, in random order with everything else that is ready. Without a process, it runs even when
   * processes die or pause.
   */
  soon(call: () => void, process?: Process): void;
  /** Advances time to `to` in one leap; timers that become due are late. */
  leap(to: EpochMs): void;
  /**
   * Runs step by step until `isDone` returns true; it is called whenever nothing is ready. Resolves to the reason of
   * the end.
   */
  run(isDone: () => boolean | Promise<boolean>): Promise<'done' | 'too many steps'>;
  /** Ends {@link run} with an error when a process never waits. */
  readonly spins: SpinGuard;
  /** The number of steps so far. */
  steps(): number;
}

interface Ready {
  readonly process: Process | undefined;
  readonly call: () => void;
}
interface Timer {
  readonly due: EpochMs;
  readonly order: number;
  readonly call: () => void;
  cancelled: boolean;
}

/** Everything between two steps happens in microtasks. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Probability that time advances to the next timer although something is ready, and the maximum advance: a slow
 * computer.
 */
const stall = 0.04;
const longestStall: DurationMs = 2_000;
/** Maximum duration of a step, in milliseconds. */
const longestStep: DurationMs = 2;

/** @param whenSettled - Resolves once nothing outside this process is under way. */
export const createScheduler = (
  start: EpochMs,
  prng: Prng,
  maxSteps: number,
  whenSettled?: () => Promise<void>,
): Scheduler => {
  let now = start;
  let steps = 0;
  let timersMade = 0;
  const ready: Ready[] = [];
  const timers = createHeap<Timer>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));

  const firstTimer = (): Timer | undefined => {
    for (let first = timers.peek(); first; first = timers.peek()) {
      if (!first.cancelled) return first;
      timers.pop();
    }
    return undefined;
  };

  const advance = (): void => {
    const timer = firstTimer();
    if (!timer) return;
    timers.pop();
    now = Math.max(now, timer.due);
    timer.call();
  };

  const takeReady = (): Ready | undefined => {
    const index = prng.below(ready.length);
    const picked = ready[index];
    const last = ready.pop();
    if (last && index < ready.length) ready[index] = last;
    return picked;
  };

  const stepOne = (): void => {
    const picked = takeReady();
    if (!picked) return;
    now += prng.below(longestStep + 1);
    if (picked.process) picked.process.resume(picked.call);
    else picked.call();
  };

  const scheduler: Scheduler = {
    now: () => now,
    spawn: (name, clocks) => createProcess(name, clocks, scheduler),
    at: (due, call) => {
      const timer: Timer = { due, order: timersMade++, call, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    soon: (call, process) => {
      ready.push({ process, call });
    },
    leap: (to) => {
      now = Math.max(now, to);
    },
    run: async (isDone) => {
      for (; steps < maxSteps; steps++) {
        await settled();
        await whenSettled?.();
        scheduler.spins.assertNone();
        const isIdle = ready.length === 0;
        if (isIdle && (await isDone())) return 'done';
        if (ready.length === 0 || (prng.chance(stall) && (firstTimer()?.due ?? Infinity) - now <= longestStall)) {
          if (!firstTimer()) return 'done';
          advance();
        } else stepOne();
      }
      return 'too many steps';
    },
    spins: createSpinGuard(() => now),
    steps: () => steps,
  };
  return scheduler;
};
