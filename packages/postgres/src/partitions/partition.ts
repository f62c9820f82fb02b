import { setTimeout as after } from 'node:timers/promises';
import type { SqlDriver } from '../drivers/driver.ts';
import { fromPg, type PgPool } from '../drivers/pg.ts';
import { type Catalogue, type Partition, type Query, readCatalogue } from './catalogue.ts';
import { daysToMake, dropOf, idsOf, inUse, type LastTimestamps, oldPartitions, type Step } from './steps.ts';

/** Options of {@link partition}. */
export interface PartitionOptions {
  /** The schema of the tables. */
  readonly schema: string;
  /** The number of days after today that get partitions. */
  readonly days: number;
  /** Partitions that ended so many days ago are dropped. `undefined`: none. */
  readonly keep: number | undefined;
  /** Changes nothing, and returns the SQL. */
  readonly dryRun: boolean;
}

/** What became of a step. */
export interface Outcome {
  readonly step: Step;
  /** Absent: it was done, or would be. */
  readonly skipped?: string;
}

/** A statement that waits for a lock makes others wait behind it: it gives up soon, and tries again. */
const lockTimeoutMs = 500;
const pauseMs = 1_000;
const maxTries = 30;

/** Lock not available, deadlock. */
const isBusy = (code: unknown): boolean => code === '55P03' || code === '40P01';
const codeOf = (cause: unknown): unknown => (cause as { readonly code?: unknown } | null)?.code;

type Driver = SqlDriver<object>;

/** Works in a transaction that waits for locks of others, but does not make them wait for long. */
const patiently = async <T>(driver: Driver, work: (query: Query) => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await driver.transaction(async (tx) => {
        const query: Query = (text) => driver.queryIn(tx, text, []);
        await query(`set local lock_timeout = ${lockTimeoutMs}`);
        return work(query);
      });
    } catch (cause) {
      if (!isBusy(codeOf(cause))) throw cause;
      if (tries === maxTries)
        throw new Error('Other transactions lock these tables. What was done stays: run the command again.', { cause });
      await after(pauseMs);
    }
  }
};

/** Takes a step. */
const take = async (driver: Driver, schema: string, step: Step): Promise<Outcome> => {
  try {
    const isDone = await patiently(driver, async (query) => {
      await query(`select pg_advisory_xact_lock(hashtextextended('${schema}:partition', 0))::text as locked`);
      const wasDone = step.isDone(await readCatalogue(query, schema));
      if (!wasDone) await query(step.sql);
      return wasDone;
    });
    return isDone ? { step, skipped: 'another process did it' } : { step };
  } catch (cause) {
    const code = codeOf(cause);
    if (code === inUse) return { step, skipped: 'it has deliveries that are unfinished or too young' };
    // The new partition would have rows that the default partition has.
    if (code === '23514') return { step, skipped: 'events of this day are in the default partition already' };
    throw cause;
  }
};

const lastTimestamps = async (query: Query, schema: string, events: Partition): Promise<LastTimestamps> => {
  const rows = await query(
    `select shard::int, max(timestamp)::text as timestamp from "${schema}".dispatches where ${idsOf(events)}
     group by shard order by shard`,
  );
  return rows.map(({ shard, timestamp }) => ({ shard: Number(shard), timestamp: String(timestamp) }));
};

const isAhead = (last: LastTimestamps, { now }: Catalogue): boolean =>
  last.some(({ timestamp }) => Number(timestamp) * 1_000 > now);

/**
 * Makes the partitions of the coming days, and drops old ones. It may run at any time, also twice at once: each step
 * is one transaction, which gives up after half a second when others hold a lock, and is tried again.
 * @throws Error when a table is not partitioned, or stays locked.
 */
export const partition = async (
  pool: PgPool,
  { schema, days, keep, dryRun }: PartitionOptions,
): Promise<readonly Outcome[]> => {
  const driver = fromPg(pool, { prepare: false, listen: false }) as Driver;
  const act = async (step: Step): Promise<Outcome> => (dryRun ? { step } : take(driver, schema, step));
  const catalogue = await patiently(driver, (query) => readCatalogue(query, schema));
  const outcomes: Outcome[] = [];
  for (const step of daysToMake(schema, catalogue, days)) outcomes.push(await act(step));
  const old = keep === undefined ? [] : oldPartitions(catalogue, keep);
  for (const partition of old) {
    const last = await patiently(driver, (query) => lastTimestamps(query, schema, partition));
    const step = dropOf(schema, catalogue, partition, { keep: keep ?? 0, last });
    // Others of its shards would get even later timestamps.
    const isEarly = isAhead(last, catalogue);
    outcomes.push(isEarly ? { step, skipped: 'it has timestamps that are ahead of the clock' } : await act(step));
  }
  return outcomes;
};
