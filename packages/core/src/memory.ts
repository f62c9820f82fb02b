/**
 * In-memory adapters of every port: for tests, demonstrations and first steps.
 * @module core/memory
 */
export { memoryAccessTokens } from './stores/memory/access-tokens.ts';
export { memoryAccounts } from './stores/memory/accounts.ts';
export { memoryClientChangeFeed } from './stores/memory/client-change-feed.ts';
export { memoryInbox } from './stores/memory/inbox.ts';
export { memoryRateLimiter } from './stores/memory/rate-limiter.ts';
export { type MemorySeenKeysOptions, memorySeenKeys } from './stores/memory/seen-keys.ts';
export { type MemorySender, memorySender } from './stores/memory/sender.ts';
export { memoryStorage } from './stores/memory/storage.ts';
export { type MemoryTransaction, memoryRows } from './stores/rows/memory/memory-rows.ts';
