import type { ShardRange } from './delivery-store.ts';

/** Where rows are read on: accounts take turns, so that one with many rows takes one read of each round. @internal */
export const createAccountCursor = () => {
  let at: { readonly shard: number; readonly after: string } | undefined;
  /** The last page did not begin with the first account. */
  let isMidway = false;
  return {
    /** What to read next of these shards: from where the last page ended, and around. */
    ranges: (shards: readonly number[]): readonly ShardRange[] => {
      const sorted = shards.toSorted((a, b) => a - b);
      const from = at;
      isMidway = from !== undefined;
      if (!from) return sorted.map((shard) => ({ shard }));
      const rest = [...sorted.filter((shard) => shard > from.shard), ...sorted.filter((shard) => shard < from.shard)];
      return [...(shards.includes(from.shard) ? [from] : []), ...rest.map((shard) => ({ shard }))];
    },
    /** What was read. A page that is not full was the end of the round. Says whether rows may be left that were passed by. */
    note: (rows: readonly { readonly shard: number; readonly accountId: string }[], isFull: boolean): boolean => {
      const last = isFull ? rows.at(-1) : undefined;
      at = last && { shard: last.shard, after: last.accountId };
      return isFull || isMidway;
    },
  };
};
