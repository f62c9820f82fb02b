import type { DurationMs } from '@partnerkit/core';

/**
 * What the laws are stated in. These numbers are written down here once more, and taken from no code that the laws judge.
 */
const second: DurationMs = 1_000;
const minute: DurationMs = 60 * second;
const hour: DurationMs = 60 * minute;
const day: DurationMs = 24 * hour;

/** The least wait after each failed attempt, from the first to the ninth. @internal */
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

/** Retries come at most a tenth later. @internal */
export const jitter = 0.1;
/** Attempts that exhaust a delivery. @internal */
export const maxAttempts = 10;
/** Whatever a receiver asks for, it is left alone no longer. @internal */
export const longestRetryAfter: DurationMs = 24 * hour;
/** How long a worker lives in the eyes of others after it last renewed its lease. @internal */
export const lease: DurationMs = 20 * second;
/** Failures in a row that open the breaker. @internal */
export const failuresToOpen = 5;
/** How long the breaker stays open, the first time and later; the last repeats. @internal */
export const breakerTable: readonly DurationMs[] = [minute, 5 * minute, 15 * minute];
/** When an endpoint is disabled that fails. @internal */
export const disabledAfter = { failing: 5 * day, failures: 10 };
/** A second may be so far in the future, by the storage's clock, before its delivery waits. @internal */
export const aheadTolerated: DurationMs = minute;
/** How long the answer of the host's directory counts, and how long it has to answer. @internal */
export const parentStaleness: DurationMs = 3 * second;

/** The accounts of histories, and the shards that they belong to. @internal */
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

/** @internal */
export const shardOfAccount = (accountId: string): number | undefined => shards.get(accountId);
