import type { ShardRange } from './delivery-store.ts';

/** Where rows are read on: accounts take turns, so that one with many rows takes one page of each round. @internal */
export const createAccountCursor = () => {
  let at: { readonly shard: number; readonly after: string } | undefined;

  /** From where the last page ended to the last account of these shards. */
  const onward = (shards: readonly number[]): readonly ShardRange[] => {
    const sorted = shards.toSorted((a, b) => a - b);
    const from = at;
    if (!from) return sorted.map((shard) => ({ shard }));
    const rest = sorted.filter((shard) => shard > from.shard).map((shard) => ({ shard }));
    return shards.includes(from.shard) ? [from, ...rest] : rest;
  };

  return {
    onward,
    /** The same, and around, up to the account itself: a page of these that is not full holds all there is. */
    around: (shards: readonly number[]): readonly ShardRange[] => {
      const from = at;
      if (!from) return onward(shards);
      const before = shards.filter((shard) => shard < from.shard).toSorted((a, b) => a - b);
      // No id of an account has a control character.
      const itself = { shard: from.shard, before: `${from.after}\u0001` };
      return [
        ...onward(shards),
        ...before.map((shard) => ({ shard })),
        ...(shards.includes(from.shard) ? [itself] : []),
      ];
    },
    /** What was read. A page that is not full was the end of the round. */
    note: (rows: readonly { readonly shard: number; readonly accountId: string }[], isFull: boolean): void => {
      const last = isFull ? rows.at(-1) : undefined;
      at = last && { shard: last.shard, after: last.accountId };
    },
  };
};
