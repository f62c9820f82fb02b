import type { DurationMs, EpochMs } from './time.ts';

/**
 * Port: the only way core learns the time or waits.
 *
 * The default is the system's clock; tests and simulations give their own.
 * @public
 */
export interface Clock {
  /** The present. It may jump: core never relies on it to grow. */
  now(): EpochMs;
  /** Milliseconds since some moment: grows evenly, whatever becomes of the present. @defaultValue `now`, which must not be set back then */
  monotonic?(): DurationMs;
  /** Resolves after `time`, or as soon as `signal` aborts; never rejects. Any length is allowed. */
  sleep(time: DurationMs, signal: AbortSignal): Promise<void>;
}

/** The present by the clock that grows evenly: for lengths of time, never for dates. @internal */
export const monotonicNow = (clock: Clock): DurationMs => clock.monotonic?.() ?? clock.now();
