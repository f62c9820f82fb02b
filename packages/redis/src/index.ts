/**
 * Shared state of many processes on Redis, through the host's own client.
 * @module
 */

export type { IoredisClient, NodeRedisClient, RedisClient } from './client.ts';
export { redisClientNews } from './client-news.ts';
export type { RedisOptions } from './commands.ts';
export { redisInbox } from './inbox.ts';
export { redisRateLimiter } from './rate-limiter.ts';
export { redisSeenKeys } from './seen-keys.ts';
