import type { Auditor } from '../../../base/audit/auditor.ts';
import type { DurationMs } from '../../../base/runtime/time.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import type { WorkerStores } from '../context/worker-stores.ts';
import { callStore } from './step.ts';

/** Maximum number of entries per call. */
const pieceSize = 500;

/** What {@link tidyAudit} works with. */
export interface TidyAuditContext {
  readonly audit: WorkerStores['audit'];
  /** The shards whose entries this worker links and prunes. */
  readonly served: () => readonly number[];
  /** The age at which entries are deleted. */
  readonly age: DurationMs;
  readonly auditor: Pick<Auditor, 'place'>;
  readonly errors: WorkerErrors;
}

/**
 * Links the new entries of the audit trail, and deletes old ones. Should another worker do the same for a shard that
 * moved, one of the two does nothing.
 * @param stopped - Aborts to end it between two calls.
 */
export const tidyAudit = async (context: TidyAuditContext, stopped: AbortSignal): Promise<void> => {
  const { audit, served, age, auditor } = context;

  /** Links one piece of a shard; resolves to whether more can be linked. */
  const linkPiece = async (shard: number): Promise<boolean> => {
    const [chain] = await audit.readChains([shard]);
    const entries = (await audit.readUnlinked(shard, pieceSize)).toSorted((a, b) => a.at - b.at);
    if (!chain || entries.length === 0) return false;
    let last = chain.last;
    const places = entries.map((entry) => {
      last = auditor.place(last, entry);
      return { ...last, id: entry.id };
    });
    return (await audit.link(shard, chain.last, places)) && entries.length === pieceSize;
  };

  const isServed = (shard: number): boolean => !stopped.aborted && served().includes(shard);
  const tidy = async (): Promise<void> => {
    for (const shard of await audit.readUnlinkedShards(served())) while (isServed(shard) && (await linkPiece(shard)));
    for (const { shard, last, pruned } of await audit.readChains(served()))
      if (last.position > pruned.position) while (isServed(shard) && (await audit.pruneEntries(shard, age, pieceSize)));
  };
  if (served().length > 0) await callStore(context, 'prune', tidy);
};
