import { day, type EpochMs, second, toSeconds } from '../../../base/runtime/time.ts';
import type { PruneLimits, PruneOutcome } from '../../../webhooks/log/delivery-log.ts';
import { countFailed } from '../deliveries/failed-hours.ts';
import { inKeyOrder, keyOf, nameOf } from '../deliveries/keys.ts';
import { endedAt, latestHistory } from '../endpoints/history.ts';
import { pruneFeeds } from '../feeds/ends.ts';
import { pruneHandled, unhandledEvents } from '../handlers/ends.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { IndexOf, KeyOf, RangeOf, RowOf } from '../port/table.ts';
import { revokedTokens } from '../tables/clients.ts';
import { type AttemptRow, attempts, type PendingRow, parentPropagation, pending } from '../tables/deliveries.ts';
import { endpointHistory, endpoints } from '../tables/endpoints.ts';
import { dispatches, events, idempotencyKeys } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';

/** Maximum number of events that are read at once. */
const batch = 100;
/** Maximum number of attempts that are read at once. */
const maxLog = 1_000;
/** Attempts of an event that are deleted with it, on average. */
const attemptsPerEvent = 4;

/** How many rows of a kind may still be deleted. */
interface Budget {
  left: number;
}

type EventKey = KeyOf<typeof events>;

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
      const { accountId, eventId, endpointId, replay } = row;
      const number = Math.max(row.logged, numbers.get(nameOf(row)) ?? 0) + 1;
      return { accountId, eventId, endpointId, replay, number, at, outcome, state: 'expired' as const };
    }),
    'ignore',
  );
  if (reason === 'held_too_long')
    yield* countFailed(
      rows,
      gone.map(({ accountId, endpointId }) => ({ accountId, endpointId, state: 'expired' })),
      at,
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

/** A dispatched event. */
type Dispatched = Pick<RowOf<typeof dispatches>, 'accountId' | 'id' | 'dispatchedAt' | 'timestamp'>;
type Logged = Pick<AttemptRow, 'accountId' | 'eventId' | 'endpointId' | 'replay' | 'number' | 'at'>;

const nameOfEvent = ({ accountId, id }: Dispatched): string => nameIn(accountId, id);
const nameOfLogged = ({ accountId, eventId }: Logged): string => nameIn(accountId, eventId);

/**
 * Reads what is logged of finished events. `gone`: the first ones, up to a number, whose attempts are all old; `log`:
 * their attempts, or those of a single event that has more than are read at once. `isCut`: not all were read; `next`:
 * the event after which to go on, if any is done.
 */
function* readLog(rows: RowTx, finished: readonly Dispatched[], by: EpochMs, most: number) {
  const ranges = finished.map(({ accountId, id }) => ({ prefix: [accountId, id] as const }));
  const columns = ['accountId', 'eventId', 'endpointId', 'replay', 'number', 'at'] as const;
  const limit = Math.min(maxLog, attemptsPerEvent * most);
  const found: readonly Logged[] = yield* rows.scan(attempts, 'delivery', ranges, { columns, limit });
  const young = new Set(found.filter(({ at }) => at > by).map(nameOfLogged));
  const isOld = (event: Dispatched): boolean => !young.has(nameOfEvent(event));
  const last = found[limit - 1];
  // The last event may have more rows.
  const cut = last ? finished.findIndex((event) => nameOfEvent(event) === nameOfLogged(last)) : finished.length;
  const isCut = last !== undefined;
  const [large] = finished;
  if (large && cut === 0)
    return { gone: [], log: isOld(large) ? found : [], isCut, next: isOld(large) ? undefined : large };
  const gone = finished.slice(0, cut).filter(isOld).slice(0, most);
  const names = new Set(gone.map(nameOfEvent));
  return { gone, log: found.filter((row) => names.has(nameOfLogged(row))), isCut, next: finished[cut - 1] };
}

/**
 * Deletes old events without unfinished deliveries, with their attempts. Newer ones are deleted although older ones
 * must stay. Of an event with many attempts, some go before it does. Returns their keys.
 */
function* pruneEvents(rows: RowTx, shard: number, by: EpochMs, budget: Budget): Plan<readonly EventKey[]> {
  const all: EventKey[] = [];
  if (budget.left <= 0) return all;
  const [own] = yield* rows.get(shards, [[shard]], 'update');
  if (!own) return all;
  let { prunedTimestamp } = own;
  let start: { readonly after?: readonly [number, string, string] } = {};
  while (budget.left > 0) {
    const range = { prefix: [shard] as const, to: [by] as const, ...start };
    const columns = ['accountId', 'id', 'dispatchedAt', 'timestamp'] as const;
    const found: readonly Dispatched[] = yield* rows.scan(dispatches, 'dispatched', [range], { limit: batch, columns });
    const old = found.filter(({ dispatchedAt }) => dispatchedAt < own.watermark);
    const keys = old.map(({ accountId, id }) => [accountId, id] as const);
    const ranges = keys.map((prefix) => ({ prefix, limit: 1 }));
    const unfinished = yield* rows.scan(pending, 'event', ranges, { columns: ['eventId', 'accountId'] });
    const propagating = yield* rows.get(parentPropagation, keys);
    const unhandled = yield* unhandledEvents(rows, keys);
    const kept = new Set([...unfinished, ...unhandled].map(({ accountId, eventId }) => nameIn(accountId, eventId)));
    const finished = old
      .filter(({ accountId, id }, index) => !kept.has(nameIn(accountId, id)) && !propagating[index])
      // One with a timestamp ahead of the clock would move all later events of the shard ahead.
      .filter(({ timestamp }) => timestamp * second <= by);
    const { gone, log, isCut, next } = yield* readLog(rows, finished, by, budget.left);
    yield* rows.delete(
      attempts,
      inKeyOrder(log).map((row) => [...keyOf(row), row.number] as const),
    );
    const goneKeys = gone.map(({ accountId, id }) => [accountId, id] as const);
    yield* rows.delete(dispatches, goneKeys);
    yield* rows.delete(events, goneKeys);
    all.push(...goneKeys);
    for (const { timestamp } of gone) prunedTimestamp = Math.max(prunedTimestamp ?? timestamp, timestamp);
    budget.left -= Math.max(gone.length, Math.ceil(log.length / attemptsPerEvent));
    const last = isCut ? next : old[batch - 1];
    if (last) start = { after: [last.dispatchedAt, last.accountId, last.id] };
    else if (!isCut) break;
  }
  if (prunedTimestamp !== own.prunedTimestamp) yield* rows.put(shards, [{ ...own, prunedTimestamp }]);
  return all;
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
function* shardsWith<T extends typeof dispatches | typeof pending>(
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
  const [ofPending, ofEvents] = [{ left: limits.limit }, { left: limits.limit }];
  const ordered = numbers.toSorted((a, b) => a - b);
  const eventsBy = now - limits.events;
  const gone: EventKey[] = [];
  for (const shard of yield* shardsWith(rows, ordered, { table: dispatches, index: 'dispatched', by: eventsBy }))
    gone.push(...(yield* pruneEvents(rows, shard, eventsBy, ofEvents)));
  const expired: PruneOutcome['expired'][number][] = [];
  for (const shard of yield* shardsWith(rows, ordered, { table: pending, index: 'endpoint' }))
    expired.push(...(yield* expirePending(rows, shard, { now, limits }, ofPending)));
  yield* pruneRest(rows, now, limits);
  yield* pruneFeeds(rows, gone);
  yield* pruneHandled(rows, gone);
  return { expired, hasMore: [ofPending, ofEvents].some(({ left }) => left <= 0) };
}
