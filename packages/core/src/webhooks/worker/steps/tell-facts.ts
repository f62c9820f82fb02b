import type { FactSource } from '../../../base/audit/fact-source.ts';
import type { Cache } from '../../../base/runtime/cache.ts';
import { shardOf } from '../../shards/shard.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import type { WorkerStores } from '../context/worker-stores.ts';
import { callStore } from './step.ts';

/** What {@link tellFacts} works with. */
export interface FactsContext {
  readonly audit: Pick<WorkerStores['audit'], 'tell'>;
  /** The shards whose facts this worker tells. */
  readonly served: () => readonly number[];
  /** The ids of entries that this process wrote: it writes none of them again. */
  readonly told: Cache<true>;
  readonly errors: WorkerErrors;
}

/**
 * Writes entries of the audit trail of what time brought. Each has the same id whichever worker tells it, so that a
 * shard that moves, and a worker that starts again, tell nothing twice.
 * @param stopped - Aborts to end it between two calls.
 */
export const tellFacts = async <P>(
  context: FactsContext,
  source: FactSource<P>,
  stopped: AbortSignal,
): Promise<void> => {
  const { audit, served, told } = context;

  const tellPage = async (after: P | undefined): Promise<P | undefined> => {
    const own = new Set(served());
    const page = await source.readFacts((accountId) => own.has(shardOf(accountId)), after);
    const entries = page.entries.filter(({ id }) => told.get(id) === undefined);
    if (entries.length > 0) await audit.tell(entries);
    for (const { id } of entries) told.set(id, true);
    await page.stored?.();
    return page.next;
  };

  const tellAll = async (): Promise<void> => {
    let after = await tellPage(undefined);
    while (after !== undefined && !stopped.aborted) after = await tellPage(after);
  };
  await callStore(context, 'tell', tellAll);
};
