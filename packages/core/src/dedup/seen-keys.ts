import type { DurationMs } from '../runtime/time.ts';

/**
 * The answer to a claim.
 * @public
 */
export type SeenClaim =
  | { readonly kind: 'claimed' /** Fences: confirm and release only work with it. */; readonly lease: string }
  /** Another holds a living lease. */
  | { readonly kind: 'in_progress' }
  /** It was confirmed before. */
  | { readonly kind: 'done' };

/**
 * Port: the keys that a receiver has processed (specification §6.5), in two phases: what a process claimed and did not confirm
 * before it died is processed again, never lost.
 *
 * - Each method may return its answer or a promise of it. A store in this process answers at once, which saves turns of the event loop.
 * - Any number of calls may be under way at once, for one key too.
 * - Rejects, or throws, only when the store cannot do it.
 * @public
 */
export interface SeenKeys {
  /** Exactly one of N simultaneous claims gets the lease; it lapses after `lease` unless confirmed in time. */
  claim(key: string, lease: DurationMs): SeenClaim | Promise<SeenClaim>;
  /** Remembers the key for `keep`. `false`, and nothing changed, when the lease is not this one any more. */
  confirm(key: string, lease: string, keep: DurationMs): boolean | Promise<boolean>;
  /** Lets the key be claimed again, if the lease is still this one. */
  release(key: string, lease: string): void | Promise<void>;
}
