import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';

/** CPU time and log of a PostgreSQL server since its start. */
export interface Spent {
  /** Of all its processes, including those that ended. `NaN`: the system does not tell. */
  readonly cpuSeconds: number;
  readonly logBytes: number;
}

/** Linux counts in hundredths of a second. */
const tick = 1 / 100;

interface ProcessTimes {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly ended: number;
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5); the second field may contain spaces. */
const timesOf = (pid: number): ProcessTimes => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (...places: readonly number[]): number => places.reduce((all, place) => all + (fields[place] ?? 0), 0);
  return { parent: sum(1), own: sum(11, 12) * tick, ended: sum(13, 14) * tick };
};

const childrenOf = (parent: number): readonly ProcessTimes[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [timesOf(Number(name))];
      } catch {
        return [];
      }
    })
    .filter((process) => process.parent === parent);

/** Reads the values of the server behind `url`. Only Linux tells CPU times. */
export const meterServer = async (url: string): Promise<{ read(): Promise<Spent>; end(): Promise<void> }> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: pids } = await client.query('select pg_backend_pid() as pid');
  const postmaster = process.platform === 'linux' ? timesOf(pids[0].pid).parent : undefined;
  const cpuSeconds = (): number => {
    if (postmaster === undefined) return Number.NaN;
    const { own, ended } = timesOf(postmaster);
    return own + ended + childrenOf(postmaster).reduce((all, child) => all + child.own, 0);
  };
  return {
    read: async () => {
      const { rows } = await client.query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes");
      return { cpuSeconds: cpuSeconds(), logBytes: rows[0].bytes };
    },
    end: () => client.end(),
  };
};

/** Reads the CPU time of a Redis server. */
export const meterRedis = (url: string): { read(): Promise<Spent>; end(): Promise<void> } => {
  const redis = new Redis(url);
  return {
    read: async () => {
      const told = await redis.info('cpu');
      const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(told)?.[1]);
      return { cpuSeconds: seconds('used_cpu_user') + seconds('used_cpu_sys'), logBytes: 0 };
    },
    end: async () => void (await redis.quit()),
  };
};
