/**
 * In-memory adapters of every port: for tests, demonstrations and first steps.
 * @module core/memory
 */
export { memoryAccessTokens } from './access-tokens.ts';
export { memoryAccounts } from './accounts.ts';
export { memoryClientChangeFeed } from './client-change-feed.ts';
export { memoryRateLimiter } from './rate-limiter.ts';
export { memoryRequests } from './requests.ts';
export { type MemorySender, memorySender } from './sender.ts';
export { memoryStorage } from './storage.ts';
export type { MemoryTransaction } from './transaction.ts';
