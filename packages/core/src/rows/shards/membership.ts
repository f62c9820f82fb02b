import type { Plan, RowTx } from '../port/row-store.ts';
import { workers } from '../tables/shards.ts';

/** Whether a worker has a row; the row then stays until the transaction ends. No heartbeat waits. @internal */
export function* isMember(rows: RowTx, workerId: string): Plan<boolean> {
  const [row] = yield* rows.get(workers, [[workerId]], 'keep');
  return row !== undefined;
}
