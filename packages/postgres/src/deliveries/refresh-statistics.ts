import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const analyze = statement`analyze (skip_locked) ${t.outbox}, ${t.pending}, ${t.parent_propagation}`;

/** Minimum interval, in milliseconds. */
const interval = 60_000;
/** Rows of a read that may be a part of a backlog. */
const fewest = 64;

/**
 * Creates a function that is called after each read of a queue. When the read found as many rows as it may, it
 * refreshes the planner's statistics of the queue tables, once a minute. A backlog comes faster than the server's own
 * analysis. With the statistics of an empty queue in a large file, the planner expects no rows, and reads the whole
 * backlog for each row.
 *
 * A role that does not own the tables refreshes nothing, and the server says so in its log. Reads do not depend on it.
 */
export const refreshStatistics = <Tx extends object>({
  run,
}: Pick<Database<Tx>, 'run'>): ((found: number, limit: number) => Promise<void>) => {
  let last = Number.NEGATIVE_INFINITY;
  return async (found, limit) => {
    const now = performance.now();
    if (found < Math.max(limit, fewest) || now - last < interval) return;
    last = now;
    await run(analyze).catch(() => undefined);
  };
};
