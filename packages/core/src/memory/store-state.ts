import type { StoreState } from '../deliveries/delivery-store.ts';
import { shardCount } from '../deliveries/shard.ts';
import type { Clock } from '../runtime/clock.ts';

/** What reads and settles tell of endpoints. @internal */
export interface MemoryState {
  read(): StoreState;
  /** An endpoint of the shard changed, or deliveries were replayed to it. `including`: how many more receive events of children. */
  raise(shard: number, including: -1 | 0 | 1): void;
}

/** @internal */
export const createState = (clock: Clock): MemoryState => {
  const versions: number[] = new Array(shardCount).fill(0);
  let endpointVersions = String(versions);
  let includeChildren = 0;
  return {
    read: () => ({ now: clock.now(), endpointVersions, hasIncludeChildren: includeChildren > 0 }),
    raise: (shard, including) => {
      versions[shard] = (versions[shard] ?? 0) + 1;
      endpointVersions = String(versions);
      includeChildren += including;
    },
  };
};
