import { day, hour } from '@partnerkit/core';
import { processOnce } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import { redisClientChangeFeed, redisInbox, redisRateLimiter, redisSeenKeys } from '../../src/index.ts';
import { nodeRedis } from '../support/clients.ts';
import { open, ownRedis } from '../support/servers.ts';

/** A server with hardly any memory. */
const world = async (policy: string) => {
  const server = await ownRedis({ maxmemory: '4mb', 'maxmemory-policy': policy });
  const { client } = await open(nodeRedis(server.url));
  return {
    client,
    seen: redisSeenKeys(client),
    inbox: redisInbox(client),
    /** Writes what is somebody else's, more than there is room for: that evicts. */
    fill: async (): Promise<void> => {
      for (let index = 0; index < 100; index++) {
        await client.set(`else:${index}`, 'x'.repeat(100_000), { EX: 1_000 });
      }
    },
    /** There is no memory left, whatever the server frees for itself. */
    exhaust: async (): Promise<void> => {
      await client.configSet({ maxmemory: '1' });
    },
    /** There is some again. */
    relieve: async (): Promise<void> => {
      await client.configSet({ maxmemory: '8mb' });
    },
  };
};

const keysOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `RequestPayment:pay_${index}`);
const full = /OOM/;
const body = 'x'.repeat(10_000);
const rule = { points: 1, window: day };

describe('a full Redis that evicts', () => {
  test('accepts every claim, and processed events repeat', async () => {
    const { seen, fill } = await world('allkeys-lru');
    const outcomes = async () =>
      new Set(await Promise.all(keysOf(100).map((key) => processOnce(seen, key, () => undefined))));
    expect(await outcomes()).toEqual(new Set(['processed']));
    expect(await outcomes()).toEqual(new Set(['duplicate']));
    await fill();
    expect(await outcomes()).toContain('processed');
  });

  test('starts windows again, and reports missing changes', async () => {
    const { client, fill } = await world('allkeys-lru');
    const limiter = redisRateLimiter(client);
    const take = async () =>
      new Set((await Promise.all(keysOf(100).map((key) => limiter.take(key, rule)))).map(Math.sign));
    const logs = await Promise.all(
      keysOf(50).map(async (prefix) => {
        const changeFeed = redisClientChangeFeed(client, { prefix });
        const { cursor } = await changeFeed.changesSince(undefined);
        await changeFeed.announce('a');
        return async () => (await changeFeed.changesSince(cursor)).subjects?.join() ?? 'missing';
      }),
    );
    const hear = async () => new Set(await Promise.all(logs.map((log) => log())));
    expect([await take(), await take(), await hear()]).toEqual([new Set([0]), new Set([1]), new Set(['a'])]);
    await fill();
    expect(await take()).toContain(0);
    const heard = await hear();
    expect(heard).toContain('missing');
    expect(heard.size).toBeLessThanOrEqual(heard.has('a') ? 2 : 1);
  });

  test('is refused by an inbox that it may evict, with the remedy', async () => {
    const { inbox, client } = await world('allkeys-lru');
    await expect(inbox.enqueue('k', body)).rejects.toThrow('set maxmemory-policy to noeviction, not allkeys-lru');
    await client.configSet({ 'maxmemory-policy': 'noeviction' });
    expect(await inbox.enqueue('k', body)).toBe(true);
  });

  test('evicts no entry of an inbox when it evicts only keys that expire', async () => {
    const { inbox, seen, fill } = await world('volatile-lru');
    for (const key of keysOf(50)) expect(await inbox.enqueue(key, body)).toBe(true);
    expect(await processOnce(seen, 'done', () => undefined)).toBe('processed');
    await fill();
    expect((await inbox.claim(100, hour)).map((entry) => entry.key)).toEqual(keysOf(50));
  });
});

describe('a full Redis that evicts nothing', () => {
  test('refuses claims, so that the sender retries; claimed keys can be confirmed or released', async () => {
    const { seen, exhaust, relieve } = await world('noeviction');
    const claim = async (key: string) => {
      const claimed = await seen.claim(key, day);
      return { key, lease: claimed.kind === 'claimed' ? claimed.lease : '' };
    };
    const [released, ...claims] = await Promise.all(keysOf(100).map(claim));
    await exhaust();
    await expect(claim('another')).rejects.toThrow(full);
    const refused = await Promise.allSettled(keysOf(164).slice(100).map(claim));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']));
    for (const { key, lease } of claims) expect(await seen.confirm(key, lease, day)).toBe(true);
    await seen.release(released?.key ?? '', released?.lease ?? '');
    await relieve();
    const kinds = await Promise.all(keysOf(164).map(async (key) => (await seen.claim(key, day)).kind));
    expect(kinds).toEqual(['claimed', ...claims.map(() => 'done'), ...refused.map(() => 'claimed')]);
  });

  test('refuses new entries of an inbox; queued ones are processed, then it accepts again', async () => {
    const { inbox } = await world('noeviction');
    const kept: string[] = [];
    await expect(async () => {
      for (const key of keysOf(1_000)) if (await inbox.enqueue(key, body)) kept.push(key);
    }).rejects.toThrow(full);
    expect(kept.length).toBeGreaterThan(50);
    const [parked, ...entries] = await inbox.claim(1_000, hour);
    expect(await inbox.deadLetter(parked?.key ?? '', parked?.lease ?? '')).toBe(true);
    expect(await inbox.requeue([parked?.key ?? ''])).toBe(1);
    entries.push(...(await inbox.claim(1, hour)));
    expect(entries.map((entry) => entry.key).toSorted()).toEqual(kept.toSorted());
    for (const { key, lease } of entries) expect(await inbox.complete(key, lease, day)).toBe(true);
    expect(await inbox.enqueue('another', body)).toBe(true);
    expect(await inbox.enqueue(kept[0] as string, body)).toBe(false);
  });

  test('refuses points, and accepts refunds', async () => {
    const { client, exhaust, relieve } = await world('noeviction');
    const limiter = redisRateLimiter(client);
    expect(await limiter.take('k', rule)).toBe(0);
    await exhaust();
    await expect(limiter.take('another', rule)).rejects.toThrow(full);
    await limiter.refund('k');
    await relieve();
    expect(await limiter.take('k', rule)).toBe(0);
  });

  test('refuses to read changes while none could be announced', async () => {
    const { client, exhaust } = await world('noeviction');
    const changeFeed = redisClientChangeFeed(client);
    const { cursor } = await changeFeed.changesSince(undefined);
    await exhaust();
    await expect(changeFeed.announce('a')).rejects.toThrow(full);
    await expect(changeFeed.changesSince(cursor)).rejects.toThrow(full);
  });
});
