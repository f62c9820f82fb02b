import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import type { EndpointState } from '../../../webhooks/endpoints/endpoint.ts';
import type { Backlog } from '../../../webhooks/log/delivery-log.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { dispatchedSince, freshDeliveries } from '../deliveries/dispatched.ts';
import type { Plan, RowTx, Step } from '../port/row-store.ts';
import type { RangeOf } from '../port/table.ts';
import { type PendingRow, pending } from '../tables/deliveries.ts';
import { endpoints } from '../tables/endpoints.ts';
import { outbox } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';

interface Counts {
  waiting: number;
  held: number;
  oldest: EpochMs;
}

type Part = { readonly prefix: readonly [] } | { readonly prefix: readonly [shard: number, accountId: string] };

/** The unfinished deliveries of a stored endpoint. */
export interface StoredQueue {
  readonly accountId: string;
  readonly endpointId: string;
  readonly prefix: readonly [shard: number, accountId: string, endpointId: string];
  readonly state: EndpointState;
  /** When the first of them is due. */
  readonly firstDue: EpochMs;
}

/** Endpoints of one read in a store that answers at once: it lets others go on in between. */
const slice = 100;

/** Reads many items: by one read, or where a read blocks the process, by one for each slice. */
function* inSlices<I, R>(
  rows: RowTx,
  items: readonly I[],
  read: (items: readonly I[]) => Step<readonly R[]>,
): Plan<readonly R[]> {
  if (!rows.yield) return yield* read(items);
  const found: R[] = [];
  for (let from = 0; from < items.length; from += slice) {
    for (const each of yield* read(items.slice(from, from + slice))) found.push(each);
    yield* rows.yield();
  }
  return found;
}

const columnsOfName = ['shard', 'accountId', 'endpointId'] as const;
type QueueName = Pick<PendingRow, (typeof columnsOfName)[number]>;

/** Reads which endpoints have pending deliveries. */
function* readNames(rows: RowTx, part: Part): Plan<readonly QueueName[]> {
  const limit = rows.yield ? slice : maxCounted;
  const options = { distinct: columnsOfName.length, columns: columnsOfName, limit };
  const found: QueueName[] = [];
  for (let range: RangeOf<typeof pending, 'endpoint'> = part, isLast = false; !isLast; ) {
    const some: readonly QueueName[] = yield* rows.scan(pending, 'endpoint', [range], options);
    for (const each of some) found.push(each);
    const last = some.at(-1);
    isLast = last === undefined || some.length < limit || found.length >= maxCounted;
    if (last)
      range =
        part.prefix.length === 0
          ? { prefix: [], after: [last.shard, last.accountId, last.endpointId] }
          : { prefix: part.prefix, after: [last.endpointId] };
    if (rows.yield) yield* rows.yield();
  }
  return found;
}

/** Reads stored endpoints with pending deliveries. As many endpoints as deliveries are counted have as many. */
export function* readQueues(rows: RowTx, part: Part): Plan<readonly StoredQueue[]> {
  const queues = yield* readNames(rows, part);
  const keys = queues.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const found = yield* inSlices(rows, keys, (some) => rows.get(endpoints, some));
  const stored = queues.flatMap(({ shard, accountId, endpointId }, index) => {
    const endpoint = found[index]?.endpoint;
    const whole = [shard, accountId, endpointId] as const;
    return endpoint ? [{ accountId, endpointId, prefix: whole, state: endpoint.state }] : [];
  });
  const ranges = stored.map((queue) => ({ prefix: queue.prefix, limit: 1 }));
  // A delivery that ended between two statements cannot be: both read one moment.
  const firsts = yield* inSlices(rows, ranges, (some) => rows.scan(pending, 'endpoint', some, { columns: ['dueAt'] }));
  return stored.map((queue, index) => ({ ...queue, firstDue: firsts[index]?.dueAt ?? Number.POSITIVE_INFINITY }));
}

/**
 * Counts rows of queues, together up to the limit. Each queue is first counted to its share of it; longer queues are
 * counted further only while the sum is below the limit. So the cost does not grow with the backlog.
 */
function* countRows(rows: RowTx, queues: readonly StoredQueue[]): Plan<number> {
  let counted = 0;
  let rest = queues;
  let limit = Math.ceil(maxCounted / Math.max(queues.length, 1));
  while (rest.length > 0) {
    const ranges = rest.map(({ prefix }) => ({ prefix, limit }));
    const numbers = yield* inSlices(rows, ranges, (some) => rows.count(pending, 'endpoint', some));
    if (counted + numbers.reduce((sum, each) => sum + each, 0) >= maxCounted) return maxCounted;
    for (const each of numbers) if (each < limit) counted += each;
    const reached = limit;
    rest = rest.filter((_, index) => numbers[index] === reached);
    limit *= 2;
  }
  return counted;
}

/** Counts pending deliveries of stored endpoints. */
function* countPending(rows: RowTx, part: Part, counts: Counts): Plan<void> {
  const queues = yield* readQueues(rows, part);
  const enabled = queues.filter(({ state }) => state === 'enabled');
  counts.waiting += yield* countRows(rows, enabled);
  counts.held += yield* countRows(
    rows,
    queues.filter(({ state }) => state !== 'enabled'),
  );
  for (const { firstDue } of enabled) counts.oldest = Math.min(counts.oldest, firstDue);
}

export function* countBacklog(rows: RowTx, accountId: string | undefined): Plan<Backlog> {
  const now = yield* rows.now();
  const counts: Counts = { waiting: 0, held: 0, oldest: Number.POSITIVE_INFINITY };
  const part: Part = accountId === undefined ? { prefix: [] } : { prefix: [shardOf(accountId), accountId] };
  const [undispatched = 0] = yield* rows.count(outbox, 'queue', [{ ...part, limit: maxCounted }]);
  yield* countPending(rows, part, counts);
  const of =
    accountId === undefined
      ? yield* rows.scan(shards, 'all', [{ prefix: [] }])
      : (yield* rows.get(shards, [[shardOf(accountId)]])).filter((row) => row !== undefined);
  yield* dispatchedSince(rows, of, function* (found) {
    const own = found.filter((row) => (accountId ?? row.accountId) === row.accountId);
    for (const { dispatchedAt } of yield* freshDeliveries(rows, own)) {
      counts.waiting++;
      counts.oldest = Math.min(counts.oldest, dispatchedAt);
    }
  });
  const { waiting, held, oldest } = counts;
  return {
    undispatched,
    waiting: Math.min(waiting, maxCounted),
    held: Math.min(held, maxCounted),
    ...(oldest <= now ? { oldestDue: now - oldest } : {}),
  };
}
