/**
 * In-memory adapters of every port: for tests, demonstrations and first steps.
 * @module core/memory
 */
export { memoryAccessTokens } from './memory/access-tokens.ts';
export { memoryAccounts } from './memory/accounts.ts';
export { memoryClientChangeFeed } from './memory/client-change-feed.ts';
export { memoryRateLimiter } from './memory/rate-limiter.ts';
export { type MemorySender, memorySender } from './memory/sender.ts';
export { memoryStorage } from './memory/storage.ts';
export type { MemoryTransaction } from './rows/memory/memory-rows.ts';
