import type { RateLimiter } from '@partnerkit/core';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, script, toPx } from './commands.ts';
import { keyName } from './key-name.ts';

/** A key without an end is none of ours, and would never end. */
const take = script(`
local left = redis.call('pttl', KEYS[1])
if left <= 0 then
  redis.call('set', KEYS[1], 1, 'px', ARGV[2])
  return 0
end
if tonumber(redis.call('get', KEYS[1])) >= tonumber(ARGV[1]) then return left end
redis.call('incr', KEYS[1])
return 0`);

const refund = script(`#!lua flags=allow-oom
if tonumber(redis.call('get', KEYS[1]) or 0) > 0 then redis.call('decr', KEYS[1]) end`);

/**
 * Login limits that all processes of a platform share, in Redis. Each call is one script in one round trip, so N racers get exactly
 * the points there are, and the server's clock alone decides when a window ends. Works on a cluster.
 *
 * Without Redis it rejects, and login answers 503: it never opens. When Redis lost its memory, windows begin anew.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL ?? 'redis://localhost', disableOfflineQueue: true }).connect();
 * const kit = createPartnerkit({ ...options, limiter: redisRateLimiter(client) });
 * @public
 */
export const redisRateLimiter = (
  client: RedisClient,
  { prefix = 'partnerkit:', patience }: RedisOptions = {},
): RateLimiter => {
  const { run } = openCommands(client, patience);
  const name = (key: string): string => `${prefix}limit:${keyName(key)}`;
  return {
    take: async (key, { points, window }) => Number(await run(take, [name(key)], [String(points), toPx(window)])),
    refund: async (key) => {
      await run(refund, [name(key)]);
    },
  };
};
