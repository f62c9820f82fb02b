import type { RateLimiter } from '@partnerkit/core/adapter';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, readOptions, script, toPx } from './commands.ts';
import { keyName } from './key-name.ts';

/** A key without a time to live is not ours and would never expire: it is replaced. */
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
 * A rate limiter in Redis, for all processes of a platform. Each call is one script in one round trip: exact under
 * simultaneous calls, with the clock of the server. It works on a cluster.
 *
 * Without Redis, it rejects, and login responds 503: it fails closed. When Redis loses its memory, windows start again.
 * @example
 * const url = process.env.REDIS_URL ?? 'redis://localhost';
 * const client = await createClient({ url, disableOfflineQueue: true }).connect();
 * const kit = createPartnerkit({ ...options, shared: { limiter: redisRateLimiter(client) } });
 * @public
 */
export const redisRateLimiter = (client: RedisClient, options: RedisOptions = {}): RateLimiter => {
  const { prefix, timeout } = readOptions('redisRateLimiter', options);
  const { run } = openCommands(client, timeout);
  const name = (key: string): string => `${prefix}limit:${keyName(key)}`;
  return {
    take: async (key, { points, window }) => Number(await run(take, [name(key)], [String(points), toPx(window)])),
    refund: async (key) => {
      await run(refund, [name(key)]);
    },
  };
};
