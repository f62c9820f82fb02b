import { createBell } from '../runtime/bell.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, day, type EpochMs } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { DeliveryLog, PruneLimits } from './delivery-log.ts';
import type { WorkerErrors } from './worker-errors.ts';

/**
 * How long things are kept, in milliseconds.
 * @public
 */
export interface Retention {
  /** Deliveries that are held while their endpoint is disabled; then they expire. @defaultValue 14 days */
  readonly held: DurationMs;
  /** Events, from when they were dispatched; longer, while a delivery is unfinished. @defaultValue 30 days */
  readonly events: DurationMs;
  /** Attempts, and deliveries that are finished. @defaultValue 30 days */
  readonly attempts: DurationMs;
}

/** @internal */
export const defaultRetention: Retention = { held: 14 * day, events: 30 * day, attempts: 30 * day };

/** A piece is small: it must not keep the store from what is due. */
const pieceSize = 1_000;

/** @internal */
export interface PrunerDeps {
  readonly log: Pick<DeliveryLog, 'prune'>;
  /** Whose rows this worker may prune. */
  readonly served: () => readonly number[];
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
  readonly ages: Omit<PruneLimits, 'limit'>;
  readonly every: DurationMs;
}

/** Drops what is too old, beside the deliveries. @internal */
export interface Pruner {
  /** All there is to prune, unless that was done a moment ago. */
  once(): Promise<void>;
  /** Prunes now and then. Resolves to nothing when it is stopped. */
  run(): Promise<void>;
  stop(): void;
}

/** @internal */
export const createPruner = (deps: PrunerDeps): Pruner => {
  const { log, served, clock, random, observe, errors, ages, every } = deps;
  const limits: PruneLimits = { ...ages, limit: pieceSize };
  let bell = createBell(clock);
  let stopped = true;
  let againAt: EpochMs = 0;

  /** One piece. Says whether there is more. */
  const prune = async (): Promise<boolean> => {
    const shards = served();
    if (shards.length === 0) return false;
    const { expired, hasMore } = await errors.orElse(
      'prune',
      ask(() => log.prune(shards, limits)),
      { expired: [], hasMore: false },
    );
    for (const each of expired) observe?.({ kind: 'delivery_expired', ...each, why: 'held_too_long' });
    return hasMore;
  };

  return {
    once: async () => {
      if (clock.now() < againAt) return;
      againAt = clock.now() + every;
      while (await prune());
    },
    run: async () => {
      bell = createBell(clock);
      stopped = false;
      while (!stopped) {
        // Not all workers at one time.
        await bell.wait(Math.ceil(every * (0.5 + fraction(random))));
        while (!stopped && (await prune()));
      }
    },
    stop: () => {
      stopped = true;
      bell.ring();
    },
  };
};
