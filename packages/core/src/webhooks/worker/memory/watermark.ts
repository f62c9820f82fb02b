import type { EpochMs } from '../../../base/runtime/time.ts';

/** Events that were dispatched together. */
export interface Batch {
  /** They were dispatched at this time or later, by the store's clock. */
  readonly at: EpochMs;
  /** Their deliveries that are neither settled nor pending. */
  open: number;
}

/**
 * The watermark of settled events, by the store's clock: a successor need not read events dispatched before it.
 *
 * A dispatch in progress counts as a batch with an open delivery, so the watermark never passes it. No event is
 * dispatched before the largest watermark, even if the store's clock is set back.
 */
export interface Watermark {
  /** Records a reading of the store's clock. */
  observe(now: EpochMs): void;
  /** Opens a batch before its dispatch is stored: its events are dispatched at `batch.at` or later. */
  open(): Batch;
  /** Adds an open delivery to a batch. */
  hold(batch: Batch): void;
  /** Closes one delivery of a batch, or its dispatch. */
  close(batch: Batch): void;
  /** The watermark: every event dispatched before it is settled or pending. */
  value(): EpochMs;
}

/** Creates the watermark of a session. */
export const createWatermark = (): Watermark => {
  let seen: EpochMs = 0;
  let batches: Batch[] = [];
  return {
    observe: (now) => {
      seen = Math.max(seen, now);
    },
    open: () => {
      const batch: Batch = { at: seen, open: 1 };
      batches.push(batch);
      return batch;
    },
    hold: (batch) => {
      batch.open++;
    },
    close: (batch) => {
      batch.open--;
      if (batch.open > 0 || batches[0] !== batch) return;
      const first = batches.findIndex(({ open }) => open > 0);
      batches = first < 0 ? [] : batches.slice(first);
    },
    // Batches are in order of opening: the first is the oldest.
    value: () => batches[0]?.at ?? seen,
  };
};
