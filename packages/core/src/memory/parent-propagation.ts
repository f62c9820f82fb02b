import type { ParentPropagation, PropagatedEvent } from '../deliveries/parent-propagation.ts';
import type { NewEvent } from '../events/event.ts';
import type { Clock } from '../runtime/clock.ts';
import { second } from '../runtime/time.ts';
import type { Wakes } from '../shards/wakes.ts';
import type { Committed, Outbox } from './outbox.ts';
import type { DispatchedRow, EventRow } from './rows.ts';
import type { Tables } from './tables.ts';

const propagatedEvent = ({ account, event, position }: EventRow): PropagatedEvent => ({
  shard: account.shard.shard,
  accountId: account.accountId,
  position: String(position),
  eventId: event.id,
  objectName: event.objectName,
  type: event.type,
});

/** The parent's copy of an event. */
const copyOf = ({ event, dispatch }: DispatchedRow, parentId: string): NewEvent => ({
  id: event.id,
  accountId: parentId,
  objectName: event.objectName,
  objectId: event.objectId,
  type: event.type,
  occurredAt: dispatch.timestamp * second,
  bodyTail: event.bodyTail,
  origin: event.accountId,
  ...(event.traceContext === undefined ? {} : { traceContext: event.traceContext }),
});

/** Events to propagate, in memory. @internal */
export const memoryParents = (tables: Tables, outbox: Outbox, wakes: Wakes, clock: Clock): ParentPropagation => ({
  readPropagated: async (ranges, limit) => {
    const found: EventRow[] = [];
    for (const { shard, ...range } of ranges) tables.shards[shard]?.propagated.read(range, limit, found);
    return found.map(propagatedEvent);
  },
  propagate: async (workerId, events) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const copies = new Map<string, Committed>();
    for (const { accountId, eventId, parentId } of events) {
      const row = tables.findDispatched(accountId, eventId);
      if (!row?.isPropagating) continue;
      row.isPropagating = false;
      if (parentId === undefined || tables.accountOf(parentId).events.has(eventId)) continue;
      copies.set(JSON.stringify([parentId, eventId]), { event: copyOf(row, parentId), storedAt: clock.now() });
    }
    wakes.wakeEvents(outbox.add([...copies.values()]));
    return 'stored';
  },
});
