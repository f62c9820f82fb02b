import type { DurationMs } from '../runtime/time.ts';

/**
 * What became of a claim.
 * @public
 */
export type SeenClaim =
  | { readonly kind: 'claimed' /** Fences: confirm and release only work with it. */; readonly lease: string }
  /** Another holds a living lease. */
  | { readonly kind: 'in_progress' }
  /** It was confirmed before. */
  | { readonly kind: 'done' };

/**
 * Port: what a receiver has processed (specification §6.5), in two phases, so that a crash between claim and confirm is
 * retried and never lost.
 * @public
 */
export interface SeenKeys {
  /** Exactly one of N simultaneous claims gets the lease; it lapses after `lease` unless confirmed in time. */
  claim(key: string, lease: DurationMs): Promise<SeenClaim>;
  /** Remembers the key for `keep`. `false`, and nothing changed, when the lease is not this one any more. */
  confirm(key: string, lease: string, keep: DurationMs): Promise<boolean>;
  /** Lets the key be claimed again, if the lease is still this one. */
  release(key: string, lease: string): Promise<void>;
}
