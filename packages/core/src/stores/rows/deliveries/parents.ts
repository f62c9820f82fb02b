import { compareBytes } from '../../../base/runtime/byte-order.ts';
import { type EpochMs, second } from '../../../base/runtime/time.ts';
import type { ParentPropagation, PropagatedEvent } from '../../../webhooks/deliveries/parent-propagation.ts';
import type { DispatchedEvent } from '../../../webhooks/events/event.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { dispatchedEvents, eventRow, outboxRow } from '../events/event-rows.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { isMember } from '../shards/membership.ts';
import { parentPropagation } from '../tables/deliveries.ts';
import { type EventRow, events, outbox } from '../tables/events.ts';
import { accountRange, eventKeyOf } from './keys.ts';

type Propagated = Parameters<ParentPropagation['propagate']>[1][number];

/** The row of the parent's copy of an event. */
const copyOf = (original: DispatchedEvent, parentId: string, now: EpochMs) => {
  const { idempotencyKey: _ofChild, onlyTo: _test, body: _body, timestamp, ...event } = original;
  return eventRow({ ...event, accountId: parentId, occurredAt: timestamp * second, origin: original.accountId }, now);
};

const inOrder = (a: Propagated, b: Propagated): number =>
  compareBytes(a.accountId, b.accountId) || (a.eventId < b.eventId ? -1 : 1);
const byKey = (a: EventRow, b: EventRow): number => compareBytes(a.accountId, b.accountId) || (a.id < b.id ? -1 : 1);

function* propagate(rows: RowTx, workerId: string, propagated: readonly Propagated[]): Plan<'stored' | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const inKeyOrder = propagated.toSorted(inOrder);
  const removed = yield* rows.delete(parentPropagation, inKeyOrder.map(eventKeyOf));
  const taken = new Set(inKeyOrder.filter((_, index) => removed[index]));
  const originals = yield* dispatchedEvents(rows, propagated.map(eventKeyOf));
  const now = yield* rows.now();
  const copies = propagated.flatMap((each, index) => {
    const original = originals[index];
    return each.parentId !== undefined && original && taken.has(each) ? [copyOf(original, each.parentId, now)] : [];
  });
  // In the order of keys, in which others wait for each other; their places have the given order.
  const ordered = copies.toSorted(byKey);
  const added = yield* rows.insert(events, ordered, 'ignore');
  const known = new Set(ordered.filter((_, index) => !added[index]));
  const fresh = copies.filter((copy) => !known.has(copy));
  if (fresh.length === 0) return 'stored';
  yield* rows.insert(outbox, fresh.map(outboxRow), 'fail');
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
