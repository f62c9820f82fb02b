import { compareBytes } from '../../../base/runtime/byte-order.ts';
import { type EpochMs, second } from '../../../base/runtime/time.ts';
import type { ParentPropagation, PropagatedEvent } from '../../../webhooks/deliveries/parent-propagation.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { dispatchedEvent, outboxRow } from '../events/event-rows.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { isMember } from '../shards/membership.ts';
import { parentPropagation } from '../tables/deliveries.ts';
import { type EventRow, events, outbox } from '../tables/events.ts';
import { accountRange, eventKeyOf } from './keys.ts';

type Propagated = Parameters<ParentPropagation['propagate']>[1][number];

/** The row of the parent's copy of an event. */
const copyOf = (row: EventRow, parentId: string, now: EpochMs) => {
  const { idempotencyKey: _ofChild, onlyTo: _test, body: _body, timestamp, ...event } = dispatchedEvent(row);
  return outboxRow({ ...event, accountId: parentId, occurredAt: timestamp * second, origin: row.accountId }, now);
};

const inOrder = (a: Propagated, b: Propagated): number =>
  compareBytes(a.accountId, b.accountId) || (a.eventId < b.eventId ? -1 : 1);

function* propagate(rows: RowTx, workerId: string, propagated: readonly Propagated[]): Plan<'stored' | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const ordered = propagated.toSorted(inOrder);
  const removed = yield* rows.delete(parentPropagation, ordered.map(eventKeyOf));
  const taken = new Set(ordered.filter((_, index) => removed[index]));
  const originals = yield* rows.get(events, propagated.map(eventKeyOf));
  const now = yield* rows.now();
  const copies = propagated.flatMap((each, index) => {
    const original = originals[index];
    return each.parentId !== undefined && original && taken.has(each) ? [copyOf(original, each.parentId, now)] : [];
  });
  const known = yield* rows.get(
    events,
    copies.map(({ accountId, id }) => [accountId, id]),
  );
  const fresh = copies.filter((_, index) => !known[index]);
  if (fresh.length === 0) return 'stored';
  yield* rows.insert(outbox, fresh, 'ignore');
  yield* rows.wake({ kind: 'events', shards: [...new Set(fresh.map(({ accountId }) => shardOf(accountId)))] });
  return 'stored';
}

/** Events to copy to parents, over rows. */
export const rowParents = (store: Pick<RowStore<object>, 'run'>): ParentPropagation => ({
  readPropagated: (ranges, limit) =>
    store.run('read', function* (rows) {
      const found = yield* rows.scan(parentPropagation, 'queue', ranges.map(accountRange), { limit });
      return found.map(({ position, ...row }): PropagatedEvent => ({ ...row, position: String(position) }));
    }),
  propagate: (workerId, propagated) => store.run('write', (rows) => propagate(rows, workerId, propagated)),
});
