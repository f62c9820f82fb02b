import { randomUUID } from 'node:crypto';
import { rateLimiterContract } from '@partnerkit/conformance/contracts';
import { hour } from '@partnerkit/core';
import type { RateLimiter } from '@partnerkit/core/adapter';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ownKeys } from '../support/store-time.ts';

// Why login limits are a script of our own: what the established library does where the port asks for something else.

let client: Redis;
beforeAll(async () => {
  client = new Redis(inject('redis'), { lazyConnect: true });
  await client.connect();
});
afterAll(() => client.disconnect());

/** As its documentation has it: one limiter for each rule, `consume` and `reward`. */
const onLibrary = (keyPrefix: string): RateLimiter => {
  const limiters = new Map<string, RateLimiterRedis>();
  let last: RateLimiterRedis | undefined;
  return {
    take: async (key, { points, window }) => {
      const name = `${points} in ${window}`;
      last =
        limiters.get(name) ??
        new RateLimiterRedis({ storeClient: client, keyPrefix, points, duration: window / 1_000 });
      limiters.set(name, last);
      try {
        await last.consume(key);
        return 0;
      } catch (cause) {
        if (cause instanceof RateLimiterRes) return cause.msBeforeNext;
        throw cause;
      }
    },
    refund: async (key) => {
      await (last ?? new RateLimiterRedis({ storeClient: client, keyPrefix, points: 1, duration: 3_600 })).reward(key);
    },
  };
};

test('known difference: refusals count, and a late refund adds a point to the next window', async () => {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  rateLimiterContract({
    test: (name, run) => cases.push({ name, run }),
    create: async (settings) => {
      const keys = ownKeys([inject('redis')], settings);
      return { ...keys, limiter: onLibrary(keys.prefix) };
    },
  });
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch((cause: unknown) => {
      if (!(cause instanceof Error && cause.name === 'AssertionError')) throw cause;
      failed.push(name);
    });
  }
  expect(failed).toEqual(['refunds are capped at the taken points', 'a refund to an ended window has no effect']);
});

test('after refusals a refunded point cannot be taken again', async () => {
  const limiter = onLibrary(randomUUID());
  const rule = { points: 1, window: hour };
  expect(await limiter.take('k', rule)).toBe(0);
  expect(await limiter.take('k', rule)).toBeGreaterThan(0);
  await limiter.refund('k');
  expect(await limiter.take('k', rule)).toBeGreaterThan(0);
});

test('a window of less than a second never ends', async () => {
  const keyPrefix = randomUUID();
  await onLibrary(keyPrefix).take('k', { points: 1, window: 500 });
  expect(await client.pttl(`${keyPrefix}:k`)).toBe(-1);
  await client.del(`${keyPrefix}:k`);
});

test('a script of our own through it replaces that of every other limiter on the client of the host', async () => {
  const options = { storeClient: client, keyPrefix: randomUUID(), points: 1, duration: 60 };
  const ofTheHost = new RateLimiterRedis(options);
  new RateLimiterRedis({ ...options, customIncrTtlLuaScript: 'return {7, 1000}' });
  expect(await ofTheHost.get('k')).toBeNull();
  await expect(ofTheHost.consume('k')).rejects.toMatchObject({ consumedPoints: 7 });
});
