import type { AnnouncedEvent } from '../deliveries/delivery-store.ts';
import type { ShardStore, ShardWake } from './shard-store.ts';

/**
 * The watchers of a storage in this process, and what calls them: the `watch` of a {@link ShardStore}.
 * @public
 */
export interface Wakes {
  /** See {@link ShardStore}. */
  readonly watch: ShardStore['watch'];
  /** Calls the watchers before it returns, unless `shards` is empty. */
  wakeEvents(shards: readonly number[], announced?: readonly AnnouncedEvent[]): void;
  /** Calls the watchers. */
  wakeMembers(): void;
}

/**
 * Creates the watchers of a storage. It calls them after a transaction has committed, so that workers do not wait for
 * their next poll.
 * @public
 */
export const createWakes = (): Wakes => {
  const watchers = new Set<(wake: ShardWake) => void>();
  const notify = (wake: ShardWake): void => {
    for (const watcher of [...watchers]) watcher(wake);
  };
  return {
    watch: async (onWake) => {
      // A new function, so that the same listener may watch twice.
      const watcher = (wake: ShardWake) => onWake(wake);
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    wakeEvents: (shards, announced) => {
      if (shards.length > 0) notify({ kind: 'events', shards, ...(announced ? { announced } : {}) });
    },
    wakeMembers: () => notify({ kind: 'members' }),
  };
};
