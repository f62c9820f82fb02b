import type { EventsWake } from './announcement.ts';

/** Pauses between wakes, in milliseconds: 100 in all. */
const pauses = [1, 2, 3, 6, 12, 26, 50];

/**
 * Wakes for events that may not be committed yet: at once, and again at growing intervals. Later ones are found by
 * polling. A new call for a shard replaces the one before.
 */
export const repeatedWakes = (wake: (wake: EventsWake) => void): ((wake: EventsWake) => void) => {
  /** The last call for each shard. */
  const last = new Map<number, EventsWake>();
  return (call) => {
    // The events of the call before may not be found yet: the shard is to be read.
    const isAnnounced = call.shards.every((shard) => !last.has(shard));
    for (const shard of call.shards) last.set(shard, call);
    const repeat = (left: readonly number[]): void => {
      const own = call.shards.filter((shard) => last.get(shard) === call);
      if (own.length === 0) return;
      const announced = isAnnounced && call.announced?.filter(({ shard }) => own.includes(shard));
      wake({ kind: 'events', shards: own, ...(announced ? { announced } : {}) });
      const [pause, ...others] = left;
      if (pause === undefined) for (const shard of own) last.delete(shard);
      else setTimeout(repeat, pause, others).unref();
    };
    repeat(pauses);
  };
};
