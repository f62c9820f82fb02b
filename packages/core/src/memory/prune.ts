import type { DeliveryLog, PruneOutcome } from '../log/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { addToLog, dropIfEmpty } from './delivery-rows.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { UsedKeys } from './idempotency.ts';
import { releaseTimestamp } from './last-timestamps.ts';
import { removePending } from './pending.ts';
import type { AccountRow, DispatchedRow, LogRow, PendingRow, ShardRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** How many rows of a kind may still be deleted. */
interface Budget {
  left: number;
}

const expire = ({ delivery, logged }: PendingRow, reason: 'endpoint_deleted' | 'held_too_long', at: EpochMs): void => {
  const number = Math.max(logged, delivery.log.at(-1)?.number ?? 0) + 1;
  addToLog(delivery, { number, at, outcome: { kind: 'expired', reason }, state: 'expired' });
  removePending(delivery);
};

interface Cutoffs {
  readonly now: EpochMs;
  readonly heldSince: EpochMs;
  /** An endpoint deleted later than this may have an attempt in flight. */
  readonly deletedBy: EpochMs;
}

/**
 * Expires pending deliveries of deleted endpoints, and those held too long. Returns how many of the latter each
 * endpoint had.
 */
const expirePending = (
  account: AccountRow,
  history: EndpointHistory,
  { now, heldSince, deletedBy }: Cutoffs,
  budget: Budget,
): PruneOutcome['expired'] => {
  const expired = [...account.pending].map(([endpointId, { rows }]) => {
    const row = account.endpoints.get(endpointId);
    let deliveries = 0;
    if (row?.endpoint.state === 'enabled' || (row && row.since > heldSince)) return { endpointId, deliveries };
    if (!row && (history.endedAt(endpointId) ?? deletedBy) > deletedBy) return { endpointId, deliveries };
    for (const pending of rows) {
      if (budget.left === 0) break;
      if (row && pending.since > heldSince) continue;
      expire(pending, row ? 'held_too_long' : 'endpoint_deleted', now);
      budget.left--;
      if (row) deliveries++;
    }
    return { endpointId, deliveries };
  });
  return expired.filter(({ deliveries }) => deliveries > 0).map((each) => ({ accountId: account.accountId, ...each }));
};

const dropEvent = (row: DispatchedRow): void => {
  const { account, event, dispatch } = row;
  row.isDropped = true;
  releaseTimestamp(account, event.objectId, dispatch.timestamp);
  const { shard } = account;
  shard.prunedTimestamp = Math.max(shard.prunedTimestamp ?? dispatch.timestamp, dispatch.timestamp);
};

/** Deletes attempts. Returns how many. */
const dropAttempts = ({ deliveries }: DispatchedRow, mayGo: (row: LogRow) => boolean): number => {
  let dropped = 0;
  for (const delivery of deliveries) {
    const left = delivery.log.filter((row) => !mayGo(row));
    dropped += delivery.log.length - left.length;
    delivery.log = left;
    dropIfEmpty(delivery);
  }
  return dropped;
};

/** Deletes old events and attempts, except those of deliveries that the shard's owner may have in memory. */
const dropOld = (
  shard: ShardRow,
  { eventsBy, attemptsBy }: { readonly eventsBy: EpochMs; readonly attemptsBy: EpochMs },
  { events, attempts }: { readonly events: Budget; readonly attempts: Budget },
): void => {
  const gone: DispatchedRow[] = [];
  for (const row of shard.dispatched.from()) {
    const { at } = row.dispatch;
    if (at >= shard.watermark || at > Math.max(eventsBy, attemptsBy) || (events.left <= 0 && attempts.left <= 0)) break;
    if (attempts.left > 0) attempts.left -= dropAttempts(row, (each) => each.at <= attemptsBy);
    const isUnfinished = row.isPropagating || row.deliveries.some(({ pending }) => pending);
    if (!row.isDropped && at <= eventsBy && events.left > 0 && !isUnfinished) {
      dropEvent(row);
      events.left--;
    }
    if (row.isDropped && row.deliveries.length === 0) gone.push(row);
  }
  for (const row of gone) {
    shard.dispatched.delete(row);
    row.account.events.delete(row.event.id);
  }
};

/** Prunes shards. @internal */
export const pruneShards =
  (tables: Tables, keys: UsedKeys, history: EndpointHistory, clock: Clock): DeliveryLog['prune'] =>
  async (shards, limits) => {
    const now = clock.now();
    const [pending, events, attempts] = [{ left: limits.limit }, { left: limits.limit }, { left: limits.limit }];
    const expired: PruneOutcome['expired'][number][] = [];
    const cutoffs = { now, heldSince: now - limits.held, deletedBy: now - limits.deleted };
    for (const number of shards) {
      const shard = tables.shards[number];
      if (!shard) continue;
      for (const account of shard.accounts) expired.push(...expirePending(account, history, cutoffs, pending));
      dropOld(shard, { eventsBy: now - limits.events, attemptsBy: now - limits.attempts }, { events, attempts });
    }
    keys.prune();
    history.prune(now - limits.events);
    return { expired, hasMore: [pending, events, attempts].some(({ left }) => left <= 0) };
  };
