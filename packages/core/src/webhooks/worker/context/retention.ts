import { type DurationMs, day } from '../../../base/runtime/time.ts';

/**
 * How long rows are stored, in milliseconds.
 * @public
 */
export interface Retention {
  /** Held deliveries, then they expire. @defaultValue 14 days */
  readonly held: DurationMs;
  /**
   * Events with their deliveries and attempts, from the dispatch or the last attempt, whichever is later; longer while
   * a delivery is unfinished. @defaultValue 30 days
   */
  readonly events: DurationMs;
  /** Entries of the audit trail. @defaultValue 400 days */
  readonly audit: DurationMs;
}

export const defaultRetention: Retention = { held: 14 * day, events: 30 * day, audit: 400 * day };
