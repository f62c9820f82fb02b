import type { ShardStore, Wake } from '../deliveries/shard-store.ts';

/** Who watches, and waking them. @internal */
export interface Wakes {
  readonly watch: ShardStore['watch'];
  /** Calls those who watch before it returns, unless there are no shards. */
  wakeEvents(shards: readonly number[]): void;
  wakeMembers(): void;
}

/** @internal */
export const createWakes = (): Wakes => {
  const watchers = new Set<(wake: Wake) => void>();
  const wake = (news: Wake): void => {
    for (const watcher of [...watchers]) watcher(news);
  };
  return {
    watch: async (onWake) => {
      // Its own entry, so that the same function may watch twice.
      const watcher = (news: Wake) => onWake(news);
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    wakeEvents: (shards) => {
      if (shards.length > 0) wake({ kind: 'events', shards });
    },
    wakeMembers: () => wake({ kind: 'members' }),
  };
};
