import type { EventPairs } from '../catalogue/pairs.ts';
import { envelopeText } from '../envelope/envelope.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from '../events/event.ts';
import type { EventFilter } from '../events/event-filter.ts';
import type { AppendOutcome, EventStore } from '../events/event-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { firstIdAt } from '../runtime/id.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import type { Wakes } from '../shards/wakes.ts';
import type { Storage } from '../storage/storage.ts';
import { idempotencyKeyOf, type UsedKeys } from './idempotency.ts';
import { announcedOf, type Outbox } from './outbox.ts';
import { compareNumber, readPage } from './pages.ts';
import type { DispatchedRow, EventRow } from './rows.ts';
import { isDispatched, type Tables } from './tables.ts';
import { assertOpen, type MemoryTransaction, type OpenTransaction, openTransaction } from './transaction.ts';

/** The events, with transactions. @internal */
export interface MemoryEvents extends EventStore<MemoryTransaction> {
  /** See `Storage`. */
  readonly transaction: Storage<MemoryTransaction>['transaction'];
}

/** Maximum number of events that a page reads. */
const maxSeen = 1_000;

/** A dispatched event, with its timestamp and body. @internal */
export const dispatchedEvent = ({ event, dispatch: { timestamp } }: DispatchedRow): DispatchedEvent => ({
  ...event,
  timestamp,
  body: envelopeText(timestamp, event.bodyTail),
});

/** Whether an event matches object and type of a filter. @internal */
export const fitsEvent = (
  event: NewEvent,
  { objectName = event.objectName, objectId = event.objectId, type = event.type }: EventFilter<EventPairs>,
): boolean => event.objectName === objectName && event.objectId === objectId && event.type === type;

/** Whether an event was published in the filter's period. @internal */
export const isPublishedIn = ({ id }: NewEvent, { from, to }: Pick<EventFilter<EventPairs>, 'from' | 'to'>): boolean =>
  (from === undefined || id >= firstIdAt(from)) && (to === undefined || id < firstIdAt(to));

const found = (row: EventRow): NewEvent | DispatchedEvent => (isDispatched(row) ? dispatchedEvent(row) : row.event);

const listed = (row: EventRow): ListedEvent => {
  const { bodyTail: _notListed, ...event } = row.event;
  return isDispatched(row) ? { ...event, timestamp: row.dispatch.timestamp } : event;
};

/** The events in memory. @internal */
export const memoryEvents = (
  { findAccount }: Tables,
  {
    outbox,
    keys,
    wakes,
    clock,
  }: {
    readonly outbox: Outbox;
    readonly keys: UsedKeys;
    readonly wakes: Wakes;
    readonly clock: Clock;
  },
): MemoryEvents => {
  const appendOne = (tx: OpenTransaction, event: NewEvent): AppendOutcome => {
    const key = idempotencyKeyOf(event);
    const owner = key === undefined ? undefined : keys.ownerOf(key, tx);
    if (owner) return { kind: owner.bodyTail === event.bodyTail ? 'replayed' : 'conflict', eventId: owner.id };
    if (key !== undefined) tx.keys.set(key, event);
    tx.appended.push({ event, storedAt: clock.now() });
    return { kind: 'stored' };
  };

  return {
    transaction: async (work, { signal } = {}) => {
      const { tx, end } = openTransaction();
      try {
        const value = await untilAborted(work(tx), signal);
        const shards = outbox.add(tx.appended);
        keys.commit(tx);
        for (const apply of tx.atCommit) apply();
        wakes.wakeEvents(shards, announcedOf(tx.appended));
        return value;
      } finally {
        keys.release(tx);
        end();
      }
    },
    append: async (transaction, appended) => {
      const tx = transaction as OpenTransaction;
      assertOpen(tx);
      const used = appended.map(idempotencyKeyOf).filter((key) => key !== undefined);
      for (const key of [...new Set(used)].sort()) await keys.hold(key, tx);
      const before = tx.appended.length;
      const outcomes = appended.map((event) => appendOne(tx, event));
      if (outcomes.some(({ kind }) => kind === 'conflict')) {
        for (const { event } of tx.appended.splice(before)) tx.keys.delete(idempotencyKeyOf(event) ?? '');
      }
      return outcomes;
    },
    listEvents: async (accountId, page, filter = {}) => {
      const { items, ...rest } = readPage(
        {
          rows: findAccount(accountId)?.events.values() ?? [],
          fits: ({ event, isDropped }) => !isDropped && fitsEvent(event, filter) && isPublishedIn(event, filter),
          cursorOf: ({ position }) => String(position),
          compare: compareNumber(({ position }) => position),
          maxSeen,
        },
        page,
      );
      return { ...rest, items: items.map(listed) };
    },
    findEvent: async (accountId, eventId) => {
      const row = findAccount(accountId)?.events.get(eventId);
      return row && !row.isDropped ? found(row) : undefined;
    },
  };
};
