import type { Clock, DurationMs, EpochMs } from '@partnerkit/core';
import type { Scheduler } from './scheduler.ts';

/**
 * The clocks of a process.
 * @internal
 */
export interface ProcessClocks {
  /** How far its wall clock is ahead of the true time. */
  readonly wallAhead: DurationMs;
  /** What its monotonic clock shows at first. Absent: it has none, and its wall clock never jumps. */
  readonly monotonicStart: DurationMs | undefined;
}

/** A simulated process. All that it does passes through the scheduler, so it can be killed or paused at any await. @internal */
export interface Process {
  readonly name: string;
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  /** Rejects when it is killed. */
  readonly death: Promise<never>;
  readonly clock: Clock;
  /** Suspends until the scheduler picks it; for ever, if the process is killed meanwhile. */
  step(): Promise<void>;
  /** Makes a call in the process, or keeps it until it is no longer paused. */
  resume(call: () => void): void;
  kill(): void;
  /** Nothing of it runs until then. Its timers fall due meanwhile. */
  pause(until: EpochMs): void;
  /** Its wall clock is set ahead, or back. */
  jump(by: DurationMs): void;
}

/** @internal */
export const createProcess = (
  name: string,
  { wallAhead, monotonicStart }: ProcessClocks,
  scheduler: Scheduler,
): Process => {
  const bornAt = scheduler.now();
  let ahead = wallAhead;
  let isAlive = true;
  let pausedUntil: EpochMs | undefined;
  let kept: (() => void)[] = [];
  let reject: (reason: Error) => void = () => undefined;
  const death = new Promise<never>((_, rejected) => {
    reject = rejected;
  });
  death.catch(() => undefined);

  const wakeUp = (): void => {
    if (pausedUntil === undefined || pausedUntil > scheduler.now()) return;
    pausedUntil = undefined;
    const calls = kept;
    kept = [];
    for (const call of calls) scheduler.soon(call, process);
  };

  const sleep = (time: DurationMs, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        // A signal may outlive the simulation: what was never aborted must hold nothing of it.
        signal.removeEventListener('abort', wake);
        if (isAlive) scheduler.soon(resolve, process);
      };
      let cancel = (): void => undefined;
      if (signal.aborted || time <= 0) return scheduler.soon(resolve, process);
      cancel = scheduler.at(scheduler.now() + time, wake);
      signal.addEventListener('abort', wake);
    });

  const process: Process = {
    name,
    get isAlive() {
      return isAlive;
    },
    get isPaused() {
      return pausedUntil !== undefined;
    },
    death,
    clock: {
      now: () => scheduler.now() + ahead,
      ...(monotonicStart === undefined ? {} : { monotonic: () => scheduler.now() - bornAt + monotonicStart }),
      sleep,
    },
    step: () =>
      new Promise((resume) => {
        scheduler.soon(resume, process);
      }),
    resume: (call) => {
      if (!isAlive) return;
      if (pausedUntil === undefined) call();
      else kept.push(call);
    },
    kill: () => {
      isAlive = false;
      kept = [];
      reject(new Error(`${name} was killed.`));
    },
    pause: (until) => {
      if (!isAlive) return;
      pausedUntil = Math.max(until, pausedUntil ?? until);
      scheduler.at(until, wakeUp);
    },
    jump: (by) => {
      if (monotonicStart !== undefined) ahead += by;
    },
  };
  return process;
};
