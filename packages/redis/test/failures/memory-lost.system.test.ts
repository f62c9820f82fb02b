import { randomUUID } from 'node:crypto';
import { hour, minute } from '@partnerkit/core';
import { processOnce } from '@partnerkit/core/adapter';
import type { RedisServer } from '@partnerkit/workshop/services';
import { describe, expect, test, vi } from 'vitest';
import { redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../../src/index.ts';
import { nodeRedis, singleClients } from '../support/clients.ts';
import { open, ownRedis } from '../support/servers.ts';

const losses: readonly (readonly [string, (server: RedisServer) => Promise<void>])[] = [
  ['is flushed', (server) => server.flush()],
  ['restarts without persistence', (server) => server.restart()],
  [
    'is killed',
    async (server) => {
      await server.kill();
      await server.restart();
    },
  ],
];
const rule = { points: 1, window: hour };

describe.each(singleClients)('%s', (_name, connect) => {
  describe.each(losses)('a Redis that %s', (_how, lose) => {
    const world = async () => {
      const server = await ownRedis();
      const { client } = await open(connect(server.url));
      /** Ends when the client has found the server again. */
      const loseAll = async (): Promise<void> => {
        await lose(server);
        await vi.waitFor(() => redisSeenKeys(client).claim(randomUUID(), 1), { timeout: 240_000 });
      };
      return { client, loseAll };
    };

    test('processes confirmed and claimed events again; both can be confirmed', async () => {
      const { client, loseAll } = await world();
      const seen = redisSeenKeys(client);
      const processed: string[] = [];
      const work = (key: string) => processOnce(seen, key, () => void processed.push(key));
      expect([await work('done'), await work('done')]).toEqual(['processed', 'duplicate']);
      const held = await seen.claim('held', minute);
      await loseAll();
      expect(held.kind === 'claimed' && (await seen.confirm('held', held.lease, hour))).toBe(false);
      expect([await work('done'), await work('held'), await work('done'), await work('held')]).toEqual([
        'processed',
        'processed',
        'duplicate',
        'duplicate',
      ]);
      expect(processed).toEqual(['done', 'done', 'held']);
    });

    test('starts every window again', async () => {
      const { client, loseAll } = await world();
      const limiter = redisRateLimiter(client);
      expect(await limiter.take('k', rule)).toBe(0);
      expect(await limiter.take('k', rule)).toBeGreaterThan(0);
      await loseAll();
      await limiter.refund('k');
      expect(await limiter.take('k', rule)).toBe(0);
      expect(await limiter.take('k', rule)).toBeGreaterThan(0);
    });

    test('says that changes are missing', async () => {
      const { client, loseAll } = await world();
      const changeFeed = redisClientChangeFeed(client);
      const { cursor } = await changeFeed.changesSince(undefined);
      await changeFeed.announce('a');
      await loseAll();
      expect((await changeFeed.changesSince(cursor)).subjects).toBeUndefined();
    });

    test('has lost the entries of an inbox, which then accepts new ones', async () => {
      const { client, loseAll } = await world();
      const inbox = redisInbox(client);
      await inbox.enqueue('k', 'body');
      const [lost] = await inbox.claim(1, hour);
      await loseAll();
      expect(await inbox.complete('k', lost?.lease ?? '', hour)).toBe(false);
      expect(await inbox.stats(10)).toEqual({ waiting: 0, oldestDueMs: 0, deadLettered: 0, deadLetters: [] });
      expect(await inbox.enqueue('k', 'body')).toBe(true);
    });
  });
});

test('an append-only file brings an inbox and seen keys back', async () => {
  const server = await ownRedis({ appendonly: 'yes', appendfsync: 'always' });
  const before = await open(nodeRedis(server.url));
  await redisInbox(before.client).enqueue('k', 'body');
  const claim = await redisSeenKeys(before.client).claim('k', hour);
  await server.kill();
  await server.restart();
  const { client } = await open(nodeRedis(server.url));
  expect(await redisInbox(client).claim(1, hour)).toEqual([
    expect.objectContaining({ key: 'k', body: 'body', attempt: 1 }),
  ]);
  expect(claim.kind === 'claimed' && (await redisSeenKeys(client).confirm('k', claim.lease, hour))).toBe(true);
});
