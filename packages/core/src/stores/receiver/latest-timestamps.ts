import type { DurationMs, EpochSeconds } from '../../base/runtime/time.ts';

/**
 * Port: the timestamp of the newest processed event of each object, for receivers that keep the latest state
 * (specification §6.5: events may arrive in any order).
 * @public
 */
export interface LatestTimestamps<Tx extends object> {
  /**
   * Raises the timestamp of an object to `timestamp` inside the handler's transaction, so that both commit together.
   *
   * - Returns `false` and changes nothing when a later timestamp is stored: then do nothing.
   * - Returns `true` for the stored timestamp itself: the same event may come again.
   * - Simultaneous calls for one object wait for each other until the transaction of the first ends.
   * - `keep`: how long the timestamp is stored after the last call that returned `true`, in milliseconds.
   *   @defaultValue 35 days
   */
  advanceIn(tx: Tx, object: string, timestamp: EpochSeconds, keep?: DurationMs): Promise<boolean>;
}
