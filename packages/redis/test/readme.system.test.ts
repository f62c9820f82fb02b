import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hour, minute } from '@partnerkit/core';
import { Cluster } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { type RedisClient, redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../src/index.ts';
import { nodeRedis } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.ts';
import { open, ownRedis } from './support/servers.ts';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('../../docs/packages/redis.md', root), 'utf8');
// A package that this one does not know comes from where it lies.
const fences = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) =>
  source
    .replace("'@partnerkit/receiver'", "'../receiver/src/index.ts'")
    .replace("'@partnerkit/redis'", "'./src/index.ts'"),
);

/** What the page says stands for something. */
const preamble = `
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
const options = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
  objects: [],
} as const;
const webhookSecret = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0';
`;
const examples = fences.map((source, index) => ({ name: `example ${index + 1}`, source: `${preamble}${source}` }));

describe('examples run', () => {
  test.each(examples)('$name', async ({ source }) => {
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-'], {
      cwd: fileURLToPath(root),
      env: { ...compileCache, REDIS_URL: inject('redis') },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.end(`${source}\nprocess.exit(0);`);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

const [rights = ''] = /^ACL SETUSER .*$/m.exec(page) ?? [];
const words = rights.split(' ');
const someUser = (): string => `u${randomUUID().replaceAll('-', '')}`;
const rightsOf = (user: string): readonly string[] => words.map((word) => (word === 'partnerkit' ? user : word));

/** Calls every method of every adapter. */
const useAll = async (client: RedisClient, user: string): Promise<void> => {
  const options = { prefix: `partnerkit:${user}:` };
  const seen = redisSeenKeys(client, options);
  for (const end of ['confirm', 'release'] as const) {
    const claim = await seen.claim(end, minute);
    const lease = claim.kind === 'claimed' ? claim.lease : '';
    await (end === 'confirm' ? seen.confirm(end, lease, hour) : seen.release(end, lease));
  }
  const limiter = redisRateLimiter(client, options);
  for (let times = 0; times < 3; times++) await limiter.take('k', { points: 2, window: hour });
  await limiter.refund('k');
  const changeFeed = redisClientChangeFeed(client, options);
  const { cursor } = await changeFeed.changesSince(undefined);
  await changeFeed.announce('a');
  await changeFeed.changesSince(cursor);
  const inbox = redisInbox(client, options);
  for (const key of ['done', 'parked']) await inbox.enqueue(key, 'body');
  const [first, second] = await inbox.claim(2, minute);
  await inbox.complete(first?.key ?? '', first?.lease ?? '', hour);
  await inbox.deadLetter(second?.key ?? '', second?.lease ?? '');
  await inbox.stats(1);
  await inbox.requeue([second?.key ?? '']);
};

test('the documented rights suffice, and each is needed', async () => {
  const server = await ownRedis();
  const admin = (await open(nodeRedis(server.url))).client;
  const everything = async (withoutRight?: string): Promise<void> => {
    await admin.scriptFlush();
    const user = someUser();
    await admin.sendCommand(rightsOf(user).filter((word) => word !== withoutRight));
    const url = new URL(server.url);
    url.username = user;
    url.password = 'password';
    const client = await createClient({ url: url.href }).connect();
    onTestFinished(() => client.destroy());
    await useAll(client, user);
  };
  await everything();
  const needless: string[] = [];
  for (const right of words.filter((word) => word.startsWith('+'))) {
    await everything(right).then(
      () => needless.push(right),
      () => undefined,
    );
  }
  expect(needless).toEqual([]);
});

describe('the further rights that clients of a cluster need', () => {
  type Connect = (ports: readonly number[], username: string) => Promise<RedisClient>;
  const nodeRedisCluster: Connect = async (ports, username) => {
    const rootNodes = ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }));
    const client = createCluster({ rootNodes, defaults: { username, password: 'password' } });
    client.on('error', () => {});
    onTestFinished(() => client.destroy());
    return client.connect();
  };
  const ioRedisCluster: Connect = async (ports, username) => {
    const nodes = ports.map((port) => ({ host: '127.0.0.1', port }));
    const redisOptions = { username, password: 'password' };
    const client = new Cluster(nodes, { lazyConnect: true, clusterRetryStrategy: () => null, redisOptions });
    client.on('error', () => {});
    onTestFinished(() => client.disconnect());
    // What it may not ask before it is ready lets it wait without end.
    await Promise.race([client.connect(), once(client, 'close').then(() => Promise.reject(new Error('closed')))]);
    return client;
  };
  const named = [...page.matchAll(/`(\+cluster\|\w+)`/g)].map(([, right = '']) => right);
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  test.each([
    ['node-redis', nodeRedisCluster, named.slice(0, 1)],
    ['ioredis', ioRedisCluster, named],
  ])('%s: are enough, and none is needless', async (_name, connect, wanted) => {
    const admins = await Promise.all(cluster.urls.map(async (url) => (await open(nodeRedis(url))).client));
    const everything = async (besides: readonly string[]): Promise<void> => {
      const user = someUser();
      for (const admin of admins) await admin.sendCommand([...rightsOf(user), ...besides]);
      const ports = cluster.urls.map((url) => Number(new URL(url).port));
      await useAll(await connect(ports, user), user);
    };
    await everything(wanted);
    for (const right of wanted) await expect(everything(wanted.filter((each) => each !== right))).rejects.toThrow();
  });
});
