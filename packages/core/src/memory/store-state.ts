import type { StoreState } from '../deliveries/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { shardCount } from '../shards/shard.ts';

/** The state of the store, shared by reads and settlements. @internal */
export interface MemoryState {
  /** The current state. */
  read(knownVersion: number): StoreState;
  /** The version of the last change of a shard's endpoints. */
  versionOf(shard: number): number;
  /**
   * Raises a shard's endpoint version. `including`: change in the number of endpoints that receive events of child
   * accounts.
   */
  raise(shard: number, including: -1 | 0 | 1): void;
}

/** Creates the state. @internal */
export const createState = (clock: Clock): MemoryState => {
  const versions: number[] = new Array(shardCount).fill(0);
  let endpointVersion = 0;
  let includeChildren = 0;
  return {
    read: (knownVersion) => ({
      now: clock.now(),
      endpointVersion,
      changedShards:
        endpointVersion > knownVersion
          ? versions.flatMap((version, shard) => (version > knownVersion ? [shard] : []))
          : [],
      hasIncludeChildren: includeChildren > 0,
    }),
    versionOf: (shard) => versions[shard] ?? 0,
    raise: (shard, including) => {
      versions[shard] = ++endpointVersion;
      includeChildren += including;
    },
  };
};
