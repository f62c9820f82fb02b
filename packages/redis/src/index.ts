/**
 * State shared by processes, on Redis, through the host's client.
 * @module redis
 */

export type { IoredisClient, NodeRedisClient, RedisClient } from './client.ts';
export { redisClientChangeFeed } from './client-change-feed.ts';
export type { RedisOptions } from './commands.ts';
export { redisInbox } from './inbox.ts';
export { redisRateLimiter } from './rate-limiter.ts';
export { redisSeenKeys } from './seen-keys.ts';
