import type { EpochMs } from '../../base/runtime/time.ts';
import type { DispatchedEvent } from '../events/event.ts';

/**
 * The place of an event in the feed of a pull endpoint.
 * @public
 */
export interface FeedPlace {
  /** 1 for the first entry of the feed; each entry has the next one. */
  readonly number: number;
  readonly eventId: string;
}

/**
 * The feed of a pull endpoint.
 * @public
 */
export interface FeedKey {
  readonly accountId: string;
  readonly endpointId: string;
}

/**
 * How far the program of a pull endpoint has read.
 * @public
 */
export interface FeedProgress {
  /** The number of the last entry; 0 for none. */
  readonly last: number;
  /** The number of the last entry that was pruned: all later ones are stored. 0 for none. */
  readonly pruned: number;
  /** The last cursor that was noted: the number of the entry after which it reads. Absent: none. */
  readonly asked?: {
    readonly number: number;
    /** When it was noted, by the store's clock. */
    readonly at: EpochMs;
  };
}

/**
 * What to read of a feed.
 * @public
 */
export interface FeedRead {
  /** Reads entries with larger numbers. Absent: the oldest that are stored. */
  readonly after?: number;
  /** Maximum number of entries. */
  readonly limit: number;
  /** Once the texts of events have this number of characters or more, later entries are left for the next read. */
  readonly maxLength: number;
  /** Numbers of which to tell the events. */
  readonly places: readonly number[];
}

/**
 * A part of a feed, as of one moment.
 * @public
 */
export interface FeedPart extends FeedProgress {
  /** The store's clock. */
  readonly now: EpochMs;
  /** Those of the places that are stored, and that of the last pruned entry, in any order. */
  readonly places: readonly FeedPlace[];
  /** Entries in the order of their numbers. */
  readonly entries: readonly (FeedPlace & { readonly event: DispatchedEvent })[];
}

/**
 * Port: feeds of pull endpoints. A feed begins when its endpoint is stored, and is not found once it is deleted.
 *
 * - `DeliveryStore.dispatch` appends. Numbers of a feed have no gaps, and are committed in their order: once a reader
 *   has seen a number, no smaller one is committed.
 * - An endpoint that is stored again continues its numbers while entries of it are stored.
 * - An entry is deleted with its event (`DeliveryLog.prune`).
 * @public
 */
export interface FeedStore {
  /** Reads a feed; `undefined`: the account has no such pull endpoint. */
  readFeed(accountId: string, endpointId: string, read: FeedRead): Promise<FeedPart | undefined>;
  /** Notes the number of the cursor that was asked for last, with the time. */
  noteAsked(accountId: string, endpointId: string, number: number): Promise<void>;
  /** Reads the progress of those of the endpoints that are pulled; the order is free. */
  readProgress(endpoints: readonly FeedKey[]): Promise<readonly (FeedKey & FeedProgress)[]>;
  /** The number of an event in a feed; `undefined`: it is not there. */
  findEntry(accountId: string, endpointId: string, eventId: string): Promise<number | undefined>;
  /**
   * Watches for entries.
   *
   * - Once it resolves, calls `onWake` soon after entries of feeds of these shards were committed.
   * - A wake may be lost, as when another process appended them: polling finds them.
   * - Resolves to the function that stops watching.
   */
  watchFeeds(onWake: (shards: readonly number[]) => void): Promise<() => void>;
}
