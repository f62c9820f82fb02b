import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type {
  AnnouncedDispatch,
  AnnouncedEvent,
  EventDispatch,
  OutboxEvent,
  PendingChange,
  ShardRange,
} from '../../../webhooks/deliveries/delivery-store.ts';
import type { DispatchedEvent } from '../../../webhooks/events/event.ts';
import { objectHash } from '../../../webhooks/shards/object-hash.ts';
import { lastChange, lockVersions } from '../endpoints/versions.ts';
import { announcedEvent, dispatchedEvent, outboxEvent } from '../events/event-rows.ts';
import { appendToFeeds } from '../feeds/append.ts';
import { deliverToHandlers } from '../handler-deliveries/deliver.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RowOf } from '../port/table.ts';
import { isMember, ownShards } from '../shards/membership.ts';
import { parentPropagation } from '../tables/deliveries.ts';
import { dispatches, type EventRow, events, outbox } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';
import { accountRange, pendingRow } from './keys.ts';
import { storeNew } from './store-new.ts';

type OutboxRow = RowOf<typeof outbox>;

/** The timestamp that the next event of each row's object must exceed; `undefined`: none. */
function* lastTimestamps(rows: RowTx, found: readonly OutboxRow[]): Plan<readonly (number | undefined)[]> {
  const ranges = found.map(({ objectHash }) => ({ prefix: [objectHash] as const, limit: 1 }));
  const latest = yield* rows.scan(dispatches, 'timestamp', ranges, {
    newestFirst: true,
    columns: ['objectHash', 'timestamp'],
  });
  const numbers = [...new Set(found.map(({ shard }) => shard))];
  const ofShards = yield* rows.get(
    shards,
    numbers.map((shard) => [shard]),
  );
  const pruned = new Map(ofShards.map((row) => [row?.shard, row?.prunedTimestamp]));
  let next = 0;
  return found.map((row) => {
    // In the order of the ranges; a range without an event has no row.
    const ofObject = latest[next]?.objectHash === row.objectHash ? latest[next++]?.timestamp : undefined;
    const ofShard = pruned.get(row.shard);
    return ofObject === undefined || (ofShard !== undefined && ofShard > ofObject) ? ofShard : ofObject;
  });
}

/** A row of the outbox with its event. */
interface Queued {
  readonly place: OutboxRow;
  readonly row: EventRow;
  readonly lastTimestamp: number | undefined;
}

/** Adds the events of rows of the outbox, and the timestamps that they must exceed. */
function* withEvents(rows: RowTx, places: readonly OutboxRow[]): Plan<readonly Queued[]> {
  const found = yield* rows.get(
    events,
    places.map(({ accountId, id }) => [accountId, id]),
  );
  const last = yield* lastTimestamps(rows, places);
  return places.flatMap((place, index) => {
    const row = found[index];
    return row ? [{ place, row, lastTimestamp: last[index] }] : [];
  });
}

/** Reads events that are not dispatched. */
export function* readOutbox(rows: RowTx, ranges: readonly ShardRange[], limit: number): Plan<readonly OutboxEvent[]> {
  const found = yield* rows.scan(outbox, 'queue', ranges.map(accountRange), { limit });
  if (found.length === 0) return [];
  const queued = yield* withEvents(rows, found);
  return queued.map(({ place, row, lastTimestamp }) => outboxEvent(place, row, lastTimestamp));
}

/** The dispatch of an event with a position in the outbox. */
type Placed = Pick<EventDispatch, 'timestamp' | 'endpointIds'> & {
  readonly event: AnnouncedEvent;
  readonly position: number;
};

const keyOfPlace = ({ event: { shard, accountId }, position }: Placed) => [shard, accountId, position] as const;
const byPlace = (a: Placed, b: Placed): number =>
  a.event.shard - b.event.shard || compareBytes(a.event.accountId, b.event.accountId) || a.position - b.position;

/** Takes events out of the outbox, and stores their dispatch. Returns those that were there. */
function* storeDispatches<D extends Placed>(
  rows: RowTx,
  dispatched: readonly D[],
  versions: ReadonlyMap<number, number>,
  notBefore: EpochMs,
): Plan<readonly D[]> {
  const dispatchedAt = Math.ceil(Math.max(yield* rows.now(), notBefore));
  // The order of publication within an account, which their positions get.
  const inOrder = dispatched.toSorted(byPlace);
  const removed = yield* rows.delete(outbox, inOrder.map(keyOfPlace));
  const taken = inOrder.filter((_, index) => removed[index]);
  yield* rows.insert(
    dispatches,
    taken.map(({ event: { accountId, id, shard, objectId }, timestamp, endpointIds }) => ({
      ...{ accountId, id, shard, dispatchedAt, timestamp, endpointIds },
      objectHash: objectHash(accountId, objectId),
      endpointVersion: versions.get(shard) ?? 0,
    })),
    'fail',
  );
  return taken;
}

