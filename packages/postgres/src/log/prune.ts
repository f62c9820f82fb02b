import type { DurationMs } from '@partnerkit/core';
import type { DeliveryLog } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { day } from '../duration.ts';
import { pruneEvents } from './prune-events.ts';
import { pruneExpired } from './prune-expired.ts';
import { prunePending } from './prune-pending.ts';

/** Ages may exceed PostgreSQL's range of times. */
const known = (age: DurationMs): DurationMs => Math.min(age, 36_500 * day);

/** Rows without a shard are deleted with this one, so that each pass of all workers reads them once. */
const shardOfOthers = 0;

/** Prunes shards. */
export const prune = <Tx extends object>(database: Database<Tx>): DeliveryLog['prune'] => {
  const expirePending = prunePending(database);
  const dropEvents = pruneEvents(database);
  const dropExpired = pruneExpired(database);
  return async (shards, { held, deleted, events, limit }) => {
    const { expired, hasMore } = await expirePending(shards, known(held), known(deleted), limit);
    const pieces = [
      hasMore,
      await dropEvents(shards, known(events), limit),
      shards.includes(shardOfOthers) && (await dropExpired(known(events), limit)),
    ];
    return { expired, hasMore: pieces.includes(true) };
  };
};
