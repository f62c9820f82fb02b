/** Pauses between wakes, in milliseconds: 100 in all. */
const pauses = [1, 2, 3, 6, 12, 26, 50];

/**
 * Wakes for events that may not be committed yet: at once, and again at growing intervals. Later ones are found by
 * polling. A new call for a shard replaces the one before.
 * @internal
 */
export const repeatedWakes = (wake: (shards: readonly number[]) => void): ((shards: readonly number[]) => void) => {
  /** The last call for each shard. */
  const last = new Map<number, object>();
  return (shards) => {
    const call = {};
    for (const shard of shards) last.set(shard, call);
    const repeat = (left: readonly number[]): void => {
      const own = shards.filter((shard) => last.get(shard) === call);
      if (own.length === 0) return;
      wake(own);
      const [pause, ...others] = left;
      if (pause === undefined) for (const shard of own) last.delete(shard);
      else setTimeout(repeat, pause, others).unref();
    };
    repeat(pauses);
  };
};
