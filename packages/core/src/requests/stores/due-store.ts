import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { RequestKindName } from '../record/names.ts';

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
  /** When it is due; a time that has passed: now. `undefined`: the object no longer waits for it. */
  readonly dueAt: EpochMs | undefined;
  /** Whether it only reminds: of one account, deadlines come first. */
  readonly isReminder: boolean;
}

/**
 * An account in an environment.
 * @public
 */
export type DueAccount = Pick<DueChange, 'accountId' | 'environment'>;

/**
 * A due command that a worker has claimed.
 * @public
 */
export interface ClaimedCommand extends DueCommandKey {
  /** The account of the object. */
  readonly accountId: string;
  /** The environment of the object. */
  readonly environment: string;
  /** When it was due; when it was planned, if it was due before. */
  readonly dueAt: EpochMs;
  /** Whether it only reminds. */
  readonly isReminder: boolean;
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
   *
   * - The clock of the store decides what has passed. Such a command is due now: nothing is late that nobody could have
   *   known.
   */
  plan(tx: Tx, changes: readonly DueChange[]): Promise<void>;
  /**
   * Claims commands that can be claimed now, by the clock of the store. Their next claim is possible after `lease`.
   *
   * - When more than `limit` can be claimed, accounts take turns, in the order of their ids, from the one that follows
   *   `after`: one command of each, then the next of each. Resolves to them in this order: the account of the last one
   *   is the next `after`.
   * - Of one account, deadlines come before reminders, then those that wait longest.
   * - A claim lets at most 500 more commands take turns, the oldest first: behind 5,000, a command waits for 10 claims.
   * - Of N simultaneous calls, exactly one claims a command; none waits for another, or for a transaction that plans.
   * - Resolves to the time of the store's clock at which it claimed.
   */
  claim(
    limit: number,
    lease: DurationMs,
    after?: DueAccount,
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
