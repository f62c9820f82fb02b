import { hour, minute } from '@partnerkit/core';
import { processOnce } from '@partnerkit/core/adapter';
import { describe, expect, test, vi } from 'vitest';
import { redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../../src/index.ts';
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

  test('keeps replicated keys, and other events are processed again', async () => {
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

  test('continues the windows that were replicated', async () => {
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

  test('has lost entries that were not replicated, and processes the others', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const inbox = redisInbox(client);
    await inbox.enqueue('early', 'body');
    await caughtUp();
    fallBehind();
    await inbox.enqueue('late', 'body');
    await takeOver();
    expect((await inbox.claim(10, minute)).map((entry) => entry.key)).toEqual(['early']);
  });

  test('reports missing changes in any case', async () => {
    const { client, caughtUp, fallBehind, takeOver } = await world();
    const changeFeed = redisClientChangeFeed(client);
    const { cursor } = await changeFeed.changesSince(undefined);
    await caughtUp();
    fallBehind();
    await changeFeed.announce('late');
    await takeOver();
    const { cursor: next, subjects } = await changeFeed.changesSince(cursor);
    expect(subjects).toBeUndefined();
    await changeFeed.announce('a');
    expect((await changeFeed.changesSince(next)).subjects).toEqual(['a']);
  });

  test('refuses everything until then: no process reads old changes or claims keys that will be lost', async () => {
    const { client, caughtUp, leadToReplica } = await world();
    const changeFeed = redisClientChangeFeed(client);
    const { cursor } = await changeFeed.changesSince(undefined);
    await caughtUp();
    leadToReplica();
    const readOnly = { timeout: 240_000 };
    await vi.waitFor(() => expect(changeFeed.changesSince(cursor)).rejects.toThrow('READONLY'), readOnly);
    await expect(changeFeed.announce('a')).rejects.toThrow('READONLY');
    await expect(redisSeenKeys(client).claim('k', hour)).rejects.toThrow('READONLY');
    await expect(redisRateLimiter(client).take('k', rule)).rejects.toThrow('READONLY');
    await expect(redisInbox(client).enqueue('k', 'body')).rejects.toThrow('READONLY');
  });

  test('with min-replicas-to-write, the former primary no longer reports that nothing changed', async () => {
    const { url } = await ownRedis({ 'min-replicas-to-write': '1' });
    const changeFeed = redisClientChangeFeed((await open(connect(url))).client);
    await expect(changeFeed.changesSince(undefined)).rejects.toThrow('NOREPLICAS');
    await expect(changeFeed.announce('a')).rejects.toThrow('NOREPLICAS');
  });
});
