import { day, hour, minute } from '@partnerkit/core';
import type { SeenClaim } from '@partnerkit/core/adapter';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { redisSeenKeys } from '../../src/index.ts';
import { clusterClients, type HostClient, nodeRedis, singleClients } from '../support/clients.ts';
import { startCluster, type TestCluster } from '../support/cluster.ts';
import { counting } from '../support/counting.ts';
import { open, ownRedis } from '../support/servers.ts';
import { ownKeys } from '../support/store-time.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `k${index}`);
const kinds = (claims: readonly SeenClaim[]): ReadonlySet<string> => new Set(claims.map(({ kind }) => kind));
const leaseOf = (claim: SeenClaim | undefined): string => (claim?.kind === 'claimed' ? claim.lease : '');

/** Seen keys of one test's own, and a hand on their time. */
const world = async (connect: () => Promise<HostClient>, urls: readonly string[]) => {
  const { client, sent } = counting((await open(connect())).client);
  const keys = await open(Promise.resolve(ownKeys(urls, { storeAhead: 0 })));
  const seen = redisSeenKeys(client, { prefix: keys.prefix, timeout: 20_000 });
  return {
    seen,
    elapse: keys.elapse,
    claim: async (of: readonly string[]) => Promise.all(of.map((key) => seen.claim(key, hour))),
    /**
     * Number of keys of each script call since the last read. A script that the server did not know is no second call.
     */
    calls: () =>
      sent()
        .filter(({ name }) => name === 'EVALSHA')
        .map(({ keys }) => keys),
    sent,
  };
};

describe.each(singleClients)('%s', (_name, connect) => {
  const own = (url = inject('redis')) => world(() => connect(url), [url]);

  test('64 claims of one turn are one script call, and so are their confirms and their releases', async () => {
    const { seen, claim, calls } = await own();
    const keys = names(64);
    const claims = await claim(keys);
    expect(kinds(claims)).toEqual(new Set(['claimed']));
    expect(calls()).toEqual([64]);
    const confirms = keys.slice(0, 32).map((key, index) => seen.confirm(key, leaseOf(claims[index]), hour));
    expect(await Promise.all(confirms)).toEqual(Array(32).fill(true));
    expect(calls()).toEqual([32]);
    await Promise.all(keys.map((key, index) => seen.release(key, leaseOf(claims[index]))));
    expect(calls()).toEqual([64]);
    const again = (await claim(keys)).map(({ kind }) => kind);
    expect(again).toEqual(keys.map((_, index) => (index < 32 ? 'done' : 'claimed')));
    expect(calls()).toEqual([64]);
  });

  test('no script call has more than 256 keys, and no key is left out', async () => {
    const { claim, calls } = await own();
    expect(kinds(await claim(names(600)))).toEqual(new Set(['claimed']));
    expect(calls()).toEqual([256, 256, 88]);
    expect(kinds(await claim(names(600)))).toEqual(new Set(['in_progress']));
  });

  test('a script that the server has forgotten is sent again as a whole', async () => {
    const server = await ownRedis();
    const { claim, sent } = await own(server.url);
    await claim(['first']);
    await server.flush();
    await (await open(nodeRedis(server.url))).client.scriptFlush();
    sent();
    expect(kinds(await claim(names(64)))).toEqual(new Set(['claimed']));
    expect(sent()).toEqual([
      { name: 'EVALSHA', keys: 64 },
      { name: 'EVAL', keys: 64 },
    ]);
  });

  test('each key has the time of its caller; for one key, that of the first caller', async () => {
    const { seen, elapse } = await own();
    const [short, , long] = await Promise.all([
      seen.claim('a', minute),
      seen.claim('a', day),
      seen.claim('b', day),
      seen.claim('c', hour),
    ]);
    expect(short.kind).toBe('claimed');
    await elapse(minute);
    expect((await seen.claim('a', day)).kind).toBe('claimed');
    expect((await seen.claim('b', day)).kind).toBe('in_progress');
    expect((await seen.claim('c', day)).kind).toBe('in_progress');
    await elapse(hour);
    const c = await seen.claim('c', day);
    expect(c.kind).toBe('claimed');
    const confirms = [seen.confirm('b', leaseOf(long), minute), seen.confirm('c', leaseOf(c), day)];
    expect(await Promise.all(confirms)).toEqual([true, true]);
    await elapse(minute);
    expect((await seen.claim('b', day)).kind).toBe('claimed');
    expect((await seen.claim('c', day)).kind).toBe('done');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'a time of %s throws, and fails no other call of its turn',
    async (time) => {
      const { seen } = await own();
      const good = seen.claim('good', hour);
      expect(() => seen.claim('bad', time)).toThrow(RangeError);
      expect(() => seen.confirm('bad', 'lease', time)).toThrow(RangeError);
      expect((await good).kind).toBe('claimed');
      expect((await seen.claim('bad', minute)).kind).toBe('claimed');
    },
  );
});

describe('on a cluster each key has a command of its own', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const keysOfCalls = async (connect: (urls: readonly string[]) => Promise<HostClient>) => {
    const { claim, calls } = await world(() => connect(cluster.urls), cluster.urls);
    expect(kinds(await claim(names(64)))).toEqual(new Set(['claimed']));
    const first = calls();
    expect(kinds(await claim(names(64)))).toEqual(new Set(['in_progress']));
    return [first, calls()];
  };
  const each = Array<number>(64).fill(1);

  test('node-redis: after one was refused', async () => {
    const [, connect] = clusterClients[0];
    expect(await keysOfCalls(connect)).toEqual([[64, ...each], each]);
  });

  test('ioredis: from the first call, since it would refuse other commands with it', async () => {
    const [, connect] = clusterClients[1];
    expect(await keysOfCalls(connect)).toEqual([each, each]);
  });

  test('ioredis that pipelines by itself: other commands of the host in the same turn succeed', async () => {
    const nodes = cluster.urls.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) }));
    const { password } = new URL(cluster.urls[0] as string);
    const client = new Cluster(nodes, { lazyConnect: true, enableAutoPipelining: true, redisOptions: { password } });
    const connect = () => client.connect().then(() => ({ client, close: async () => client.disconnect() }));
    const { claim } = await world(connect, cluster.urls);
    const theirs = new Promise((resolve, reject) => {
      setImmediate(() => Promise.all(names(64).map((key) => client.set(key, 'theirs'))).then(resolve, reject));
    });
    expect(kinds(await claim(names(64)))).toEqual(new Set(['claimed']));
    expect(await theirs).toEqual(Array(64).fill('OK'));
  });
});
