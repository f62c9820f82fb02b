import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, minute, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { DeliveryQueue, Settlement } from './delivery-queue.ts';
import type { Trouble } from './trouble.ts';

/** @internal */
export interface SettlerDeps {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly observe: Observer;
  readonly trouble: Pick<Trouble, 'note'>;
  /** So many settlements are worth waiting for: 1 is no wait. */
  readonly company: () => number;
  /** None waits longer for it: a lease must not lapse over it. */
  readonly patience: DurationMs;
  /** The worker is asked to stop: a settlement is then given up when its lease ends. */
  readonly hurried: () => boolean;
  /** Called with the size of each batch that was settled, or given up. */
  readonly onSettled: (count: number) => void;
}

/** @internal */
export interface Settler {
  /** Stores a settlement, soon or in company; some time after `leaseEnds` it is given up, and counts as abandoned. */
  add(settlement: Settlement, leaseEnds: EpochMs): void;
  /** Stores what has gathered. */
  flush(): void;
  /** How many are not stored yet. */
  unsettled(): number;
  /** Resolves when all are stored or given up. */
  idle(): Promise<void>;
}

const mostInBatch = 500;
const retryEvery: DurationMs = second;
const longest: DurationMs = 15 * minute;
const never = new AbortController().signal;

/**
 * Settles in batches: while one is stored, the next gathers; and as long as company is sure to come, a settlement waits for it.
 * @internal
 */
export const createSettler = ({
  queue,
  clock,
  observe,
  trouble,
  company,
  patience,
  hurried,
  onSettled,
}: SettlerDeps): Settler => {
  const waiting: { readonly settlement: Settlement; readonly leaseEnds: EpochMs }[] = [];
  let storing = 0;
  /** So many of those that wait are to be stored in any case. */
  let due = 0;
  let flushing: Promise<void> | undefined;
  /** What waits is flushed soon, whatever else the worker does. */
  let timed = false;

  const store = async (batch: readonly Settlement[], leaseEnds: EpochMs): Promise<void> => {
    for (;;) {
      const stored = await ask(() => queue.settle(batch));
      if (stored.isOk()) {
        for (const turn of stored.value) observe(turn);
        return;
      }
      trouble.note('settle', stored.error.cause);
      // A lapsed lease settles as long as nobody took it over, so it is worth the wait; but not for ever, for the batch may be at fault.
      if (clock.now() >= leaseEnds + (hurried() ? 0 : longest)) return;
      await clock.sleep(retryEvery, never);
    }
  };

  const storeWaiting = async (): Promise<void> => {
    while (waiting.length > 0 && (due > 0 || waiting.length >= company())) {
      const batch = waiting.splice(0, mostInBatch);
      storing = batch.length;
      due = Math.max(due - storing, 0);
      await store(
        batch.map(({ settlement }) => settlement),
        Math.max(...batch.map(({ leaseEnds }) => leaseEnds)),
      );
      storing = 0;
      onSettled(batch.length);
    }
    flushing = undefined;
  };

  const flush = (): void => {
    due = waiting.length;
    if (due > 0) flushing ??= storeWaiting();
  };

  const flushSoon = (): void => {
    if (timed) return;
    timed = true;
    void clock.sleep(patience, never).then(() => {
      timed = false;
      flush();
    });
  };

  return {
    add: (settlement, leaseEnds) => {
      waiting.push({ settlement, leaseEnds });
      if (waiting.length >= company()) flushing ??= storeWaiting();
      else flushSoon();
    },
    flush,
    unsettled: () => waiting.length + storing,
    idle: () => {
      flush();
      return flushing ?? Promise.resolve();
    },
  };
};
