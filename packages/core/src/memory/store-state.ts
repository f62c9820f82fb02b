import type { StoreState } from '../deliveries/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { shardCount } from '../shards/shard.ts';

/** The state of the store, shared by reads and settlements. @internal */
export interface MemoryState {
  /** The current state. */
  read(): StoreState;
  /** The endpoint version of a shard. */
  versionOf(shard: number): number;
  /**
   * Increments a shard's endpoint version. `including`: change in the number of endpoints that receive events of child
   * accounts.
   */
  raise(shard: number, including: -1 | 0 | 1): void;
}

/** Creates the state. @internal */
export const createState = (clock: Clock): MemoryState => {
  const versions: number[] = new Array(shardCount).fill(0);
  let endpointVersions = String(versions);
  let includeChildren = 0;
  return {
    read: () => ({ now: clock.now(), endpointVersions, hasIncludeChildren: includeChildren > 0 }),
    versionOf: (shard) => versions[shard] ?? 0,
    raise: (shard, including) => {
      versions[shard] = (versions[shard] ?? 0) + 1;
      endpointVersions = String(versions);
      includeChildren += including;
    },
  };
};
