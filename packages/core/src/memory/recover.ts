import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { deliveryRow, storedDelivery } from './delivery-rows.ts';
import { putPending } from './pending.ts';
import type { DispatchedRow, PendingRow, ShardRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** Events dispatched at a time or later. @internal */
export const dispatchedSince = ({ dispatched }: ShardRow, since: EpochMs): Iterable<DispatchedRow> =>
  dispatched.from(({ dispatch }) => dispatch.at >= since);

/** Queues deliveries that only the last owner had in memory. */
const queueFresh = (shard: ShardRow, watermark: EpochMs, isAbandoned: boolean, now: EpochMs): void => {
  for (const event of dispatchedSince(shard, watermark)) {
    for (const endpointId of event.dispatch.endpointIds) {
      if (storedDelivery(event, endpointId, 0)) continue;
      putPending({
        delivery: deliveryRow(event, endpointId, 0),
        state: 'queued',
        dueAt: event.dispatch.at,
        attempts: 0,
        logged: 0,
        isAbandoned,
        isUrgent: false,
        since: now,
      });
    }
  }
};

/** Marks due scheduled deliveries: a dead owner may have attempted them. */
const markDue = ({ scheduled }: ShardRow, now: EpochMs): void => {
  const due: PendingRow[] = [];
  for (const row of scheduled.from()) {
    if (row.dueAt > now) break;
    due.push(row);
  }
  for (const row of due) putPending({ ...row, isAbandoned: true });
};

/** Takes over shards. @internal */
export const recoverShards =
  (tables: Tables, clock: Clock): DeliveryStore['recover'] =>
  async (workerId, shards) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const now = clock.now();
    for (const { shard: number, watermark, wasAbandoned } of shards) {
      const shard = tables.shards[number];
      if (!shard) continue;
      queueFresh(shard, watermark, wasAbandoned, now);
      if (wasAbandoned) markDue(shard, now);
    }
    return 'stored';
  };
