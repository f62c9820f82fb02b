import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import type { Backlog } from '../../../webhooks/log/delivery-log.ts';
import { shardCount, shardOf } from '../../../webhooks/shards/shard.ts';
import { type DispatchedRow, dispatchedSince } from '../deliveries/recover.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { pending } from '../tables/deliveries.ts';
import { endpoints } from '../tables/endpoints.ts';
import { outbox } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';
import { readDeliveries } from './facts.ts';

interface Counts {
  undispatched: number;
  waiting: number;
  held: number;
  oldest: EpochMs;
}

type Part = { readonly prefix: readonly [shard: number] } | { readonly prefix: readonly [number, accountId: string] };

/** Counts pending deliveries, endpoint by endpoint. */
function* countPending(rows: RowTx, part: Part, counts: Counts): Plan<void> {
  const firsts = yield* rows.scan(pending, 'endpoint', [part], { distinct: 3 });
  const keys = firsts.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const found = yield* rows.get(endpoints, keys);
  for (const [index, { shard, accountId, endpointId, dueAt }] of firsts.entries()) {
    const endpoint = found[index]?.endpoint;
    if (!endpoint) continue;
    const range = { prefix: [shard, accountId, endpointId] as const, limit: maxCounted };
    const count = yield* rows.count(pending, 'endpoint', range);
    if (endpoint.state !== 'enabled') counts.held += count;
    else {
      counts.waiting += count;
      counts.oldest = Math.min(counts.oldest, dueAt);
    }
  }
}

/** Counts deliveries that only the owner of the shard has. */
function* countFresh(
  rows: RowTx,
  found: readonly DispatchedRow[],
  accountId: string | undefined,
  counts: Counts,
): Plan<void> {
  const own = found.filter((row) => (accountId ?? row.accountId) === row.accountId);
  for (const of of new Set(own.map((row) => row.accountId))) {
    const ofAccount = own.filter((row) => row.accountId === of);
    for (const { event, log, pending: row } of yield* readDeliveries(rows, of, ofAccount)) {
      if (!event || log.length > 0 || row) continue;
      counts.waiting++;
      counts.oldest = Math.min(counts.oldest, event.dispatchedAt);
    }
  }
}

/** Counts the backlog. @internal */
export function* countBacklog(rows: RowTx, accountId: string | undefined): Plan<Backlog> {
  const numbers =
    accountId === undefined ? Array.from({ length: shardCount }, (_, shard) => shard) : [shardOf(accountId)];
  const now = yield* rows.now();
  const counts: Counts = { undispatched: 0, waiting: 0, held: 0, oldest: Number.POSITIVE_INFINITY };
  const found = yield* rows.get(
    shards,
    numbers.map((shard) => [shard]),
  );
  for (const [index, shard] of numbers.entries()) {
    const part: Part = accountId === undefined ? { prefix: [shard] } : { prefix: [shard, accountId] };
    counts.undispatched += yield* rows.count(outbox, 'queue', { ...part, limit: maxCounted });
    yield* countPending(rows, part, counts);
    const watermark = found[index]?.watermark ?? 0;
    yield* dispatchedSince(rows, shard, watermark, (dispatched) => countFresh(rows, dispatched, accountId, counts));
  }
  const { undispatched, waiting, held, oldest } = counts;
  return {
    undispatched: Math.min(undispatched, maxCounted),
    waiting: Math.min(waiting, maxCounted),
    held: Math.min(held, maxCounted),
    ...(oldest <= now ? { oldestDue: now - oldest } : {}),
  };
}
