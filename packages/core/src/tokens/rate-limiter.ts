import type { DurationMs } from '../runtime/time.ts';

/**
 * So many points in a window that begins with the first.
 * @public
 */
export interface LimitRule {
  readonly points: number;
  readonly window: DurationMs;
}

/**
 * Port: counts an attempt before its outcome is known, so that N racers cannot all slip under the limit.
 * @public
 */
export interface RateLimiter {
  /** Takes a point: 0 when there was one, else how long until there is. Exact under N racers. Rejects when it cannot know. */
  take(key: string, rule: LimitRule): Promise<DurationMs>;
  /** Returns one point. Does nothing when no point is taken or the window has ended. */
  refund(key: string): Promise<void>;
}
