import type { Observer } from '../../../base/signals/listener.ts';
import type { DeliveryLog, PruneLimits, PruneOutcome } from '../../log/delivery-log.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import { callStore, hasFailed } from './step.ts';

/** Maximum number of rows per call: a long transaction would delay due deliveries. */
const pieceSize = 1_000;
/** Maximum number of rows of the call for all shards. A store may read as many of each shard to find the oldest. */
const firstPieceSize = 8;

/** What {@link prune} works with. */
export interface PruneContext {
  readonly log: Pick<DeliveryLog, 'prune'>;
  /** The shards whose rows this worker may prune. */
  readonly served: () => readonly number[];
  /** The ages at which rows are deleted. */
  readonly ages: Omit<PruneLimits, 'limit'>;
  readonly errors: WorkerErrors;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
}

type Expired = PruneOutcome['expired'][number];

/** What was pruned so far. */
const createTally = () => {
  const expired = new Map<string, Expired>();
  return {
    add: (outcome: PruneOutcome): void => {
      for (const { accountId, endpointId, deliveries } of outcome.expired) {
        const key = `${accountId} ${endpointId}`;
        const before = expired.get(key)?.deliveries ?? 0;
        expired.set(key, { accountId, endpointId, deliveries: before + deliveries });
      }
    },
    expired: () => expired.values(),
  };
};

/**
 * Deletes old rows: by one call for all shards when there are few, otherwise one shard a call. Signals expired
 * deliveries once for each endpoint.
 * @param stopped - Aborts to end it between two calls.
 */
export const prune = async (context: PruneContext, stopped: AbortSignal): Promise<void> => {
  const { log, served, ages, observe } = context;
  const tally = createTally();
  /** Makes one call; resolves to whether more can be pruned, `undefined` when the storage failed. */
  const prunePiece = async (shards: readonly number[], limit: number): Promise<boolean | undefined> => {
    const pruned = await callStore(context, 'prune', () => log.prune(shards, { ...ages, limit }));
    if (hasFailed(pruned)) return undefined;
    tally.add(pruned);
    return pruned.hasMore;
  };
  const pruneShard = async (shard: number): Promise<boolean> => {
    let hasMore: boolean | undefined = true;
    while (hasMore && !stopped.aborted && served().includes(shard)) hasMore = await prunePiece([shard], pieceSize);
    return hasMore !== undefined;
  };
  const shards = served();
  if (shards.length > 0 && (await prunePiece(shards, firstPieceSize)))
    for (const shard of shards) if (!(await pruneShard(shard))) break;
  for (const each of tally.expired()) observe?.({ kind: 'delivery_expired', ...each, reason: 'held_too_long' });
};
