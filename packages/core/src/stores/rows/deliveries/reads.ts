import type { DeliveryKey } from '../../../webhooks/deliveries/delivery-id.ts';
import type {
  DeliveryStore,
  OwnedEndpoint,
  PendingDelivery,
  QueueRead,
  ShardRange,
} from '../../../webhooks/deliveries/delivery-store.ts';
import type { DispatchedEvent } from '../../../webhooks/events/event.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { storedHealth } from '../endpoints/health.ts';
import { readPauses } from '../endpoints/sending.ts';
import { dispatchedEvents } from '../events/event-rows.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { type PendingRow, pending } from '../tables/deliveries.ts';
import { endpoints, health } from '../tables/endpoints.ts';
import { accountRange, eventKeyOf, nameOf } from './keys.ts';

const pendingDelivery = (row: PendingRow, event: DispatchedEvent): PendingDelivery => ({
  shard: row.shard,
  accountId: row.accountId,
  eventId: row.eventId,
  endpointId: row.endpointId,
  replay: row.replay,
  attempts: row.attempts,
  logged: row.logged,
  wasAbandoned: row.isAbandoned,
  isUrgent: row.isUrgent,
  event,
});

/** Adds the events of pending rows. A row without one is left out. */
function* withEvents(rows: RowTx, found: readonly PendingRow[]): Plan<readonly PendingDelivery[]> {
  if (found.length === 0) return [];
  const ofRows = yield* dispatchedEvents(rows, found.map(eventKeyOf));
  const deliveries: PendingDelivery[] = [];
  for (const [index, row] of found.entries()) {
    const event = ofRows[index];
    if (event) deliveries.push(pendingDelivery(row, event));
  }
  return deliveries;
}

/** Reads due scheduled deliveries. */
export function* readDue(
  rows: RowTx,
  shards: readonly number[],
  limit: number,
  except: readonly DeliveryKey[],
): Plan<readonly PendingDelivery[]> {
  const to = [yield* rows.now()] as const;
  const excepted = new Set(except.map(nameOf));
  const most = limit + except.length;
  const ranges = shards.map((shard) => ({ prefix: [shard] as const, to, limit: most }));
  const found = yield* rows.scan(pending, 'scheduled', ranges, { limit: most });
  const wanted = except.length === 0 ? found : found.filter((row) => !excepted.has(nameOf(row)));
  return yield* withEvents(rows, wanted.slice(0, limit));
}

const queueOf = ({ accountId, endpointId }: Pick<QueueRead, 'accountId' | 'endpointId'>): string =>
  nameIn(accountId, endpointId);

/** Reads queued deliveries of each endpoint. */
export function* readQueued(
  rows: RowTx,
  queues: readonly QueueRead[],
  except: readonly DeliveryKey[],
): Plan<readonly PendingDelivery[]> {
  const excepted = new Set(except.map(nameOf));
  const exceptedOf = new Map<string, number>();
  for (const key of except) exceptedOf.set(queueOf(key), (exceptedOf.get(queueOf(key)) ?? 0) + 1);
  const found: PendingRow[] = [];
  for (const [order, index] of [
    ['due', 'queued'],
    ['attempts', 'attempted'],
  ] as const) {
    const ofOrder = queues.filter((queue) => queue.order === order);
    const ranges = ofOrder.map((queue) => ({
      prefix: [queue.shard, queue.accountId, queue.endpointId] as const,
      limit: queue.limit + (exceptedOf.get(queueOf(queue)) ?? 0),
    }));
    const room = new Map(ofOrder.map((queue) => [queueOf(queue), queue.limit]));
    for (const row of yield* rows.scan(pending, index, ranges)) {
      const left = room.get(queueOf(row)) ?? 0;
      if (left === 0 || (except.length > 0 && excepted.has(nameOf(row)))) continue;
      room.set(queueOf(row), left - 1);
      found.push(row);
    }
  }
  return yield* withEvents(rows, found);
}

/** Reads the endpoints of accounts. */
export function* readEndpoints(rows: RowTx, accountIds: readonly string[]): Plan<readonly OwnedEndpoint[]> {
  const now = yield* rows.now();
  const ranges = [...new Set(accountIds)].map((accountId) => ({ prefix: [accountId] as const }));
  const found = yield* rows.scan(endpoints, 'account', ranges);
  const failing = yield* rows.get(
    health,
    found.map(({ accountId, id }) => [accountId, id]),
  );
  const queues = found.map(({ accountId, id }) => ({
    prefix: [shardOf(accountId), accountId, id] as const,
    limit: 1,
  }));
  const first = yield* rows.scan(pending, 'queued', queues, { columns: ['endpointId'] });
  const queued = new Set(first.map(({ endpointId }) => endpointId));
  const pausedSince = yield* readPauses(rows, accountIds);
  return found.map(({ endpoint, id }, index) => {
    const fails = failing[index];
    const isSendingPaused = pausedSince(endpoint.accountId, id) !== undefined;
    return {
      ...{ endpoint, hasQueued: queued.has(id), isSendingPaused },
      ...(fails ? { health: storedHealth(fails, now) } : {}),
    };
  });
}

/** Finds accounts with queued deliveries: one row for each, however long its queues are. */
export function* readQueuedAccounts(
  rows: RowTx,
  ranges: readonly ShardRange[],
  limit: number,
): Plan<Awaited<ReturnType<DeliveryStore['readQueuedAccounts']>>> {
  const limited = ranges.map((range) => ({ ...accountRange(range), limit }));
  const found = yield* rows.scan(pending, 'queued', limited, { distinct: 2, columns: ['shard', 'accountId'] });
  const rest = ranges.flatMap((range) => {
    const last = found.filter(({ shard }) => shard === range.shard)[limit - 1];
    return last ? [{ ...range, after: last.accountId }] : [];
  });
  return { accountIds: found.map(({ accountId }) => accountId), rest };
}
