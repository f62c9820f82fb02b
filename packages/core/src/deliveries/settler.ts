import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import { errorName, type Observer } from '../signals/signal.ts';
import type { DeliveryQueue, Settlement } from './delivery-queue.ts';

/** @internal */
export interface SettlerDeps {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly observe: Observer;
  /** Called with the size of each batch that was settled, or given up. */
  readonly onSettled: (count: number) => void;
}

/** @internal */
export interface Settler {
  /** Stores a settlement soon. Past `leaseEnds` nobody believes it, and it may be given up. */
  add(settlement: Settlement, leaseEnds: EpochMs): void;
  /** How many are not stored yet. */
  unsettled(): number;
  /** Resolves when all are stored or given up. */
  idle(): Promise<void>;
}

const mostInBatch = 500;
const retryEvery: DurationMs = second;
const never = new AbortController().signal;

/**
 * Settles in batches that form by themselves: while one is stored, the next gathers. No settlement waits for company.
 * @internal
 */
export const createSettler = ({ queue, clock, observe, onSettled }: SettlerDeps): Settler => {
  const waiting: { readonly settlement: Settlement; readonly leaseEnds: EpochMs }[] = [];
  let storing = 0;
  let flushing: Promise<void> | undefined;

  const store = async (batch: readonly Settlement[], leaseEnds: EpochMs): Promise<void> => {
    for (;;) {
      const stored = await ask(() => queue.settle(batch));
      if (stored.isOk()) return;
      observe({ kind: 'worker_trouble', during: 'settle', error: errorName(stored.error.cause) });
      // Whoever takes over the lapsed leases logs these attempts as abandoned.
      if (clock.now() >= leaseEnds) return;
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
