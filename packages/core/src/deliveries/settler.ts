import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, minute, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import { errorName, type Observer } from '../signals/signal.ts';
import type { DeliveryQueue, Settlement } from './delivery-queue.ts';

/** @internal */
export interface SettlerDeps {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly observe: Observer;
  /** The worker is asked to stop: a settlement is then given up when its lease ends. */
  readonly hurried: () => boolean;
  /** Called with the size of each batch that was settled, or given up. */
  readonly onSettled: (count: number) => void;
}

/** @internal */
export interface Settler {
  /** Stores a settlement soon; some time after `leaseEnds` it is given up, and counts as abandoned. */
  add(settlement: Settlement, leaseEnds: EpochMs): void;
  /** How many are not stored yet. */
  unsettled(): number;
  /** Resolves when all are stored or given up. */
  idle(): Promise<void>;
}

const mostInBatch = 500;
const retryEvery: DurationMs = second;
const patience: DurationMs = 15 * minute;
const never = new AbortController().signal;

/**
 * Settles in batches that form by themselves: while one is stored, the next gathers. No settlement waits for company.
 * @internal
 */
export const createSettler = ({ queue, clock, observe, hurried, onSettled }: SettlerDeps): Settler => {
  const waiting: { readonly settlement: Settlement; readonly leaseEnds: EpochMs }[] = [];
  let storing = 0;
  let flushing: Promise<void> | undefined;

  const store = async (batch: readonly Settlement[], leaseEnds: EpochMs): Promise<void> => {
    for (;;) {
      const stored = await ask(() => queue.settle(batch));
      if (stored.isOk()) return;
      observe({ kind: 'worker_trouble', during: 'settle', error: errorName(stored.error.cause) });
      // A lapsed lease settles as long as nobody took it over, so it is worth the wait; but not for ever, for the batch may be at fault.
      if (clock.now() >= leaseEnds + (hurried() ? 0 : patience)) return;
      await clock.sleep(retryEvery, never);
    }
  };

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostInBatch);
      storing = batch.length;
      await store(
        batch.map(({ settlement }) => settlement),
        Math.max(...batch.map(({ leaseEnds }) => leaseEnds)),
      );
      storing = 0;
      onSettled(batch.length);
    }
    flushing = undefined;
  };

  return {
    add: (settlement, leaseEnds) => {
      waiting.push({ settlement, leaseEnds });
      flushing ??= flush();
    },
    unsettled: () => waiting.length + storing,
    idle: () => flushing ?? Promise.resolve(),
  };
};
