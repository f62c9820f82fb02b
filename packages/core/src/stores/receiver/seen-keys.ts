import type { DurationMs } from '../../base/runtime/time.ts';
import type { LatestTimestamps } from './latest-timestamps.ts';

/**
 * Result of a claim.
 * @public
 */
export type SeenClaim =
  /** The caller processes the key. */
  | {
      readonly kind: 'claimed';
      /** Fencing token: `confirm` and `release` require it. */
      readonly lease: string;
    }
  /** Another caller holds the lease. */
  | { readonly kind: 'in_progress' }
  /** The key was confirmed. */
  | { readonly kind: 'done' };

/**
 * Port: the keys that a receiver has processed (specification §6.5), claimed first and confirmed after the work. When a
 * process dies in between, the key is processed again.
 *
 * - Each method may return its result or a promise; a store in memory saves turns of the event loop without one.
 * - Any number of calls may run at once, for one key too.
 * - Rejects or throws only when the store fails. Any other answer than those below counts as a failure.
 * @public
 */
export interface SeenKeys {
  /**
   * Claims a key for `lease` milliseconds, unless it is confirmed before. Exactly one of N simultaneous claims
   * succeeds.
   */
  claim(key: string, lease: DurationMs): SeenClaim | Promise<SeenClaim>;
  /** Remembers the key for `keep` milliseconds. Returns `false` and changes nothing when the lease has been lost. */
  confirm(key: string, lease: string, keep: DurationMs): boolean | Promise<boolean>;
  /** Releases the key for the next claim. Does nothing when the lease has been lost. */
  release(key: string, lease: string): void | Promise<void>;
}

/**
 * Processed keys in a database.
 * @public
 */
export interface StoredSeenKeys<Tx extends object> extends SeenKeys, LatestTimestamps<Tx> {
  /**
   * Marks a key as processed inside the handler's transaction, so that both commit together.
   *
   * - Returns `false` when it was processed before: then do nothing.
   * - Simultaneous calls for one key wait for each other.
   * - `keep`: how long the key is stored, in milliseconds. @defaultValue 35 days
   */
  markIn(tx: Tx, key: string, keep?: DurationMs): Promise<boolean>;
}
