import { hour, minute, processOnce } from '@partnerkit/core';
import { describe, expect, test, vi } from 'vitest';
import { redisClientNews, redisInbox, redisRateLimiter, redisSeenKeys } from '../../src/index.ts';
import { singleClients } from '../support/clients.ts';
import { replicated } from '../support/replica.ts';
import { open, ownRedis } from '../support/servers.ts';

const rule = { points: 1, window: hour };

describe.each(singleClients)('%s: a replica that takes over', (_name, connect) => {
  const world = async () => {
    const { url, ...servers } = await replicated();
    const { client } = await open(connect(url));
    const takeOver = async (): Promise<void> => {
      servers.leadToReplica();
      await servers.promote();
      await vi.waitFor(() => redisSeenKeys(client).claim('taken over?', 1), { timeout: 240_000 });
    };
    return { client, takeOver, ...servers };
  };

  test('knows what it was told in time, and has the rest processed again', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const seen = redisSeenKeys(client);
    const work = (key: string) => processOnce(seen, key, () => undefined);
    await work('early');
    await caughtUp();
    fallBehind();
    await work('late');
    expect([await work('early'), await work('late')]).toEqual(['duplicate', 'duplicate']);
    await takeOver();
    expect([await work('early'), await work('late')]).toEqual(['duplicate', 'processed']);
  });

  test('goes on with the windows that it knows', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const limiter = redisRateLimiter(client);
    await limiter.take('early', rule);
    await caughtUp();
    fallBehind();
    await limiter.take('late', rule);
    await takeOver();
    expect(await limiter.take('early', rule)).toBeGreaterThan(0);
    expect(await limiter.take('late', rule)).toBe(0);
  });

  test('has lost what an inbox kept too late for it, and the rest is worked off', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const inbox = redisInbox(client);
    await inbox.keep('early', 'body');
    await caughtUp();
    fallBehind();
    await inbox.keep('late', 'body');
    await takeOver();
    expect((await inbox.take(10, minute)).map((entry) => entry.key)).toEqual(['early']);
  });

  test('says that news are missing, whether they are or not', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const news = redisClientNews(client);
    const { mark } = await news.since(undefined);
    await caughtUp();
    fallBehind();
    await news.tell('late');
    await takeOver();
    const { mark: next, subjects } = await news.since(mark);
    expect(subjects).toBeUndefined();
    await news.tell('a');
    expect((await news.since(next)).subjects).toEqual(['a']);
  });

  test('refuses everything until it does: nobody hears old news of it, or claims what it will forget', async () => {
    const { client, caughtUp, leadToReplica } = await world();
    const news = redisClientNews(client);
    const { mark } = await news.since(undefined);
    await caughtUp();
    leadToReplica();
    const readOnly = { timeout: 240_000 };
    await vi.waitFor(() => expect(news.since(mark)).rejects.toThrow('READONLY'), readOnly);
    await expect(news.tell('a')).rejects.toThrow('READONLY');
    await expect(redisSeenKeys(client).claim('k', hour)).rejects.toThrow('READONLY');
    await expect(redisRateLimiter(client).take('k', rule)).rejects.toThrow('READONLY');
    await expect(redisInbox(client).keep('k', 'body')).rejects.toThrow('READONLY');
  });

  test('leaves the one before without a replica: with min-replicas-to-write it says no more that nothing is new', async () => {
    const { url } = await ownRedis({ 'min-replicas-to-write': '1' });
    const news = redisClientNews((await open(connect(url))).client);
    await expect(news.since(undefined)).rejects.toThrow('NOREPLICAS');
    await expect(news.tell('a')).rejects.toThrow('NOREPLICAS');
  });
});
