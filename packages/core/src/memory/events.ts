import type { NewEvent, StampedEvent } from '../events/event.ts';
import type { AppendOutcome, EventStore } from '../events/event-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { createTable } from './table.ts';
import { type MemoryTransaction, type OpenTransaction, openTransaction, waitFor } from './transaction.ts';

/** A committed event that was not dispatched yet. @internal */
export interface PendingEvent {
  readonly event: NewEvent;
  readonly storedAt: EpochMs;
}

/** What dispatch and the public ports share of events. @internal */
export interface MemoryEvents extends EventStore<MemoryTransaction> {
  transaction<T>(work: (tx: MemoryTransaction) => Promise<T>): Promise<T>;
  /** Takes up to `limit` committed events out of the line. */
  takePending(limit: number): readonly PendingEvent[];
  stamped(event: StampedEvent): void;
  /** Calls back after each commit of events; resolves to the way to stop. */
  onCommit(call: () => void): () => void;
}

const keepKeys = 30 * day;
const keyOf = (event: NewEvent): string | undefined =>
  event.idempotencyKey === undefined ? undefined : JSON.stringify([event.accountId, event.idempotencyKey]);

const assertOpen = (tx: OpenTransaction): void => {
  if (!tx.open) throw new TypeError('memoryStorage: this transaction has ended, or is not one of memoryStorage.');
};

/** @internal */
export const memoryEvents = (clock: Clock): MemoryEvents => {
  const events = createTable<NewEvent | StampedEvent>();
  const used = new Map<string, { readonly event: NewEvent; readonly until: EpochMs }>();
  const holders = new Map<string, OpenTransaction>();
  const watchers = new Set<() => void>();
  let pending: PendingEvent[] = [];

  /** The event that a key belongs to: of an earlier commit, or of this transaction. */
  const ownerOf = (key: string, tx: OpenTransaction): NewEvent | undefined => {
    const known = used.get(key);
    return tx.keys.get(key) ?? (known && known.until > clock.now() ? known.event : undefined);
  };

  const appendOne = (tx: OpenTransaction, event: NewEvent): AppendOutcome => {
    const key = keyOf(event);
    const owner = key === undefined ? undefined : ownerOf(key, tx);
    if (owner) return { kind: owner.rest === event.rest ? 'replayed' : 'conflict', eventId: owner.id };
    if (key !== undefined) tx.keys.set(key, event);
    tx.appended.push({ event, storedAt: clock.now() });
    return { kind: 'stored' };
  };

  /** Waits for whoever used the key first and has not ended; then holds it. */
  const hold = async (key: string, tx: OpenTransaction): Promise<void> => {
    for (let holder = holders.get(key); holder && holder !== tx; holder = holders.get(key)) await waitFor(holder, tx);
    assertOpen(tx);
    holders.set(key, tx);
  };

  const commit = (tx: OpenTransaction): void => {
    const ids = new Set(tx.appended.map(({ event }) => event.id));
    if (ids.size < tx.appended.length || [...ids].some((id) => events.get(id))) throw new Error('The id exists.');
    for (const row of tx.appended) {
      events.insert(row.event.id, row.event);
      pending.push(row);
    }
    // The oldest come first.
    for (const [key, { until }] of used) {
      if (until > clock.now()) break;
      used.delete(key);
    }
    for (const [key, event] of tx.keys) used.set(key, { event, until: clock.now() + keepKeys });
    if (tx.appended.length > 0) for (const call of [...watchers]) call();
  };

  return {
    transaction: async (work) => {
      const { tx, end } = openTransaction();
      try {
        const value = await work(tx);
        commit(tx);
        return value;
      } finally {
        for (const [key, holder] of holders) if (holder === tx) holders.delete(key);
        end();
      }
    },
    append: async (transaction, appended) => {
      const tx = transaction as OpenTransaction;
      assertOpen(tx);
      const keys = appended.map(keyOf).filter((key) => key !== undefined);
      for (const key of [...new Set(keys)].sort()) await hold(key, tx);
      const rows = tx.appended.length;
      const outcomes = appended.map((event) => appendOne(tx, event));
      if (outcomes.some(({ kind }) => kind === 'conflict')) {
        for (const { event } of tx.appended.splice(rows)) tx.keys.delete(keyOf(event) ?? '');
      }
      return outcomes;
    },
    findEvent: async (accountId, eventId) => {
      const event = events.get(eventId);
      return event?.accountId === accountId ? event : undefined;
    },
    listEvents: async (accountId, page) => events.page((event) => event.accountId === accountId, page),
    takePending: (limit) => {
      const taken = pending.slice(0, limit);
      pending = pending.slice(limit);
      return taken;
    },
    stamped: (event) => events.replace(event.id, event),
    onCommit: (call) => {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  };
};
