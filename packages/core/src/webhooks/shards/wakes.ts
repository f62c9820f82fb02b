import type { ShardStore, ShardWake } from './shard-store.ts';

/**
 * What a transaction that was committed tells the watchers: work for workers, or entries of feeds of these shards.
 * @public
 */
export type StoreWake = ShardWake | { readonly kind: 'feeds'; readonly shards: readonly number[] };

/**
 * The watchers of a storage in this process, and what calls them: the `watch` of a {@link ShardStore}, and the
 * `watchFeeds` of a {@link FeedStore}.
 * @public
 */
export interface Wakes {
  /** See {@link ShardStore}. */
  readonly watch: ShardStore['watch'];
  /** See `FeedStore`. */
  watchFeeds(onWake: (shards: readonly number[]) => void): Promise<() => void>;
  /** Calls the watchers before it returns, unless it names no shard. */
  wake(wake: StoreWake): void;
}

/** Watchers of one kind. */
const createWatchers = <W>() => {
  const watchers = new Set<(wake: W) => void>();
  return {
    watch: async (onWake: (wake: W) => void): Promise<() => void> => {
      // A new function, so that the same listener may watch twice.
      const watcher = (wake: W) => onWake(wake);
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    notify: (wake: W): void => {
      for (const watcher of [...watchers]) watcher(wake);
    },
  };
};

/**
 * Creates the watchers of a storage. It calls them after a transaction has committed, so that workers do not wait for
 * their next poll.
 * @example
 * const wakes = createWakes();
 * const unwatch = await wakes.watch((wake) => show(wake)); // what a storage has as `shards.watch`
 * unwatch();
 * @public
 */
export const createWakes = (): Wakes => {
  const workers = createWatchers<ShardWake>();
  const readers = createWatchers<readonly number[]>();
  return {
    watch: workers.watch,
    watchFeeds: readers.watch,
    wake: (wake) => {
      if (wake.kind !== 'members' && wake.shards.length === 0) return;
      if (wake.kind === 'feeds') readers.notify(wake.shards);
      else workers.notify(wake);
    },
  };
};
