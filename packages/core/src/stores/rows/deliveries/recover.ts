import type { DeliveryStore } from '../../../webhooks/deliveries/delivery-store.ts';
import { rangesAfter } from '../port/pages.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RangeOf } from '../port/table.ts';
import { isMember, lockOwned } from '../shards/membership.ts';
import { type PendingRow, pending } from '../tables/deliveries.ts';
import { shards } from '../tables/shards.ts';
import { dispatchedSince } from './dispatched.ts';
import { keyOf } from './keys.ts';
import { storeNew } from './store-new.ts';

/** Maximum number of deliveries that are read at once. */
const batch = 500;

/** Marks due scheduled deliveries: the last owner may have attempted them. */
function* markDue(rows: RowTx, numbers: readonly number[]): Plan<void> {
  const to = [yield* rows.now()] as const;
  let ranges: readonly RangeOf<typeof pending, 'scheduled'>[] = numbers
    .toSorted((a, b) => a - b)
    .map((shard) => ({ prefix: [shard], to }));
  for (;;) {
    const found: readonly PendingRow[] = yield* rows.scan(pending, 'scheduled', ranges, { limit: batch });
    yield* rows.put(
      pending,
      found.map((row) => ({ ...row, isAbandoned: true })),
    );
    const last = found[batch - 1];
    if (!last) return;
    ranges = rangesAfter(ranges, [last.shard], [last.dueAt, ...keyOf(last)]);
  }
}

/** Marks those of the shards that the worker owns as recovered. */
function* markRecovered(rows: RowTx, workerId: string, numbers: readonly number[]): Plan<void> {
  const owned = yield* lockOwned(rows, workerId, numbers);
  yield* rows.put(
    shards,
    owned.map((row) => ({ ...row, isRecovered: true })),
  );
}

/** Takes over shards. */
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
  const abandoned = new Set(acquired.filter(({ wasAbandoned }) => wasAbandoned).map(({ shard }) => shard));
  yield* markDue(rows, [...abandoned]);
  const since = yield* rows.now();
  // Only the last owner had these in its memory.
  yield* dispatchedSince(rows, acquired, (found) =>
    storeNew(
      rows,
      found.flatMap(({ shard, accountId, id: eventId, dispatchedAt, endpointIds }) =>
        endpointIds.map((endpointId) => ({
          ...{ accountId, eventId, endpointId, replay: 0, shard, state: 'queued' as const, dueAt: dispatchedAt },
          ...{ attempts: 0, logged: 0, isAbandoned: abandoned.has(shard), isUrgent: false, since },
        })),
      ),
    ),
  );
  return 'stored';
}
