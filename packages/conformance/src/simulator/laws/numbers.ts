import type { DurationMs } from '@partnerkit/core';

/**
 * The numbers of the laws. They are repeated here on purpose, not imported from the code under test.
 */
const second: DurationMs = 1_000;
const minute: DurationMs = 60 * second;
const hour: DurationMs = 60 * minute;
const day: DurationMs = 24 * hour;

/** The minimum delay after each failed attempt, from the first to the ninth. */
export const retryTable: readonly DurationMs[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The maximum jitter of a retry, as a fraction of its delay. */
export const jitter = 0.1;
/** Attempts until a delivery is exhausted. */
export const maxAttempts = 10;
/** The maximum pause that a receiver can request. */
export const longestRetryAfter: DurationMs = 24 * hour;
/** The duration of a worker lease after its last renewal. */
export const lease: DurationMs = 20 * second;
/** Consecutive failures that open the breaker. */
export const failuresToOpen = 5;
/** How long the breaker stays open, from the first time on; the last value repeats. */
export const breakerTable: readonly DurationMs[] = [minute, 5 * minute, 15 * minute];
/** When a failing endpoint is disabled. */
export const disabledAfter = { failing: 5 * day, failures: 10 };
/** How far a timestamp may be ahead of the clock of the storage before its delivery waits. */
export const aheadTolerated: DurationMs = minute;
/** The maximum age of a result of the directory, and the time-out of a lookup. */
export const parentStaleness: DurationMs = 3 * second;

/** The accounts of histories, with their shards. */
export const accounts: readonly { readonly id: string; readonly shard: number }[] = [
  { id: 'fjord', shard: 12 },
  { id: 'birch', shard: 97 },
  { id: 'cedar', shard: 60 },
  { id: 'jetty', shard: 123 },
  { id: 'delta', shard: 33 },
  { id: 'oasis', shard: 46 },
  { id: 'mesa', shard: 103 },
  { id: 'north', shard: 4 },
];

const shards = new Map(accounts.map(({ id, shard }) => [id, shard]));

/** FNV-1a, as the documentation of shards defines it. */
const hash = (text: string): number =>
  [...text].reduce((sum, each) => Math.imul(sum ^ each.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0;

/** The account of a number; numbers after those of {@link accounts} have an id made from the number. */
export const accountIdOf = (number: number): string => accounts[number]?.id ?? `account-${number}`;

export const shardOfAccount = (accountId: string): number => {
  const shard = shards.get(accountId) ?? hash(accountId) % 128;
  shards.set(accountId, shard);
  return shard;
};
