import { day, type EpochMs, second, toSeconds } from '../../../base/runtime/time.ts';
import type { PruneLimits, PruneOutcome } from '../../../webhooks/log/delivery-log.ts';
import { inKeyOrder, keyOf, nameOf } from '../deliveries/keys.ts';
import { endedAt, latestHistory } from '../endpoints/history.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { IndexOf, RangeOf } from '../port/table.ts';
import { revokedTokens } from '../tables/clients.ts';
import { attempts, type PendingRow, parentPropagation, pending } from '../tables/deliveries.ts';
import { endpointHistory, endpoints } from '../tables/endpoints.ts';
import { dispatches, events, idempotencyKeys } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';

/** Maximum number of events that are read at once. */
const batch = 100;

/** How many rows of a kind may still be deleted. */
interface Budget {
  left: number;
}

type Reason = 'endpoint_deleted' | 'held_too_long';

/** Expires pending deliveries. Returns how many were still there. */
function* expire(rows: RowTx, found: readonly PendingRow[], reason: Reason, at: EpochMs): Plan<number> {
  const ordered = inKeyOrder(found);
  const deleted = yield* rows.delete(pending, ordered.map(keyOf));
  const gone = ordered.filter((_, index) => deleted[index]);
  const ranges = gone.map((row) => ({ prefix: keyOf(row), limit: 1 }));
  const columns = ['accountId', 'eventId', 'endpointId', 'replay', 'number'] as const;
  const last = yield* rows.scan(attempts, 'delivery', ranges, { newestFirst: true, columns });
  const numbers = new Map(last.map((row) => [nameOf(row), row.number]));
  const outcome = { kind: 'expired', reason } as const;
  yield* rows.insert(
    attempts,
    gone.map((row) => {
      const { accountId, eventId, endpointId, replay, shard } = row;
      const number = Math.max(row.logged, numbers.get(nameOf(row)) ?? 0) + 1;
      return { accountId, eventId, endpointId, replay, shard, number, at, outcome, state: 'expired' as const };
    }),
    'ignore',
  );
  return gone.length;
}

/** Expires pending deliveries of deleted endpoints, and those that are held too long, endpoint by endpoint. */
function* expirePending(
  rows: RowTx,
  shard: number,
  { now, limits }: { readonly now: EpochMs; readonly limits: PruneLimits },
  budget: Budget,
): Plan<PruneOutcome['expired']> {
  const expired: PruneOutcome['expired'][number][] = [];
  if (budget.left <= 0) return expired;
  const columns = ['accountId', 'endpointId'] as const;
  const heldBy = now - limits.held;
  const queues = yield* rows.scan(pending, 'endpoint', [{ prefix: [shard] }], { distinct: 3, columns });
  const stored = yield* rows.get(
    endpoints,
    queues.map(({ accountId, endpointId }) => [accountId, endpointId]),
    'share',
  );
  for (const [index, { accountId, endpointId }] of queues.entries()) {
    if (budget.left <= 0) break;
    const row = stored[index];
    if (row?.endpoint.state === 'enabled' || (row && row.since > heldBy)) continue;
    const latest = row ? undefined : (yield* latestHistory(rows, accountId, [endpointId])).get(endpointId);
    if (!row && (endedAt(latest) ?? 0) > now - limits.deleted) continue;
    const all = yield* rows.scan(pending, 'endpoint', [{ prefix: [shard, accountId, endpointId] }]);
    const old = row ? all.filter(({ since }) => since <= heldBy) : all;
    const reason = row ? 'held_too_long' : 'endpoint_deleted';
    const deliveries = yield* expire(rows, old.slice(0, budget.left), reason, now);
    budget.left -= deliveries;
    if (row && deliveries > 0) expired.push({ accountId, endpointId, deliveries });
  }
  return expired;
}

/** Deletes old events without unfinished deliveries. Newer ones are deleted although older ones must stay. */
function* pruneEvents(rows: RowTx, shard: number, by: EpochMs, budget: Budget): Plan<void> {
  if (budget.left <= 0) return;
  const [own] = yield* rows.get(shards, [[shard]], 'update');
  if (!own) return;
  let { prunedTimestamp } = own;
  let start: { readonly after?: readonly [number, string, string] } = {};
  while (budget.left > 0) {
    const range = { prefix: [shard] as const, to: [by] as const, ...start };
    const columns = ['accountId', 'id', 'dispatchedAt', 'timestamp'] as const;
    const found: readonly { accountId: string; id: string; dispatchedAt: number; timestamp: number }[] =
      yield* rows.scan(dispatches, 'dispatched', [range], { limit: batch, columns });
    const old = found.filter(({ dispatchedAt }) => dispatchedAt < own.watermark);
    const keys = old.map(({ accountId, id }) => [accountId, id] as const);
    const ranges = keys.map((prefix) => ({ prefix, limit: 1 }));
    const unfinished = yield* rows.scan(pending, 'event', ranges, { columns: ['eventId', 'accountId'] });
    const propagating = yield* rows.get(parentPropagation, keys);
    const kept = new Set(unfinished.map(({ accountId, eventId }) => nameIn(accountId, eventId)));
    const gone = old
      .filter(({ accountId, id }, index) => !kept.has(nameIn(accountId, id)) && !propagating[index])
      // One with a timestamp ahead of the clock would move all later events of the shard ahead.
      .filter(({ timestamp }) => timestamp * second <= by)
      .slice(0, budget.left);
    const goneKeys = gone.map(({ accountId, id }) => [accountId, id] as const);
    yield* rows.delete(dispatches, goneKeys);
    yield* rows.delete(events, goneKeys);
    for (const { timestamp } of gone) prunedTimestamp = Math.max(prunedTimestamp ?? timestamp, timestamp);
    budget.left -= gone.length;
    const last = old[batch - 1];
    if (!last) break;
    start = { after: [last.dispatchedAt, last.accountId, last.id] };
  }
  if (prunedTimestamp !== own.prunedTimestamp) yield* rows.put(shards, [{ ...own, prunedTimestamp }]);
}

