import type { DeliveryLog, PruneLimits, PruneOutcome } from '../delivery-ports/delivery-log.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, day, type EpochMs } from '../runtime/time.ts';
import { createWakeSignal } from '../runtime/wake-signal.ts';
import type { Observer } from '../signals/signal.ts';
import type { WorkerErrors } from './worker-errors.ts';

/**
 * How long rows are stored, in milliseconds.
 * @public
 */
export interface Retention {
  /** Held deliveries, then they expire. @defaultValue 14 days */
  readonly held: DurationMs;
  /** Events, from their dispatch; longer while a delivery is unfinished. @defaultValue 30 days */
  readonly events: DurationMs;
  /** Attempts and finished deliveries. @defaultValue 30 days */
  readonly attempts: DurationMs;
}

/** The defaults of `Retention`. @internal */
export const defaultRetention: Retention = { held: 14 * day, events: 30 * day, attempts: 30 * day };

/** Maximum number of rows per call: a long transaction would delay due deliveries. */
const pieceSize = 1_000;
/** Maximum number of rows of the call for all shards. A store may read as many of each shard to find the oldest. */
const firstPieceSize = 8;

/** What {@link createPruner} calls. @internal */
export interface PrunerDeps {
  /** Deletes rows. */
  readonly log: Pick<DeliveryLog, 'prune'>;
  /** The shards whose rows this worker may prune. */
  readonly served: () => readonly number[];
  /** Source of time. */
  readonly clock: Clock;
  /** Source of randomness, for jitter. */
  readonly random: Random;
  /** Receives signals. */
  readonly observe: Observer | undefined;
  /** Receives failures of the storage. */
  readonly errors: WorkerErrors;
  /** The ages at which rows are deleted. */
  readonly ages: Omit<PruneLimits, 'limit'>;
  /** Approximate interval. */
  readonly every: DurationMs;
}

/** Deletes old rows, beside the deliveries. @internal */
export interface Pruner {
  /** Prunes everything, unless that happened within the interval. */
  once(): Promise<void>;
  /** Prunes at intervals. Resolves when stopped. */
  run(): Promise<void>;
  /** Stops `run`. */
  stop(): void;
}

/** Creates the pruner of a worker. @internal */
export const createPruner = (deps: PrunerDeps): Pruner => {
  const { log, served, clock, random, observe, errors, ages, every } = deps;
  let wakeSignal = createWakeSignal(clock);
  let stopped = true;
  let againAt: EpochMs = 0;

  const expired = new Map<string, PruneOutcome['expired'][number]>();

  /** Makes one call; returns whether more can be pruned, `undefined` when the storage failed. */
  const prune = async (shards: readonly number[], limit: number): Promise<boolean | undefined> => {
    const pruned = await errors.orElse(
      'prune',
      callPort(() => log.prune(shards, { ...ages, limit })),
      undefined,
    );
    for (const { accountId, endpointId, deliveries } of pruned?.expired ?? []) {
      const key = `${accountId} ${endpointId}`;
      const before = expired.get(key)?.deliveries ?? 0;
      expired.set(key, { accountId, endpointId, deliveries: before + deliveries });
    }
    return pruned?.hasMore;
  };

  /** Signals once for each endpoint what all calls expired. */
  const signalExpired = (): void => {
    for (const each of expired.values()) observe?.({ kind: 'delivery_expired', ...each, reason: 'held_too_long' });
    expired.clear();
  };

  /** Prunes everything: by one call for all shards when there is little, otherwise one shard a call. */
  const pruneAll = async (mayGoOn: () => boolean): Promise<void> => {
    const shards = served();
    if (shards.length === 0 || !(await prune(shards, firstPieceSize))) return;
    for (const shard of shards) {
      for (let hasMore: boolean | undefined = true; hasMore && mayGoOn() && served().includes(shard); ) {
        hasMore = await prune([shard], pieceSize);
        if (hasMore === undefined) return;
      }
    }
  };

  return {
    once: async () => {
      if (clock.now() < againAt) return;
      againAt = clock.now() + every;
      await pruneAll(() => true);
      signalExpired();
    },
    run: async () => {
      wakeSignal = createWakeSignal(clock);
      stopped = false;
      while (!stopped) {
        // Jitter, so that workers do not prune at the same time.
        await wakeSignal.wait(Math.ceil(every * (0.5 + fraction(random))));
        if (!stopped) await pruneAll(() => !stopped);
        signalExpired();
      }
    },
    stop: () => {
      stopped = true;
      wakeSignal.wake();
    },
  };
};
