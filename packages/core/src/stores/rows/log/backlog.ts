import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
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

/** Counts pending deliveries of stored endpoints. */
function* countPending(rows: RowTx, part: Part, counts: Counts): Plan<void> {
  const columns = ['shard', 'accountId', 'endpointId'] as const;
  const queues = yield* rows.scan(pending, 'endpoint', [part], { distinct: columns.length, columns });
  const keys = queues.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const found = yield* rows.get(endpoints, keys);
  const stored = queues.flatMap(({ shard, accountId, endpointId }, index) => {
    const endpoint = found[index]?.endpoint;
    return endpoint
      ? [{ prefix: [shard, accountId, endpointId] as const, isEnabled: endpoint.state === 'enabled' }]
      : [];
  });
  const numbers = yield* rows.count(
    pending,
    'endpoint',
    stored.map(({ prefix }) => ({ prefix, limit: maxCounted })),
  );
  for (const [index, { isEnabled }] of stored.entries()) counts[isEnabled ? 'waiting' : 'held'] += numbers[index] ?? 0;
  const firsts = stored.filter(({ isEnabled }) => isEnabled).map(({ prefix }) => ({ prefix, limit: 1 }));
  for (const { dueAt } of yield* rows.scan(pending, 'endpoint', firsts, { columns: ['dueAt'] }))
    counts.oldest = Math.min(counts.oldest, dueAt);
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
