import type { Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from './arrivals.ts';
import { openPool } from './host-transactions.ts';
import { brokenLaws } from './invariants.ts';
import { openKit } from './kit.ts';
import { startLoad } from './load.ts';
import { isDone, progress } from './progress.ts';

/** What a process of a host has of its own: a pool, a kit whose worker runs, and what publishes without a pause. */
export const startProcess = (connectionString: string, name: string) => {
  const pool = openPool({ connectionString, max: 5 });
  const received = arrivals();
  const kit = openKit(postgresStorage(pool), { sender: received });
  const worker = kit.worker();
  worker.start();
  onTestFinished(worker.stop);
  return { pool, received, kit, worker, load: startLoad(kit, `${name} `) };
};

export type HostProcess = ReturnType<typeof startProcess>;

/**
 * As if an hour had passed: workers' leases expire, also of those that joined in vain, and what is scheduled is due.
 */
export const elapseHour = async (pool: Pool): Promise<void> => {
  // Row by row it could deadlock with a worker.
  for (const [table, time] of [
    ['workers', 'expires_at'],
    ['pending', 'due_at'],
  ])
    await pool.query(`begin; lock table partnerkit.${table};
      update partnerkit.${table} set ${time} = ${time} - interval '1 hour'; commit`);
};

/**
 * Ends the load, and attempts what is left: whatever was committed reached each of so many endpoints, and no law is
 * broken.
 */
export const assertNothingLost = async (
  processes: readonly [HostProcess, ...HostProcess[]],
  endpoints: number,
): Promise<void> => {
  const [{ pool, worker }] = processes;
  await Promise.all(processes.map(({ load }) => load.stop()));
  await Promise.all(processes.map((each) => each.worker.stop()));
  for (; !(await isDone(pool)); await elapseHour(pool)) await worker.drain();

  const { events, delivered } = await progress(pool);
  expect(delivered).toBe(endpoints * events);
  const arrived = new Set(processes.flatMap(({ received }) => [...received.objects]));
  const lost = processes.flatMap(({ load }) => load.committed.filter((name) => !arrived.has(name)));
  expect(lost).toEqual([]);
  const posts = processes.flatMap(({ received }) => received.posts);
  expect(await brokenLaws(pool, posts)).toEqual([]);
};
