import type { EpochMs } from '../../../base/runtime/time.ts';
import type { DeliveryKey } from '../../../webhooks/deliveries/delivery-id.ts';
import { rangesAfter } from '../port/pages.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RangeOf } from '../port/table.ts';
import { pending } from '../tables/deliveries.ts';
import { dispatches } from '../tables/events.ts';
import type { ShardRow } from '../tables/shards.ts';
import { keyOf, nameOf } from './keys.ts';
import { attempted } from './store-new.ts';

const columns = ['shard', 'accountId', 'id', 'dispatchedAt', 'endpointIds'] as const;
/** Maximum number of events that are read at once. */
const batch = 500;

/** The dispatch of an event. */
export interface DispatchedRow {
  readonly accountId: string;
  readonly id: string;
  readonly dispatchedAt: EpochMs;
  readonly endpointIds: readonly string[];
}

/** A dispatch with its shard. */
export interface ShardedRow extends DispatchedRow {
  readonly shard: number;
}

/** Reads the events of shards that were dispatched at the watermark or later, in batches. */
export function* dispatchedSince(
  rows: RowTx,
  of: readonly Pick<ShardRow, 'shard' | 'watermark'>[],
  visit: (found: readonly ShardedRow[]) => Plan<void>,
): Plan<void> {
  // Neighbours with one watermark are one range of a statement.
  const ordered = of.toSorted((a, b) => a.watermark - b.watermark || a.shard - b.shard);
  let ranges: readonly RangeOf<typeof dispatches, 'dispatched'>[] = ordered.map(({ shard, watermark }) => ({
    prefix: [shard],
    from: [watermark],
  }));
  for (;;) {
    const found: readonly ShardedRow[] = yield* rows.scan(dispatches, 'dispatched', ranges, { limit: batch, columns });
    if (found.length > 0) yield* visit(found);
    const last = found[batch - 1];
    if (!last) return;
    ranges = rangesAfter(ranges, [last.shard], [last.dispatchedAt, last.accountId, last.id]);
  }
}

/** A delivery that waits for its first attempt. */
interface FreshDelivery extends DeliveryKey {
  readonly dispatchedAt: EpochMs;
}

/** The deliveries of events without a row: only the owner of their shard may have them, in its memory. */
export function* freshDeliveries(rows: RowTx, found: readonly DispatchedRow[]): Plan<readonly FreshDelivery[]> {
  const all = found.flatMap(({ accountId, id: eventId, dispatchedAt, endpointIds }) =>
    endpointIds.map((endpointId) => ({ accountId, eventId, endpointId, replay: 0, dispatchedAt })),
  );
  const known = yield* attempted(rows, all);
  const waiting = yield* rows.get(pending, all.map(keyOf));
  return all.filter((each, index) => !waiting[index] && !known.has(nameOf(each)));
}
