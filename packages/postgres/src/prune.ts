import { type DeliveryLog, day, type Pruned } from '@partnerkit/core';
import type { Database } from './database.ts';
import { pruneEvents } from './prune-events.ts';
import { prunePending } from './prune-pending.ts';
import { pruneRest } from './prune-rest.ts';

/** Ages may be any numbers, of which PostgreSQL knows fewer. Nothing is older. */
const longAgo = 36_500 * day;

/** @internal */
export const prune = <Tx extends object>(database: Database<Tx>): DeliveryLog['prune'] => {
  const expire = prunePending(database);
  const dropEvents = pruneEvents(database);
  const dropRest = pruneRest(database);
  return async (shards, { limit, ...limits }): Promise<Pruned> => {
    const [held, events, attempts] = [limits.held, limits.events, limits.attempts].map((age) =>
      Math.min(age, longAgo),
    ) as [number, number, number];
    const expired = await expire(shards, held, limit);
    const hasMore = [
      expired.hasMore,
      await dropEvents(shards, events, limit),
      await dropRest({ events, attempts }, limit),
    ];
    return { expired: expired.held, hasMore: hasMore.includes(true) };
  };
};
