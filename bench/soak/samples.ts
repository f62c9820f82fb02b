import { setTimeout as after } from 'node:timers/promises';
import { createClient } from 'redis';
import type { Memory } from './child.ts';
import type { Fleet } from './fleet.ts';
import type { Office } from './office.ts';
import { ofEach } from './stage.ts';
import type { StorageKind } from './stores.ts';

/** A moment of a soak. A server that restarts is `null`. */
export interface Sample {
  readonly minute: number;
  /** Payments that were answered with success. */
  readonly payments: number;
  readonly attempts: number;
  /** Of processes that are never killed. */
  readonly workerMiB: Memory;
  readonly hostMiB: Memory;
  readonly connections: Readonly<Record<StorageKind | 'redis', number | null>>;
  /** The tables of the kit, in MiB. */
  readonly tablesMiB: Readonly<Record<StorageKind, number | null>>;
}

export interface SamplesOptions {
  readonly fleet: Fleet;
  readonly offices: Readonly<Record<StorageKind, Pick<Office, 'store'>>>;
  readonly redis: string;
  readonly counts: () => Pick<Sample, 'payments' | 'attempts'>;
  readonly every: number;
}

const known = (value: Promise<number>): Promise<number | null> => value.catch(() => null);

/** Takes samples until it is stopped. */
export const startSampling = async ({ fleet, offices, redis: url, counts, every }: SamplesOptions) => {
  const redis = createClient({ url, disableOfflineQueue: true });
  redis.on('error', () => undefined);
  await redis.connect();
  const clients = async (): Promise<number> =>
    Number(/^connected_clients:(\d+)/m.exec(await redis.info('clients'))?.[1]);
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const take = async (): Promise<void> => {
    const connections = await ofEach((storage) => known(offices[storage].store.connections()));
    const bytes = await ofEach((storage) => known(offices[storage].store.bytes()));
    const inMiB = (value: number | null): number | null => value && Math.round(value / 2 ** 20);
    samples.push({
      ...{ minute: Math.round((performance.now() - startedAt) / 6_000) / 10, ...counts() },
      ...{ workerMiB: fleet.memoryOf('worker'), hostMiB: fleet.memoryOf('host') },
      connections: { ...connections, redis: await known(clients()) },
      tablesMiB: { postgres: inMiB(bytes.postgres), mariadb: inMiB(bytes.mariadb) },
    });
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await after(every, undefined, { signal: stopping.signal }).catch(() => undefined);
      await take();
    }
  };
  const running = run();
  return {
    samples,
    stop: async () => {
      stopping.abort();
      await running;
      redis.destroy();
    },
  };
};
