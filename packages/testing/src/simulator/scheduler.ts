import type { DurationMs, EpochMs } from '@partnerkit/core';
import { createHeap } from './heap.ts';
import type { Prng } from './prng.ts';
import { createProcess, type Process, type ProcessClocks } from './process.ts';

/** Virtual time, and the order in which everything happens. @internal */
export interface Scheduler {
  /** The true time, which no clock of the simulation needs to show. */
  now(): EpochMs;
  spawn(name: string, clocks: ProcessClocks): Process;
  /** Calls back at a time, outside any process. Returns the way to cancel. */
  at(time: EpochMs, call: () => void): () => void;
  /** Calls back soon, after whatever else is ready and is picked first. Without a process: whoever dies or is paused meanwhile. */
  soon(call: () => void, process?: Process): void;
  /** Lets all time until then pass in one leap; timers that fall due are late. */
  leap(to: EpochMs): void;
  /** Runs step by step until `isDone`, which is asked whenever nothing is ready. Resolves to the reason why it ended. */
  run(isDone: () => boolean | Promise<boolean>): Promise<'done' | 'too many steps'>;
  /** How many steps were made. */
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

/** All that happens between two steps happens in microtasks. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** How often time passes until the next timer although something is ready, and how much at most: a slow computer. */
const stall = 0.04;
const longestStall: DurationMs = 2_000;
/** The longest that a step takes, in milliseconds. */
const longestStep: DurationMs = 2;

/** @internal */
export const createScheduler = (start: EpochMs, prng: Prng, maxSteps: number): Scheduler => {
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
        const isIdle = ready.length === 0;
        if (isIdle && (await isDone())) return 'done';
        if (ready.length === 0 || (prng.chance(stall) && (firstTimer()?.due ?? Infinity) - now <= longestStall)) {
          if (!firstTimer()) return 'done';
          advance();
        } else stepOne();
      }
      return 'too many steps';
    },
    steps: () => steps,
  };
  return scheduler;
};
