import type { Pool } from 'pg';
import { vi } from 'vitest';

interface Sleeper {
  /** The connection that listens. */
  readonly pid: number;
  /** Until when somebody is marked asleep: later with each mark. */
  readonly until: number;
}

const find = async (pool: Pool): Promise<Sleeper | undefined> => {
  const { rows } = await pool.query(
    `select a.pid, extract(epoch from s.expires_at)::float8 as until from partnerkit.sleepers s, pg_stat_activity a
    where a.query = 'listen "partnerkit:due"' and a.datname = current_database()`,
  );
  return rows[0];
};

/** Resolves once a worker sleeps, in a way that is asked for. */
export const untilAsleep = async (pool: Pool, changed: (now: Sleeper) => boolean = () => true): Promise<Sleeper> => {
  let sleeper: Sleeper | undefined;
  await vi.waitUntil(
    async () => {
      // The server may be away.
      sleeper = await find(pool).catch(() => undefined);
      return sleeper !== undefined && changed(sleeper);
    },
    { timeout: 240_000, interval: 20 },
  );
  return sleeper as Sleeper;
};
