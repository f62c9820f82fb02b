import { randomUUID } from 'node:crypto';
import { hour, minute } from '@partnerkit/core';
import { Redis } from 'ioredis';
import { createClient, createClientPool, RESP_TYPES } from 'redis';
import { describe, expect, inject, test } from 'vitest';
import { type RedisClient, redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../src/index.ts';
import { nodeRedis, singleClients } from './support/clients.ts';
import { open } from './support/servers.ts';

const url = inject('redis');
const rule = { points: 1, window: hour };

/** Connects what was made, and ends it. */
const connecting =
  (client: RedisClient & { connect(): Promise<unknown> } & ({ destroy(): unknown } | { disconnect(): unknown })) =>
  async () => {
    await client.connect();
    return {
      client,
      close: async () => {
        if ('destroy' in client) client.destroy();
        else client.disconnect();
      },
    };
  };

describe('client configurations of the host', () => {
  test.each([
    ['node-redis on RESP 2', connecting(createClient({ url, RESP: 2 }))],
    ['node-redis with a key prefix', connecting(createClient({ url, keyPrefix: 'host:' }))],
    [
      'node-redis that hands out buffers, and numbers as text',
      connecting(
        createClient({
          url,
          commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String } },
        }),
      ),
    ],
    ['a pool of node-redis', connecting(createClientPool({ url }))],
    ['ioredis on RESP 2', connecting(new Redis(url, { lazyConnect: true, protocol: 2 }))],
    ['ioredis with a key prefix', connecting(new Redis(url, { lazyConnect: true, keyPrefix: 'host:' }))],
    ['ioredis that hands out numbers as text', connecting(new Redis(url, { lazyConnect: true, stringNumbers: true }))],
    ['ioredis that pipelines by itself', connecting(new Redis(url, { lazyConnect: true, enableAutoPipelining: true }))],
  ] as const)('%s', async (_name, connect) => {
    const { client } = await open(connect());
    const options = { prefix: `test:${randomUUID()}:` };

    const seen = redisSeenKeys(client, options);
    const claim = await seen.claim('k', minute);
    expect((await seen.claim('k', minute)).kind).toBe('in_progress');
    expect(claim.kind === 'claimed' && (await seen.confirm('k', claim.lease, minute))).toBe(true);
    expect((await seen.claim('k', minute)).kind).toBe('done');

    const limiter = redisRateLimiter(client, options);
    expect(await limiter.take('k', rule)).toBe(0);
    const wait = await limiter.take('k', rule);
    expect(wait).toBeTypeOf('number');
    expect(wait).toBeGreaterThan(0);

    const changeFeed = redisClientChangeFeed(client, options);
    const { cursor } = await changeFeed.changesSince(undefined);
    await changeFeed.announce('été 🏡');
    expect((await changeFeed.changesSince(cursor)).subjects).toEqual(['été 🏡']);

    const inbox = redisInbox(client, options);
    expect(await inbox.enqueue('k', 'été 🏡')).toBe(true);
    const [entry] = await inbox.claim(1, minute);
    expect(entry).toEqual({ key: 'k', body: 'été 🏡', attempt: 1, lease: expect.any(String) });
    expect(await inbox.deadLetter('k', entry?.lease ?? '')).toBe(true);
    expect(await inbox.stats(1)).toEqual({
      waiting: 0,
      oldestDueMs: 0,
      deadLettered: 1,
      deadLetters: [{ key: 'k', body: 'été 🏡', attempts: 1 }],
    });
  });
});

describe('keys', () => {
  test('of any length and content differ, and are short in Redis', async () => {
    const { client } = await open(nodeRedis(url));
    const prefix = `test:${randomUUID()}:`;
    const seen = redisSeenKeys(client, { prefix });
    const long = 'é'.repeat(100_000);
    const keys = [
      '',
      '\0',
      '{a}',
      '{a}b',
      '\ud800',
      '\udfff',
      '\ufffd',
      `${long}1`,
      `${long}2`,
      'a'.repeat(200),
      'a'.repeat(201),
    ];
    for (const key of keys) expect((await seen.claim(key, minute)).kind).toBe('claimed');
    for (const key of keys) expect((await seen.claim(key, minute)).kind).toBe('in_progress');
    const lengths: number[] = [];
    for await (const found of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
      lengths.push(...found.map((key) => Buffer.byteLength(key) - prefix.length));
    }
    expect(lengths).toHaveLength(keys.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual('seen:'.length + 200);
  });

  test('of another prefix are another receiver', async () => {
    const { client } = await open(nodeRedis(url));
    const [one, two] = [1, 2].map(() => ({ prefix: `test:${randomUUID()}:` }));
    expect((await redisSeenKeys(client, one).claim('k', minute)).kind).toBe('claimed');
    expect((await redisSeenKeys(client, two).claim('k', minute)).kind).toBe('claimed');
    expect(await redisInbox(client, one).enqueue('k', 'one')).toBe(true);
    expect(await redisInbox(client, two).enqueue('k', 'two')).toBe(true);
    expect((await redisInbox(client, one).claim(10, minute)).map(({ body }) => body)).toEqual(['one']);
  });

  test('all expire except entries of an inbox', async () => {
    const { client } = await open(nodeRedis(url));
    const prefix = `test:${randomUUID()}:`;
    const seen = redisSeenKeys(client, { prefix });
    const claim = await seen.claim('done', 1.5);
    await seen.confirm('done', claim.kind === 'claimed' ? claim.lease : '', hour);
    await seen.claim('held', 0);
    await redisRateLimiter(client, { prefix }).take('k', { points: 5, window: hour });
    await redisRateLimiter(client, { prefix }).refund('k');
    await redisClientChangeFeed(client, { prefix }).changesSince(undefined);
    const inbox = redisInbox(client, { prefix });
    await inbox.enqueue('k', 'body');
    const [entry] = await inbox.claim(1, minute);
    await inbox.complete('k', entry?.lease ?? '', hour);
    const lasting: string[] = [];
    for await (const found of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
      for (const key of found) if ((await client.pTTL(key)) === -1) lasting.push(key);
    }
    expect(lasting).toEqual([]);
  });
});

describe.each(singleClients)('%s', (_name, connect) => {
  test('a reply that arrived while this process was blocked is read before the timeout counts', async () => {
    const { client } = await open(connect(url));
    const seen = redisSeenKeys(client, { prefix: `test:${randomUUID()}:`, timeout: 50 });
    await seen.claim('warm', minute);
    const claim = seen.claim('k', minute);
    // It leaves with the batch of this turn, and some clients write in the next one.
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect((await claim).kind).toBe('claimed');
  });
});
