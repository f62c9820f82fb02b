import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import type { RedisClient } from '../../src/index.ts';

/** A client of a host. */
export interface HostClient {
  readonly client: RedisClient;
  close(): Promise<void>;
}

/** What a lost connection says is no matter: tests look at what the adapters make of it. */
const ignore = (): void => {};

export const nodeRedis = async (url: string) => {
  const client = createClient({ url, disableOfflineQueue: true }).on('error', ignore);
  await client.connect();
  return { client, close: async () => client.destroy() };
};

export const ioRedis = async (url: string) => {
  const client = new Redis(url, { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  client.on('error', ignore);
  await client.connect();
  return { client, close: async () => client.disconnect() };
};

/** The clients that a single server is spoken to with. */
export const singleClients: readonly (readonly [string, (url: string) => Promise<HostClient>])[] = [
  ['node-redis', nodeRedis],
  ['ioredis', ioRedis],
];

const nodeRedisCluster = async (urls: readonly string[]) => {
  const { username, password } = new URL(urls[0] as string);
  const defaults = { username: username || 'default', password };
  const client = createCluster({ rootNodes: urls.map((url) => ({ url })), defaults }).on('error', ignore);
  await client.connect();
  return { client, close: async () => client.destroy() };
};

const ioRedisCluster = async (urls: readonly string[]) => {
  const nodes = urls.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) }));
  const { password } = new URL(urls[0] as string);
  const client = new Cluster(nodes, { lazyConnect: true, redisOptions: { password } });
  client.on('error', ignore);
  await client.connect();
  return { client, close: async () => client.disconnect() };
};

/** The clients that a cluster is spoken to with. */
export const clusterClients = [
  ['node-redis', nodeRedisCluster],
  ['ioredis', ioRedisCluster],
] as const;
