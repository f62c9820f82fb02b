import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { RequestKindName } from './kinds/names.ts';

/**
 * A command that an object waits for: a rule gives it when its time has come.
 * @public
 */
export interface DueCommandKey {
  /** The kind of the object. */
  readonly kind: RequestKindName;
  /** The object's id. */
  readonly id: string;
  /** The name of the rule, such as `guaranteeExpired`. */
  readonly name: string;
}

/**
 * What a command changes of what its object waits for.
 * @public
 */
export interface DueChange extends DueCommandKey {
  /** The account of the object. */
  readonly accountId: string;
  /** The environment of the object. */
  readonly environment: string;
  /** When it is due. `undefined`: the object no longer waits for it. */
  readonly dueAt: EpochMs | undefined;
}

/**
 * A due command that a worker has claimed.
 * @public
 */
export interface ClaimedCommand extends DueCommandKey {
  /** The account of the object. */
  readonly accountId: string;
  /** The environment of the object. */
  readonly environment: string;
  /** When it was due. */
  readonly dueAt: EpochMs;
  /** The number of claims since it was planned, this one included. */
  readonly attempts: number;
  /** When it can be claimed again: the end of the lease. With `attempts`, it identifies the claim. */
  readonly claimableAt: EpochMs;
}

/**
 * Port: the commands that objects wait for.
 * @public
 */
export interface DueStore<Tx extends object> {
  /**
   * Stores the changes inside `tx`, as writes of `RequestStore` are stored. A planned command replaces one of the same
   * key, with 0 attempts, and can be claimed from `dueAt` on.
   */
  plan(tx: Tx, changes: readonly DueChange[]): Promise<void>;
  /**
   * Claims commands that can be claimed now, by the clock of the store; those that wait longest first. Their next claim
   * is possible after `lease`.
   *
   * - Of N simultaneous calls, exactly one claims a command; none waits for another, or for a transaction that plans.
   * - Resolves to the time of the store's clock at which it claimed.
   */
  claim(
    limit: number,
    lease: DurationMs,
  ): Promise<{ readonly now: EpochMs; readonly claimed: readonly ClaimedCommand[] }>;
  /**
   * Ends a claim whose command was not given: it is due at `dueAt`, and can be claimed again after `pause`. Without
   * `next`, it is removed. Does nothing when it was planned or claimed anew.
   */
  release(
    claimed: ClaimedCommand,
    next?: {
      /** When it is due. */
      readonly dueAt: EpochMs;
      /** How long it cannot be claimed. */
      readonly pause: DurationMs;
    },
  ): Promise<void>;
}
