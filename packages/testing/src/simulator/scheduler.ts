import type { Clock, DurationMs, EpochMs } from '@partnerkit/core';
import type { Prng } from './prng.ts';

/** A simulated process: all that it does passes through the scheduler, so it can be killed at any await. @internal */
export interface Process {
  readonly name: string;
  readonly alive: boolean;
  /** Rejects when it is killed. */
  readonly death: Promise<never>;
  /** Its clock: virtual, and the same for all. */
  readonly clock: Clock;
  /** Suspends until the scheduler picks it; for ever, if the process is killed meanwhile. */
  step(): Promise<void>;
  kill(): void;
}

/** @internal */
export interface Scheduler {
  now(): EpochMs;
  spawn(name: string): Process;
  /** Calls back at a virtual time, outside any process. */
  at(time: EpochMs, call: () => void): void;
  /** Called before each step, which it may forestall by killing. */
  onStep(call: (process: Process) => void): void;
  /** Runs step by step until `done`. @throws Error when nothing is left to run, or it takes too long. */
  run(done: () => boolean | Promise<boolean>): Promise<void>;
}

interface Waiting {
  readonly process: Process;
  readonly resume: () => void;
}
interface Timer {
  readonly due: EpochMs;
  readonly process: Process | undefined;
  readonly call: () => void;
  readonly forget: () => void;
}

/** All that a process does between two steps happens in microtasks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stall = 0.04;
const mostSteps = 100_000;

/** @internal */
export const createScheduler = (start: EpochMs, prng: Prng): Scheduler => {
  let now = start;
  const ready: Waiting[] = [];
  let timers: Timer[] = [];
  const watchers: ((process: Process) => void)[] = [];

  const nextTimer = (): Timer | undefined =>
    timers.reduce<Timer | undefined>((first, timer) => (first && first.due <= timer.due ? first : timer), undefined);

  const sleep = (process: Process, time: DurationMs, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        timers = timers.filter((held) => held !== timer);
        timer.forget();
        ready.push({ process, resume: resolve });
      };
      // A signal may outlive the simulation: what was never aborted must hold nothing of it.
      const forget = (): void => signal.removeEventListener('abort', wake);
      const timer: Timer = { due: now + time, process, call: wake, forget };
      if (signal.aborted) return ready.push({ process, resume: resolve });
      timers.push(timer);
      signal.addEventListener('abort', wake);
    });

  const spawn = (name: string): Process => {
    let alive = true;
    let reject: (reason: Error) => void = () => undefined;
    const death = new Promise<never>((_, rejected) => {
      reject = rejected;
    });
    death.catch(() => undefined);
    const process: Process = {
      name,
      get alive() {
        return alive;
      },
      death,
      clock: { now: () => now, sleep: (time, signal) => sleep(process, time, signal) },
      step: () => new Promise((resume) => ready.push({ process, resume })),
      kill: () => {
        alive = false;
        for (const timer of timers) if (timer.process === process) timer.forget();
        timers = timers.filter((timer) => timer.process !== process);
        reject(new Error(`${name} was killed.`));
      },
    };
    return process;
  };

  const advance = (): void => {
    const timer = nextTimer();
    if (!timer) throw new Error('Nothing is left to run, and not all is done.');
    now = Math.max(now, timer.due);
    timers = timers.filter((held) => held !== timer);
    timer.call();
  };

  const stepOne = (): void => {
    const [picked] = ready.splice(prng.below(ready.length), 1);
    if (!picked) return;
    now += prng.below(3);
    for (const watch of watchers) watch(picked.process);
    if (picked.process.alive) picked.resume();
  };

  return {
    now: () => now,
    spawn,
    at: (due, call) => {
      timers.push({ due, process: undefined, call, forget: () => undefined });
    },
    onStep: (call) => {
      watchers.push(call);
    },
    run: async (done) => {
      for (let steps = 0; steps < mostSteps; steps++) {
        await settled();
        for (let index = ready.length - 1; index >= 0; index--)
          if (!ready[index]?.process.alive) ready.splice(index, 1);
        const idle = ready.length === 0;
        if (idle && (await done())) return;
        if (idle || prng.chance(stall)) {
          if (!idle && timers.length === 0) continue;
          advance();
        } else stepOne();
      }
      throw new Error(`Not done after ${mostSteps} steps: something never ends.`);
    },
  };
};
