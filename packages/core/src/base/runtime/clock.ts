import type { DurationMs, EpochMs } from './time.ts';

/**
 * Port: the only source of time and delays in core. The default is {@link systemClock}.
 * @public
 */
export interface Clock {
  /** Wall-clock time, in milliseconds since 1970. It may jump in both directions. */
  now(): EpochMs;
  /** Monotonic time, in milliseconds since any moment. @defaultValue `now`, which must then never be set back */
  monotonic?(): DurationMs;
  /** Resolves after `time` milliseconds, or when `signal` aborts; never rejects. Any length is allowed. */
  sleep(time: DurationMs, signal: AbortSignal): Promise<void>;
  /**
   * Resolves once timers and I/O that are ready have run. Loops that would block the process wait for it.
   * @defaultValue that of `systemClock`
   */
  yield?(): Promise<void>;
}

/** Monotonic time: for durations, never for dates. */
export const monotonicNow = (clock: Clock): DurationMs => clock.monotonic?.() ?? clock.now();