/** Deletes old attempts, except of deliveries that the owner of the shard may have in its memory. */
function* pruneAttempts(rows: RowTx, shard: number, by: EpochMs, budget: Budget): Plan<void> {
  if (budget.left <= 0) return;
  const [own] = yield* rows.get(shards, [[shard]]);
  const range = { prefix: [shard] as const, to: [by] as const, limit: 2 * budget.left };
  const columns = ['accountId', 'eventId', 'endpointId', 'replay', 'number'] as const;
  const old = yield* rows.scan(attempts, 'at', [range], { columns });
  const ranges = old.map(({ accountId, eventId }) => ({ prefix: [accountId, eventId] as const, limit: 1 }));
  const found = yield* rows.scan(dispatches, 'list', ranges, { columns: ['id', 'accountId', 'dispatchedAt'] });
  const dispatchedAt = new Map(found.map((row) => [nameIn(row.accountId, row.id), row.dispatchedAt]));
  // Without its log, a delivery of a newer event would count as one in its owner's memory.
  const isSettled = ({ accountId, eventId }: (typeof old)[number]): boolean =>
    (dispatchedAt.get(nameIn(accountId, eventId)) ?? Number.NEGATIVE_INFINITY) < (own?.watermark ?? 0);
  const gone = inKeyOrder(old.filter(isSettled).slice(0, budget.left));
  yield* rows.delete(
    attempts,
    gone.map((row) => [...keyOf(row), row.number] as const),
  );
  budget.left -= gone.length;
}

/** Deletes old rows that belong to no shard. */
function* pruneRest(rows: RowTx, now: EpochMs, { events: age, limit }: PruneLimits): Plan<void> {
  const keys = yield* rows.scan(idempotencyKeys, 'expiry', [{ prefix: [], to: [now] }], { limit });
  yield* rows.delete(
    idempotencyKeys,
    keys.map(({ accountId, key }) => [accountId, key]),
  );
  const past = yield* rows.scan(endpointHistory, 'until', [{ prefix: [], to: [now - age] }], { limit });
  yield* rows.delete(
    endpointHistory,
    past.map(({ accountId, endpointId, from }) => [accountId, endpointId, from]),
  );
  const tokens = yield* rows.scan(revokedTokens, 'expiry', [{ prefix: [], before: [toSeconds(now - day)] }], { limit });
  yield* rows.delete(
    revokedTokens,
    tokens.map(({ jti }) => [jti]),
  );
}

/** Those of the shards that have rows to look at, in order. Most have none: they are not locked. */
function* shardsWith<T extends typeof dispatches | typeof attempts | typeof pending>(
  rows: RowTx,
  numbers: readonly number[],
  { table, index, by }: { readonly table: T; readonly index: IndexOf<T>; readonly by?: EpochMs },
): Plan<readonly number[]> {
  // Every index here begins with the shard, and a time; its type is not known before the table is.
  const to = by === undefined ? undefined : [by];
  const ranges = numbers.map((shard) => ({ prefix: [shard], to, limit: 1 }));
  const found = yield* rows.scan(table, index, ranges as unknown as readonly RangeOf<T, IndexOf<T>>[], {
    columns: ['shard'],
  });
  return found.map((row) => (row as { readonly shard: number }).shard);
}

/** Prunes shards. */
export function* prune(rows: RowTx, numbers: readonly number[], limits: PruneLimits): Plan<PruneOutcome> {
  const now = yield* rows.now();
  const [ofPending, ofEvents, ofAttempts] = [{ left: limits.limit }, { left: limits.limit }, { left: limits.limit }];
  const ordered = numbers.toSorted((a, b) => a - b);
  const [eventsBy, attemptsBy] = [now - limits.events, now - limits.attempts];
  for (const shard of yield* shardsWith(rows, ordered, { table: dispatches, index: 'dispatched', by: eventsBy }))
    yield* pruneEvents(rows, shard, eventsBy, ofEvents);
  const expired: PruneOutcome['expired'][number][] = [];
  for (const shard of yield* shardsWith(rows, ordered, { table: pending, index: 'endpoint' }))
    expired.push(...(yield* expirePending(rows, shard, { now, limits }, ofPending)));
  for (const shard of yield* shardsWith(rows, ordered, { table: attempts, index: 'at', by: attemptsBy }))
    yield* pruneAttempts(rows, shard, attemptsBy, ofAttempts);
  yield* pruneRest(rows, now, limits);
  return { expired, hasMore: [ofPending, ofEvents, ofAttempts].some(({ left }) => left <= 0) };
}
