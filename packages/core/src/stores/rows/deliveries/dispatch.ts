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
import { lastChange, lockVersions } from '../endpoints/versions.ts';
import { announcedEvent, dispatchedEvent, outboxEvent } from '../events/event-rows.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { isMember, ownShards } from '../shards/membership.ts';
import { parentPropagation } from '../tables/deliveries.ts';
import { events, type OutboxRow, outbox } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';
import { accountRange, pendingRow } from './keys.ts';
import { storeNew } from './store-new.ts';

type OfObject = Pick<OutboxRow, 'accountId' | 'objectId' | 'shard'>;
const isSameObject = (a: Omit<OfObject, 'shard'> | undefined, b: Omit<OfObject, 'shard'>): boolean =>
  a?.objectId === b.objectId && a.accountId === b.accountId;

/** The timestamp that the next event of each row's object must exceed; `undefined`: none. */
function* lastTimestamps(rows: RowTx, found: readonly OfObject[]): Plan<readonly (number | undefined)[]> {
  const ranges = found.map(({ accountId, objectId }) => ({ prefix: [accountId, objectId] as const, limit: 1 }));
  const latest = yield* rows.scan(events, 'timestamp', ranges, {
    newestFirst: true,
    columns: ['accountId', 'objectId', 'timestamp'],
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
    const ofObject = isSameObject(latest[next], row) ? latest[next++]?.timestamp : undefined;
    const ofShard = pruned.get(row.shard);
    return ofObject === undefined || (ofShard !== undefined && ofShard > ofObject) ? ofShard : ofObject;
  });
}

/** Reads events that are not dispatched. */
export function* readOutbox(rows: RowTx, ranges: readonly ShardRange[], limit: number): Plan<readonly OutboxEvent[]> {
  const found = yield* rows.scan(outbox, 'queue', ranges.map(accountRange), { limit });
  if (found.length === 0) return [];
  const last = yield* lastTimestamps(rows, found);
  return found.map((row, index) => outboxEvent(row, last[index]));
}

type Dispatched = Pick<EventDispatch, 'timestamp' | 'endpointIds'> & {
  readonly event: AnnouncedEvent;
};

const byKey = (a: Dispatched, b: Dispatched): number =>
  compareBytes(a.event.accountId, b.event.accountId) || (a.event.id < b.event.id ? -1 : 1);

/** Moves events out of the outbox. Returns those that were there. */
function* moveEvents<D extends Dispatched>(
  rows: RowTx,
  dispatched: readonly D[],
  versions: ReadonlyMap<number, number>,
  notBefore: EpochMs,
): Plan<readonly D[]> {
  const dispatchedAt = Math.ceil(Math.max(yield* rows.now(), notBefore));
  const inOrder = dispatched.toSorted(byKey);
  const moved = yield* rows.move(
    outbox,
    events,
    inOrder.map(({ event: { accountId, id, shard }, timestamp, endpointIds }) => ({
      accountId,
      id,
      dispatchedAt,
      timestamp,
      endpointIds,
      endpointVersion: versions.get(shard) ?? 0,
    })),
  );
  if (moved.every((wasThere) => wasThere)) return dispatched;
  const gone = new Set(inOrder.filter((_, index) => moved[index]));
  return dispatched.filter((each) => gone.has(each));
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
  const moved = yield* moveEvents(rows, own, versions, notBefore);
  const propagated = moved.filter(({ propagates }) => propagates);
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
const isAsAnnounced = (row: OutboxRow, event: AnnouncedEvent): boolean => {
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
  const last = yield* lastTimestamps(rows, firsts);
  const nextOf = new Map(firsts.map((row, index) => [row.accountId, { row, last: last[index] ?? -1 }]));
  const allowed = current.filter(({ event, timestamp }) => {
    const next = nextOf.get(event.accountId);
    return next !== undefined && isAsAnnounced(next.row, event) && timestamp > next.last;
  });
  yield* moveEvents(rows, allowed, versions, notBefore);
  const found = yield* rows.get(
    events,
    dispatched.map(({ event: { accountId, id } }) => [accountId, id]),
  );
  return dispatched.flatMap(({ timestamp }, index) => {
    const row = found[index];
    return row && row.timestamp === timestamp && row.dispatchedAt >= notBefore ? [dispatchedEvent(row)] : [];
  });
}
