import type { EpochMs } from '../../../base/runtime/time.ts';
import type { DeliveryStore } from '../../../webhooks/deliveries/delivery-store.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { isMember, lockOwned } from '../shards/membership.ts';
import { pending } from '../tables/deliveries.ts';
import { events } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';
import { storeNew } from './store-new.ts';

const columns = ['accountId', 'id', 'dispatchedAt', 'endpointIds'] as const;
/** Maximum number of events that are read at once. */
const batch = 500;

/** A dispatched event without its body. @internal */
export interface DispatchedRow {
  readonly accountId: string;
  readonly id: string;
  readonly dispatchedAt: EpochMs;
  readonly endpointIds: readonly string[];
}

/** Reads the events that were dispatched at a time or later, in batches. @internal */
export function* dispatchedSince(
  rows: RowTx,
  shard: number,
  since: EpochMs,
  visit: (found: readonly DispatchedRow[]) => Plan<void>,
): Plan<void> {
  let bounds: { readonly from: readonly [number] } | { readonly after: readonly [number, string, string] } = {
    from: [since],
  };
  for (;;) {
    const range = { prefix: [shard] as const, ...bounds };
    const found: readonly DispatchedRow[] = yield* rows.scan(events, 'dispatched', [range], { limit: batch, columns });
    yield* visit(found);
    const last: DispatchedRow | undefined = found[batch - 1];
    if (!last) return;
    bounds = { after: [last.dispatchedAt, last.accountId, last.id] };
  }
}

/** Marks due scheduled deliveries: the last owner may have attempted them. */
function* markDue(rows: RowTx, shard: number, now: EpochMs): Plan<void> {
  const due = yield* rows.scan(pending, 'scheduled', [{ prefix: [shard], to: [now] }]);
  yield* rows.put(
    pending,
    due.map((row) => ({ ...row, isAbandoned: true })),
  );
}

/** Marks those of the shards that the worker owns as recovered. */
function* markRecovered(rows: RowTx, workerId: string, numbers: readonly number[]): Plan<void> {
  const owned = yield* lockOwned(rows, workerId, numbers);
  yield* rows.put(
    shards,
    owned.map((row) => ({ ...row, isRecovered: true })),
  );
}

/** Takes over shards. @internal */
export function* recover(
  rows: RowTx,
  workerId: string,
  acquired: Parameters<DeliveryStore['recover']>[1],
): Plan<'stored' | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  yield* markRecovered(
    rows,
    workerId,
    acquired.map(({ shard }) => shard),
  );
  const now = yield* rows.now();
  // One read for all shards: most have no event since the watermark.
  const ranges = acquired.map(({ shard, watermark }) => ({
    prefix: [shard] as const,
    from: [watermark] as const,
    limit: 1,
  }));
  const found = yield* rows.scan(events, 'dispatched', ranges, { columns: ['shard'] });
  const withEvents = new Set(found.map(({ shard }) => shard));
  for (const { shard, watermark, wasAbandoned } of acquired) {
    if (wasAbandoned) yield* markDue(rows, shard, now);
    if (!withEvents.has(shard)) continue;
    // Only the last owner had these in its memory.
    yield* dispatchedSince(rows, shard, watermark, (found) =>
      storeNew(
        rows,
        found.flatMap(({ accountId, id: eventId, dispatchedAt, endpointIds }) =>
          endpointIds.map((endpointId) => ({
            ...{ accountId, eventId, endpointId, replay: 0, shard, state: 'queued' as const, dueAt: dispatchedAt },
            ...{ attempts: 0, logged: 0, isAbandoned: wasAbandoned, isUrgent: false, since: now },
          })),
        ),
      ),
    );
  }
  return 'stored';
}
