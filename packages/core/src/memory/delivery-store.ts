import type {
  DeliveryStore,
  OwnedEndpoint,
  PendingDelivery,
  QueueRead,
  ShardRange,
} from '../deliveries/delivery-store.ts';
import { compareBytes } from '../runtime/byte-order.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { toSet } from './delivery-rows.ts';
import { dispatchAnnouncedEvents, dispatchEvents } from './dispatch.ts';
import { storedHealth } from './endpoint-health.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { MemoryEndpoints } from './endpoint-store.ts';
import { dispatchedEvent } from './event-store.ts';
import { outboxEvent } from './outbox.ts';
import { recoverShards } from './recover.ts';
import type { AccountRow, DeliveryRow, EndpointRow, EventRow, PendingRow } from './rows.ts';
import { settleAttempts } from './settle.ts';
import type { MemoryState } from './store-state.ts';
import type { Tables } from './tables.ts';

/** What {@link memoryDeliveries} uses. @internal */
export interface DeliveriesDeps {
  readonly tables: Tables;
  readonly endpoints: MemoryEndpoints;
  readonly history: EndpointHistory;
  readonly state: MemoryState;
  readonly clock: Clock;
}

/** Appends due rows to `found` until it has `limit`. */
const take = (
  rows: Iterable<PendingRow>,
  {
    dueBy,
    limit,
    except,
  }: { readonly dueBy: EpochMs; readonly limit: number; readonly except: ReadonlySet<DeliveryRow> },
  found: PendingRow[],
): void => {
  for (const row of rows) {
    if (found.length >= limit || row.dueAt > dueBy) return;
    if (!except.has(row.delivery)) found.push(row);
  }
};

const pendingDelivery = ({ delivery, attempts, logged, isAbandoned, isUrgent }: PendingRow): PendingDelivery => {
  const { event, endpointId, replay } = delivery;
  const { accountId, shard } = event.account;
  return {
    shard: shard.shard,
    accountId,
    eventId: event.event.id,
    endpointId,
    replay,
    event: dispatchedEvent(event),
    attempts,
    logged,
    wasAbandoned: isAbandoned,
    isUrgent,
  };
};

const queuedAccounts = (tables: Tables, { shard, after, before }: ShardRange): readonly string[] =>
  [...(tables.shards[shard]?.queued.keys() ?? [])]
    .map(({ accountId }) => accountId)
    .filter((accountId) => after === undefined || compareBytes(accountId, after) > 0)
    .filter((accountId) => before === undefined || compareBytes(accountId, before) < 0)
    .toSorted(compareBytes);

/** The rows of deliveries in memory. @internal */
export const memoryDeliveries = ({ tables, endpoints, history, state, clock }: DeliveriesDeps): DeliveryStore => {
  const readRange = ({ shard, ...range }: ShardRange, limit: number, found: EventRow[]): void =>
    tables.shards[shard]?.outbox.read(range, limit, found);

  const readQueue = ({ accountId, endpointId, limit, order }: QueueRead, except: ReadonlySet<DeliveryRow>) => {
    const pending = tables.findAccount(accountId)?.pending.get(endpointId);
    const found: PendingRow[] = [];
    if (!pending) return found;
    const rows = order === 'due' ? pending.queued : pending.attempted;
    take(rows.from(), { dueBy: Number.POSITIVE_INFINITY, limit, except }, found);
    return found;
  };

  const ownedEndpoint = (account: AccountRow, { endpoint, health }: EndpointRow, now: EpochMs): OwnedEndpoint => ({
    endpoint,
    hasQueued: (account.pending.get(endpoint.id)?.queued.size() ?? 0) > 0,
    ...(health ? { health: storedHealth(health, now) } : {}),
  });

  return {
    readOutbox: async (ranges, limit, knownVersion) => {
      const found: EventRow[] = [];
      for (const range of ranges) readRange(range, limit, found);
      return { ...state.read(knownVersion), events: found.map(outboxEvent) };
    },
    dispatch: dispatchEvents(tables, history, clock),
    dispatchAnnounced: dispatchAnnouncedEvents(tables, history, state, clock),
    settle: settleAttempts(tables, endpoints, state, clock),
    readDue: async (shards, limit, except, knownVersion) => {
      const excepted = toSet(tables, except);
      const found: PendingRow[] = [];
      const now = clock.now();
      for (const shard of shards) {
        const rows = tables.shards[shard]?.scheduled;
        if (rows) take(rows.from(), { dueBy: now, limit, except: excepted }, found);
      }
      return { ...state.read(knownVersion), deliveries: found.map(pendingDelivery) };
    },
    readQueued: async (queues, except, knownVersion) => {
      const excepted = toSet(tables, except);
      const found = queues.flatMap((queue) => readQueue(queue, excepted));
      return { ...state.read(knownVersion), deliveries: found.map(pendingDelivery) };
    },
    recover: recoverShards(tables, clock),
    readEndpoints: async (accountIds, knownVersion) => {
      const accounts = [...new Set(accountIds)].flatMap((accountId) => tables.findAccount(accountId) ?? []);
      const { now, ...rest } = state.read(knownVersion);
      const owned = accounts.flatMap((account) =>
        [...account.endpoints.values()].map((row) => ownedEndpoint(account, row, now)),
      );
      return { now, ...rest, endpoints: owned };
    },
    readQueuedAccounts: async (ranges, limit) => {
      const accountIds: string[] = [];
      const rest: ShardRange[] = [];
      for (const range of ranges) {
        const found = queuedAccounts(tables, range);
        accountIds.push(...found.slice(0, limit));
        const last = found[limit - 1];
        if (last !== undefined && found.length > limit) rest.push({ ...range, after: last });
      }
      return { accountIds, rest };
    },
  };
};
