/**
 * The in-memory adapter of every port: for tests, demonstrations and first steps.
 * @module
 */
export { memoryAccessTokens } from './access-tokens.ts';
export { memoryAccounts } from './accounts.ts';
export { memoryClientNews } from './client-news.ts';
export { memoryInbox } from './inbox.ts';
export { memoryRateLimiter } from './rate-limiter.ts';
export { memoryRequests } from './requests.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './seen-keys.ts';
export { type MemorySender, memorySender } from './sender.ts';
export { memoryStorage } from './storage.ts';
export type { MemoryTransaction } from './transaction.ts';
