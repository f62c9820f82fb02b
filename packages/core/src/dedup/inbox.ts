import type { DurationMs } from '../runtime/time.ts';

/**
 * A webhook that was kept, taken to be processed.
 * @public
 */
export interface InboxEntry {
  /** Names it to `done`, `retry`, `park` and `resume`: the key under which it was kept, or a digest where that is long. */
  readonly key: string;
  readonly body: string;
  /** How often it was taken, from 1. One whose lease lapsed counts too: its process may have died of it. */
  readonly attempt: number;
  /** Fences: `done`, `retry` and `park` only work with it. */
  readonly lease: string;
}

/**
 * An entry that failed so often that it was set aside.
 * @public
 */
export interface ParkedEntry {
  readonly key: string;
  readonly body: string;
  /** How often it was taken. */
  readonly attempts: number;
}

/**
 * What a person looks at, to see whether an inbox is worked off.
 * @public
 */
export interface InboxView {
  /** How many are kept and not done; those being processed included, those parked not. */
  readonly waiting: number;
  /** For how long the one that fell due first has waited to be taken; 0 while nothing is due. Milliseconds. */
  readonly late: DurationMs;
  /** How many are parked. */
  readonly parked: number;
  /** The first of these, those that were parked first. */
  readonly stuck: readonly ParkedEntry[];
}

/**
 * Port: webhooks that were accepted and are not processed yet (specification §6.5: answer first, process after). Whatever
 * was kept stays until it is done, however long that takes; and what was done stays known, so that it is not kept again.
 * @public
 */
export interface Inbox {
  /**
   * Keeps a webhook, due at once. Durable once it resolves: to `true` for exactly one of N that keep a key at once, to `false`, and
   * nothing changed, when the key is known: waiting, being processed, parked, or done.
   */
  keep(key: string, body: string): Promise<boolean>;
  /**
   * Takes what is due, at most `limit`, the one that fell due first first. Exactly one of N takers gets each; those at the same time may
   * find less than there is. After `lease` an entry is due again, unless something was said of it before.
   */
  take(limit: number, lease: DurationMs): Promise<readonly InboxEntry[]>;
  /** Forgets the body, and knows the key for `keep`. `false`, and nothing changed, when the lease is not this one any more. */
  done(key: string, lease: string, keep: DurationMs): Promise<boolean>;
  /** Due again after `wait`. `false`, and nothing changed, when the lease is not this one any more. */
  retry(key: string, lease: string, wait: DurationMs): Promise<boolean>;
  /** Sets it aside until it is resumed. `false`, and nothing changed, when the lease is not this one any more. */
  park(key: string, lease: string): Promise<boolean>;
  /** Parked entries are due again at once, as if never taken. Resolves to how many of these were parked. */
  resume(keys: readonly string[]): Promise<number>;
  /** How much there is, and at most `most` of what is stuck. */
  look(most: number): Promise<InboxView>;
}
