import type { Sample } from './measure.ts';
import type { Spent } from './postgres/spent.ts';

/** Finished work. */
export interface Done {
  readonly units: number;
  /** Units per second. */
  readonly rate: number;
}

/** A process that tells how much CPU it has used, in microseconds. */
export interface CpuSource {
  cpu(): Promise<number>;
}

/** Reads what the servers of a side have used. */
export interface ServerMeter {
  read(): Promise<Spent>;
}

export const thisProcess: CpuSource = {
  cpu: async () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};

/** The rate of work that is repeated. */
export const rateOf = async (units: number, work: () => Promise<unknown>): Promise<Done> => {
  const start = performance.now();
  await work();
  return { units, rate: (units / (performance.now() - start)) * 1_000 };
};

/** Runs the work of a side, and measures the CPU of its processes and servers meanwhile. */
export const metered = async (
  work: () => Promise<Done>,
  processes: readonly CpuSource[] = [thisProcess],
  server?: ServerMeter,
): Promise<Sample> => {
  const cpu = async (): Promise<number> =>
    (await Promise.all(processes.map((each) => each.cpu()))).reduce((sum, each) => sum + each, 0);
  const [serverBefore, before] = [await server?.read(), await cpu()];
  const { units, rate } = await work();
  const [after, serverAfter] = [await cpu(), await server?.read()];
  const sample = { rate, cpu: (after - before) / units };
  if (!serverBefore || !serverAfter) return sample;
  return {
    ...sample,
    serverCpu: ((serverAfter.cpuSeconds - serverBefore.cpuSeconds) * 1e6) / units,
    wal: (serverAfter.logBytes - serverBefore.logBytes) / units,
  };
};

/** Checks that as much was done as should be. */
export const expectCount = (what: string, found: number, expected: number): void => {
  if (found !== expected) throw new Error(`${what}: ${found}, instead of ${expected}.`);
};
