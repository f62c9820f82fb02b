import { hour, minute } from '@partnerkit/core';
import { processOnce } from '@partnerkit/core/adapter';
import type { TcpProxy } from '@partnerkit/workshop/services';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describe, expect, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import {
  type RedisClient,
  type RedisOptions,
  redisClientChangeFeed,
  redisInbox,
  redisRateLimiter,
  redisSeenKeys,
} from '../../src/index.ts';
import { nodeRedis, singleClients } from '../support/clients.ts';
import { platform } from '../support/kit.ts';
import { by, open, ownProxy, ownRedis } from '../support/servers.ts';

const timeout = 500;
const ignore = (): void => {};

/** Clients whose commands wait for a connection, as they do unless the host says otherwise. */
const patientClients: typeof singleClients = [
  [
    'node-redis that queues',
    async (url) => {
      const client = createClient({ url }).on('error', ignore);
      await client.connect();
      return { client, close: async () => client.destroy() };
    },
  ],
  [
    'ioredis that queues',
    async (url) => {
      const client = new Redis(url, { lazyConnect: true });
      client.on('error', ignore);
      await client.connect();
      return { client, close: async () => client.disconnect() };
    },
  ],
];

const outages: readonly (readonly [string, (proxy: TcpProxy) => void])[] = [
  [
    'cannot be reached',
    (proxy) => {
      proxy.refuse();
      proxy.cut();
    },
  ],
  ['does not answer', (proxy) => proxy.pause()],
];

/** Every call of every port. */
const calls = (client: RedisClient, options: RedisOptions = {}): Record<string, () => Promise<unknown>> => {
  const seen = redisSeenKeys(client, options);
  const limiter = redisRateLimiter(client, options);
  const changeFeed = redisClientChangeFeed(client, options);
  const inbox = redisInbox(client, options);
  return {
    claim: async () => seen.claim('k', minute),
    confirm: async () => seen.confirm('k', 'l', minute),
    release: async () => seen.release('k', 'l'),
    take: () => limiter.take('k', { points: 1, window: hour }),
    refund: () => limiter.refund('k'),
    tell: () => changeFeed.announce('k'),
    since: () => changeFeed.changesSince(undefined),
    keep: () => inbox.enqueue('k', 'body'),
    'inbox.take': () => inbox.claim(1, minute),
    done: () => inbox.complete('k', 'l', minute),
    retry: () => inbox.retry('k', 'l', 0),
    park: () => inbox.deadLetter('k', 'l'),
    resume: () => inbox.requeue(['k']),
    look: () => inbox.stats(1),
  };
};

// One client that queues, and one that does not.
describe.each(sized([...singleClients.slice(0, 1), ...patientClients.slice(1)], [...singleClients, ...patientClients]))(
  '%s',
  (_name, connect) => {
    const world = async () => {
      const server = await ownRedis();
      const proxy = await ownProxy(server);
      const { client } = await open(connect(by(proxy, server.url)));
      const recover = async (): Promise<void> => {
        proxy.resume();
        await proxy.accept();
        await vi.waitFor(() => redisSeenKeys(client, { timeout }).claim('recovered?', 1), { timeout: 240_000 });
      };
      return { proxy, client, recover };
    };

    describe.each(outages)('a Redis that %s', (_how, fail) => {
      test('has every call reject, and none once it is back', async () => {
        const { client, recover, proxy } = await world();
        fail(proxy);
        const outcomes = await Promise.allSettled(Object.values(calls(client, { timeout })).map((call) => call()));
        expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
        await recover();
        for (const call of Object.values(calls(client))) await call();
      });

      test('fails login closed for right and wrong secrets, and opens it again', async () => {
        const { client, recover, proxy } = await world();
        const { addClient, login } = platform({ shared: { limiter: redisRateLimiter(client, { timeout }) } });
        const added = await addClient();
        const status = async (secret: string) => (await login(added.client.id, secret)).status;
        const wrong = `${added.secret.slice(0, -6)}000000`;
        expect([await status(added.secret), await status(wrong)]).toEqual([200, 401]);
        fail(proxy);
        expect([await status(added.secret), await status(wrong)]).toEqual([503, 503]);
        await recover();
        expect([await status(added.secret), await status(wrong)]).toEqual([200, 401]);
      });

      test('processes nothing without a claim, and loses nothing', async () => {
        const { client, recover, proxy } = await world();
        const seen = redisSeenKeys(client, { timeout });
        let processed = 0;
        const work = (key: string) => processOnce(seen, key, () => void processed++, { lease: 1 });
        fail(proxy);
        await expect(work('k')).rejects.toThrow();
        expect(processed).toBe(0);
        await recover();
        // A claim that was under way may have been made: its lease lapses.
        await vi.waitFor(async () => expect(await work('k')).not.toBe('in_progress'), { timeout: 240_000 });
        expect(processed).toBe(1);
      });
    });
  },
);

describe('a connection that is cut after the command and before its reply', () => {
  /** Resolves or rejects as the call does that was executed, and whose answer was lost. */
  const callAndCut = async <T>(
    connect: (typeof singleClients)[number][1],
    call: (client: RedisClient) => Promise<T>,
  ) => {
    const server = await ownRedis();
    const proxy = await ownProxy(server);
    const { client: direct } = await open(nodeRedis(server.url));
    const { client } = await open(connect(by(proxy, server.url)));
    proxy.delay(200);
    const calling = call(client);
    calling.catch(ignore);
    await vi.waitFor(async () => expect(await direct.dbSize()).toBeGreaterThan(0), { timeout: 240_000 });
    proxy.delay(0);
    proxy.cut();
    return { calling, direct };
  };

  test('a client that sends its claim again holds the lease', async () => {
    const [, connect] = patientClients[1] as (typeof patientClients)[number];
    const { calling, direct } = await callAndCut(connect, async (client) => redisSeenKeys(client).claim('k', hour));
    const claim = await calling;
    const others = redisSeenKeys(direct);
    expect(await others.claim('k', hour)).toEqual({ kind: 'in_progress' });
    expect(claim.kind === 'claimed' && (await others.confirm('k', claim.lease, hour))).toBe(true);
  });

  test('without a repeated claim, the key is claimed again after its lease expires', async () => {
    const { calling, direct } = await callAndCut(nodeRedis, async (client) => redisSeenKeys(client).claim('k', 1_000));
    await expect(calling).rejects.toThrow();
    await vi.waitFor(async () => expect((await redisSeenKeys(direct).claim('k', hour)).kind).toBe('claimed'), {
      timeout: 240_000,
    });
  });

  test('an inbox has queued the event, and the next attempt is a duplicate', async () => {
    const { calling, direct } = await callAndCut(nodeRedis, (client) =>
      redisInbox(client, { timeout: 5_000 }).enqueue('k', 'body'),
    );
    await expect(calling).rejects.toThrow();
    const inbox = redisInbox(direct);
    expect(await inbox.enqueue('k', 'body')).toBe(false);
    expect(await inbox.claim(10, minute)).toEqual([expect.objectContaining({ key: 'k', attempt: 1 })]);
  });

  test('a point is used up', async () => {
    const rule = { points: 1, window: hour };
    const { calling, direct } = await callAndCut(nodeRedis, (client) => redisRateLimiter(client).take('k', rule));
    await expect(calling).rejects.toThrow();
    expect(await redisRateLimiter(direct).take('k', rule)).toBeGreaterThan(0);
  });
});
