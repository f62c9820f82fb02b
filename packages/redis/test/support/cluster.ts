import { type RedisServer, startRedis } from '@partnerkit/workshop/services';
import { createClient } from 'redis';
import { vi } from 'vitest';

/** A cluster of three masters. */
export interface TestCluster {
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const slots = 16_384;

/** Every node takes this password instead of its own, since clients have one for all of them. */
const password = 'shared';

const join = async (servers: readonly RedisServer[]): Promise<readonly string[]> => {
  const admins = await Promise.all(servers.map(({ url }) => createClient({ url }).connect()));
  try {
    for (const [index, admin] of admins.entries()) {
      const from = Math.ceil((slots * index) / admins.length);
      const to = Math.ceil((slots * (index + 1)) / admins.length) - 1;
      await admin.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)]);
      await admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)]);
      await admin.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(servers[0]?.port)]);
      await admin.configSet({ requirepass: password });
    }
    for (const admin of admins) {
      await vi.waitFor(
        async () => {
          const info = String(await admin.sendCommand(['CLUSTER', 'INFO']));
          if (!/cluster_state:ok[\s\S]*cluster_slots_ok:16384[\s\S]*cluster_known_nodes:3/.test(info))
            throw new Error(info);
        },
        { timeout: 240_000, interval: 20 },
      );
    }
  } finally {
    for (const admin of admins) admin.destroy();
  }
  return servers.map(({ port }) => `redis://:${password}@127.0.0.1:${port}`);
};

export const startCluster = async (): Promise<TestCluster> => {
  const settings = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000' };
  const servers = await Promise.all([1, 2, 3].map(() => startRedis({ settings })));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    return { urls: await join(servers), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
};
