import type { EpochMs } from '../runtime/time.ts';

/** Events that were stamped together. @internal */
export interface Batch {
  /** They were dispatched at this time by the store's clock, or later. */
  readonly at: EpochMs;
  /** How many of their deliveries are neither settled nor pending. */
  open: number;
}

/**
 * Up to when everything is settled, by the store's clock: what a successor need not look at.
 *
 * A stamp that is under way counts as a batch with an open delivery, so a mark never passes it; and no stamp is dispatched before the
 * largest mark, even if the store's clock is set back.
 * @internal
 */
export interface Marks {
  /** The store's clock was read. */
  see(now: EpochMs): void;
  /** Before a stamp: its events are dispatched at `batch.at` or later. The batch is open until `close`. */
  open(): Batch;
  /** One delivery of a batch is settled, or one reason to keep it open is gone. */
  close(batch: Batch): void;
  /** Every event that was dispatched before is settled or pending. */
  settledTo(): EpochMs;
}

/** @internal */
export const createMarks = (): Marks => {
  let seen: EpochMs = 0;
  let batches: Batch[] = [];
  return {
    see: (now) => {
      seen = Math.max(seen, now);
    },
    open: () => {
      const batch: Batch = { at: seen, open: 1 };
      batches.push(batch);
      return batch;
    },
    close: (batch) => {
      batch.open--;
      if (batch.open > 0 || batches[0] !== batch) return;
      const first = batches.findIndex(({ open }) => open > 0);
      batches = first < 0 ? [] : batches.slice(first);
    },
    // In the order in which they were opened, so the first is the oldest.
    settledTo: () => batches[0]?.at ?? seen,
  };
};
