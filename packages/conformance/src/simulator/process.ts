import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';
import { emptySleep, reading, type SpinGuard } from './spin-guard.ts';

export interface ProcessClocks {
  /** Milliseconds by which its wall clock is ahead of the true time. */
  readonly wallAhead: DurationMs;
  /** Initial value of its monotonic clock. Absent: it has none, and its wall clock never jumps. */
  readonly monotonicStart: DurationMs | undefined;
}

/** A simulated process. Every step passes through the scheduler, so it can be killed or paused at any await. */
export interface Process {
  readonly name: string;
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  /** Rejects when it is killed. */
  readonly death: Promise<never>;
  readonly clock: Clock;
  /** Suspends until the scheduler picks it; for ever if the process is killed meanwhile. */
  step(): Promise<void>;
  /** Makes a call in the process, or delays it while the process is paused. */
  resume(call: () => void): void;
  kill(): void;
  /** Runs nothing of it until then. Its timers become due meanwhile. */
  pause(until: EpochMs): void;
  /** Sets its wall clock ahead, or back. */
  jump(by: DurationMs): void;
}

/** The part of the scheduler that a process uses. */
interface Timeline {
  now(): EpochMs;
  at(time: EpochMs, call: () => void): () => void;
  soon(call: () => void, process?: Process): void;
  readonly spins: SpinGuard;
}

export const createProcess = (
  name: string,
  { wallAhead, monotonicStart }: ProcessClocks,
  scheduler: Timeline,
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

  const present = (): EpochMs => {
    scheduler.spins.note(name, reading);
    return scheduler.now();
  };

  const sleep = (time: DurationMs, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (time <= 0) scheduler.spins.note(name, emptySleep);
      const wake = (): void => {
        cancel();
        // A signal may outlive the simulation: a listener of an unaborted signal would retain it.
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
      now: () => present() + ahead,
      ...(monotonicStart === undefined ? {} : { monotonic: () => present() - bornAt + monotonicStart }),
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
