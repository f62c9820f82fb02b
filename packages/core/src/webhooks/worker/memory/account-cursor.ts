import type { ShardRange } from '../../deliveries/delivery-store.ts';

/**
 * Where the next page of rows starts. Accounts are read round-robin: one with many rows takes one page of each round.
 */
export const createAccountCursor = () => {
  let at: { readonly shard: number; readonly after: string } | undefined;

  /** From the end of the last page to the last account of these shards. */
  const onward = (shards: readonly number[]): readonly ShardRange[] => {
    const sorted = shards.toSorted((a, b) => a - b);
    const from = at;
    if (!from) return sorted.map((shard) => ({ shard }));
    const rest = sorted.filter((shard) => shard > from.shard).map((shard) => ({ shard }));
    return shards.includes(from.shard) ? [from, ...rest] : rest;
  };

  return {
    onward,
    /**
     * As `onward`, then from the first account up to and including the last one read: a page that is not full is
     * complete.
     */
    around: (shards: readonly number[]): readonly ShardRange[] => {
      const from = at;
      if (!from) return onward(shards);
      const before = shards.filter((shard) => shard < from.shard).toSorted((a, b) => a - b);
      // Ids of accounts have no control characters: nothing lies between.
      const itself = { shard: from.shard, before: `${from.after}\u0001` };
      return [
        ...onward(shards),
        ...before.map((shard) => ({ shard })),
        ...(shards.includes(from.shard) ? [itself] : []),
      ];
    },
    /** Records a page. A page that is not full ends the round. */
    note: (rows: readonly { readonly shard: number; readonly accountId: string }[], isFull: boolean): void => {
      const last = isFull ? rows.at(-1) : undefined;
      at = last && { shard: last.shard, after: last.accountId };
    },
  };
};
