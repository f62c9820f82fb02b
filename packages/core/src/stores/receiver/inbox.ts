import type { DurationMs } from '../../base/runtime/time.ts';
import type { LatestTimestamps } from './latest-timestamps.ts';

/**
 * A queued webhook that was claimed for processing.
 * @public
 */
export interface InboxEntry {
  /** Identifies the entry in `complete`, `retry`, `deadLetter` and `requeue`: its key, or a digest of a long key. */
  readonly key: string;
  /** The body of the webhook. */
  readonly body: string;
  /** Number of claims, from 1. Claims whose lease expired count too: the entry may have killed its process. */
  readonly attempt: number;
  /** Fencing token: `complete`, `retry` and `deadLetter` require it. */
  readonly lease: string;
}

/**
 * An entry that failed too often. It is not claimed until it is requeued.
 * @public
 */
export interface DeadLetter {
  /** The key of the entry. */
  readonly key: string;
  /** The body of the webhook. */
  readonly body: string;
  /** Number of claims. */
  readonly attempts: number;
}

/**
 * State of an inbox, for monitoring.
 * @public
 */
export interface InboxStats {
  /** Number of entries that are not completed, claimed ones included, dead letters not. */
  readonly waiting: number;
  /** Time since the oldest due entry became due, in milliseconds; 0 when none is due. */
  readonly oldestDueMs: DurationMs;
  /** Number of dead letters. */
  readonly deadLettered: number;
  /** The oldest dead letters. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * Port: a durable queue of accepted webhooks (specification §6.5: respond first, then process).
 *
 * - An entry stays until it is completed.
 * - The key of a completed entry is remembered, so that a duplicate is not queued.
 * @public
 */
export interface Inbox {
  /**
   * Queues a webhook, due at once.
   *
   * - Durable once it resolves.
   * - Exactly one of N simultaneous calls for a key resolves to `true`.
   * - Resolves to `false` and changes nothing when the key is queued, claimed, dead-lettered or completed.
   */
  enqueue(key: string, body: string): Promise<boolean>;
  /**
   * Claims at most `limit` due entries for `lease` milliseconds, those due first first.
   *
   * - Exactly one of N simultaneous callers gets an entry; each may get fewer than are due.
   * - An entry is due again when its lease expires before `complete`, `retry` or `deadLetter`.
   */
  claim(limit: number, lease: DurationMs): Promise<readonly InboxEntry[]>;
  /**
   * Deletes the body and remembers the key for `keep` milliseconds. Resolves to `false` and changes nothing when the
   * lease has been lost.
   */
  complete(key: string, lease: string, keep: DurationMs): Promise<boolean>;
  /**
   * Makes the entry due again after `wait` milliseconds. Resolves to `false` and changes nothing when the lease has
   * been lost.
   */
  retry(key: string, lease: string, wait: DurationMs): Promise<boolean>;
  /** Makes the entry a dead letter. Resolves to `false` and changes nothing when the lease has been lost. */
  deadLetter(key: string, lease: string): Promise<boolean>;
  /**
   * Makes dead letters due at once, with their attempts reset. Resolves to the number of these keys that were dead
   * letters.
   */
  requeue(keys: readonly string[]): Promise<number>;
  /** Reads counts and the oldest dead letters, at most `limit`. */
  stats(limit: number): Promise<InboxStats>;
}

/**
 * An inbox in a database.
 * @public
 */
export interface StoredInbox<Tx extends object> extends Inbox, LatestTimestamps<Tx> {
  /**
   * Marks an event as done inside the handler's transaction, so that both commit together.
   *
   * - Returns `false` when it was done before: then do nothing.
   * - Simultaneous calls for one key wait for each other.
   * - `keep`: how long the key is stored, in milliseconds. @defaultValue 35 days
   */
  completeIn(tx: Tx, key: string, keep?: DurationMs): Promise<boolean>;
}
