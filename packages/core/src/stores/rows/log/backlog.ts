import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import type { EndpointState } from '../../../webhooks/endpoints/endpoint.ts';
import type { Backlog } from '../../../webhooks/log/delivery-log.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { dispatchedSince, freshDeliveries } from '../deliveries/dispatched.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { pending } from '../tables/deliveries.ts';
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

/** Reads stored endpoints with pending deliveries. As many endpoints as deliveries are counted have as many. */
export function* readQueues(rows: RowTx, part: Part): Plan<readonly StoredQueue[]> {
  const columns = ['shard', 'accountId', 'endpointId'] as const;
  const options = { distinct: columns.length, columns, limit: maxCounted };
  const queues = yield* rows.scan(pending, 'endpoint', [part], options);
  const keys = queues.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const found = yield* rows.get(endpoints, keys);
  const stored = queues.flatMap(({ shard, accountId, endpointId }, index) => {
    const endpoint = found[index]?.endpoint;
    const whole = [shard, accountId, endpointId] as const;
    return endpoint ? [{ accountId, endpointId, prefix: whole, state: endpoint.state }] : [];
  });
  const ranges = stored.map((queue) => ({ prefix: queue.prefix, limit: 1 }));
  // A delivery that ended between two statements cannot be: both read one moment.
  const firsts = yield* rows.scan(pending, 'endpoint', ranges, { columns: ['dueAt'] });
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
    const numbers = yield* rows.count(pending, 'endpoint', ranges);
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
