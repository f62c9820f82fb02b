import type { DurationMs } from '../../base/runtime/time.ts';

/**
 * A fixed-window limit. The window starts with the first point taken.
 * @public
 */
export interface LimitRule {
  /** Number of points in a window. */
  readonly points: number;
  /** Length of the window, in milliseconds. */
  readonly window: DurationMs;
}

/**
 * Port: counts points in fixed windows. Core takes a point before the outcome is known, so that simultaneous requests
 * cannot exceed a limit.
 * @public
 */
export interface RateLimiter {
  /**
   * Takes a point of `key`.
   *
   * - Resolves to 0 when a point was free, else to the time until one is, in milliseconds.
   * - Exact under simultaneous calls.
   * - Rejects when it cannot know.
   */
  take(key: string, rule: LimitRule): Promise<DurationMs>;
  /** Refunds one point. Does nothing when no point is taken or the window has ended. */
  refund(key: string): Promise<void>;
}