/** Dispatches events. */
export function* dispatchEvents(
  rows: RowTx,
  workerId: string,
  { dispatched, changes }: { dispatched: readonly EventDispatch[]; changes: readonly PendingChange[] },
  notBefore: EpochMs,
): Plan<'stored' | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const owned = yield* ownShards(
    rows,
    workerId,
    dispatched.map(({ event }) => event.shard),
  );
  const own = dispatched.filter(({ event }) => owned.has(event.shard));
  const versions = yield* lockVersions(rows, [...owned], 'share');
  const placed = own.map((each) => ({ ...each, position: Number(each.event.position) }));
  const stored = yield* storeDispatches(rows, placed, versions, notBefore);
  const joining = stored.flatMap(({ event: { accountId, id: eventId }, pullEndpointIds = [] }) =>
    pullEndpointIds.map((endpointId) => ({ accountId, eventId, endpointId })),
  );
  if (joining.length > 0) yield* appendToFeeds(rows, joining);
  const handled = stored.flatMap(({ event: { accountId, id: eventId }, handlers = [] }) =>
    handlers.map((handler) => ({ accountId, eventId, handler })),
  );
  if (handled.length > 0) yield* deliverToHandlers(rows, handled);
  const propagated = stored.filter(({ propagates }) => propagates);
  if (propagated.length > 0)
    yield* rows.insert(
      parentPropagation,
      propagated.map(({ event: { accountId, id: eventId, shard, objectName, type } }) => ({
        ...{ accountId, eventId, shard, objectName, type },
      })),
      'ignore',
    );
  if (changes.length === 0) return 'stored';
  const now = yield* rows.now();
  yield* storeNew(
    rows,
    changes.filter(({ shard }) => owned.has(shard)).map((change) => pendingRow(change, now)),
  );
  return 'stored';
}

const announcedFields = ['objectName', 'objectId', 'type', 'occurredAt', 'storedAt'] as const;
const isAsAnnounced = (row: EventRow, event: AnnouncedEvent): boolean => {
  const own = announcedEvent(row);
  return own !== undefined && row.id === event.id && announcedFields.every((name) => own[name] === event[name]);
};

/** Dispatches announced events. */
export function* dispatchAnnounced(
  rows: RowTx,
  workerId: string,
  dispatched: readonly AnnouncedDispatch[],
  notBefore: EpochMs,
): Plan<readonly DispatchedEvent[] | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const owned = yield* ownShards(
    rows,
    workerId,
    dispatched.map(({ event }) => event.shard),
  );
  const versions = yield* lockVersions(rows, [...owned], 'share');
  const { includeChildren } = yield* lastChange(rows);
  const current =
    includeChildren > 0
      ? []
      : dispatched.filter(
          ({ event: { shard }, endpointVersion }) => owned.has(shard) && (versions.get(shard) ?? 0) <= endpointVersion,
        );
  const firsts = yield* rows.scan(
    outbox,
    'queue',
    current.map(({ event: { shard, accountId } }) => ({ prefix: [shard, accountId] as const, limit: 1 })),
  );
  const nextOf = new Map((yield* withEvents(rows, firsts)).map((each) => [each.row.accountId, each]));
  const allowed = current.flatMap((each) => {
    const next = nextOf.get(each.event.accountId);
    const isNext = next !== undefined && isAsAnnounced(next.row, each.event);
    return isNext && each.timestamp > (next.lastTimestamp ?? -1) ? [{ ...each, position: next.place.position }] : [];
  });
  yield* storeDispatches(rows, allowed, versions, notBefore);
  const keys = dispatched.map(({ event: { accountId, id } }) => [accountId, id] as const);
  const found = yield* rows.get(events, keys);
  const stored = yield* rows.get(dispatches, keys);
  return dispatched.flatMap(({ timestamp }, index) => {
    const [row, dispatch] = [found[index], stored[index]];
    const isStored = dispatch?.timestamp === timestamp && dispatch.dispatchedAt >= notBefore;
    return row && isStored ? [dispatchedEvent(row, dispatch)] : [];
  });
}
