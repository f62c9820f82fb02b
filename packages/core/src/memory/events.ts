import type { NewEvent, StampedEvent } from '../events/event.ts';
import type { AppendOutcome, EventFilter, EventStore } from '../events/event-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { firstIdAt } from '../runtime/id.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { createTable } from './table.ts';
import { assertOpen, type MemoryTransaction, type OpenTransaction, openTransaction, waitFor } from './transaction.ts';

/** A committed event that was not dispatched yet. @internal */
export interface PendingEvent {
  readonly event: NewEvent;
  readonly storedAt: EpochMs;
}

/** When an event was dispatched: by the clock, and among the changes of endpoints. @internal */
interface Dispatch {
  readonly at: EpochMs;
  readonly moment: number;
}

/** What dispatch and the public ports share of events. @internal */
export interface MemoryEvents extends EventStore<MemoryTransaction> {
  transaction<T>(work: (tx: MemoryTransaction) => Promise<T>): Promise<T>;
  /** How many wait for a dispatch, of an account or of all. */
  pending(accountId: string | undefined): number;
  /** Takes up to `limit` committed events: accounts in turn, the oldest of each first. */
  takePending(limit: number): readonly PendingEvent[];
  stamped(event: StampedEvent, moment: number): void;
  /** Events of parents, committed. */
  appendCopies(copies: readonly NewEvent[]): void;
  /** When an event was dispatched; absent while it was not. */
  dispatchOf(event: NewEvent): Dispatch | undefined;
  /** Drops up to `most` events, named by `eventKey`, that were dispatched by then and may go, and keys whose time has passed. Says how many events. */
  prune(dispatchedBy: EpochMs, most: number, mayGo: (key: string) => boolean): number;
  /** Calls back after each commit of events; resolves to the way to stop. */
  onCommit(call: () => void): () => void;
}

const keepKeys = 30 * day;
/** How many dispatched events an account's line keeps before they are cut off. */
const maxDispatched = 1_000;
const keyOf = (event: NewEvent): string | undefined =>
  event.idempotencyKey === undefined ? undefined : JSON.stringify([event.accountId, event.idempotencyKey]);

/** A copy has the id of its event, under another account. An id has no blank. @internal */
export const eventKey = ({ id, accountId }: Pick<NewEvent, 'id' | 'accountId'>): string => `${id} ${accountId}`;

/** Whether an event fits; `id` is of what is listed. @internal */
export const fitsEvent = (
  event: NewEvent,
  id: string,
  { objectName = event.objectName, objectId = event.objectId, type = event.type, from, to }: EventFilter,
): boolean =>
  event.objectName === objectName &&
  event.objectId === objectId &&
  event.type === type &&
  (from === undefined || id >= firstIdAt(from)) &&
  (to === undefined || id < firstIdAt(to));

/** @internal */
export const memoryEvents = (clock: Clock): MemoryEvents => {
  const events = createTable<NewEvent | StampedEvent>();
  const used = new Map<string, { readonly event: NewEvent; readonly until: EpochMs }>();
  const holders = new Map<string, OpenTransaction>();
  const watchers = new Set<() => void>();
  /** What each account has waiting, from `next` on; accounts in the order of their turns. */
  const lines = new Map<string, { readonly rows: PendingEvent[]; next: number }>();
  /** When each event was dispatched, in that order. */
  const dispatched = new Map<string, Dispatch>();

  /** The oldest come first. */
  const dropKeys = (): void => {
    for (const [key, { until }] of used) {
      if (until > clock.now()) break;
      used.delete(key);
    }
  };

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

  const add = (rows: readonly PendingEvent[]): void => {
    const keys = new Set(rows.map(({ event }) => eventKey(event)));
    if (keys.size < rows.length || [...keys].some((key) => events.get(key))) throw new Error('The id exists.');
    for (const row of rows) {
      events.insert(eventKey(row.event), row.event);
      const line = lines.get(row.event.accountId);
      if (line) line.rows.push(row);
      else lines.set(row.event.accountId, { rows: [row], next: 0 });
    }
    if (rows.length > 0) for (const call of [...watchers]) call();
  };

  const commit = (tx: OpenTransaction): void => {
    add(tx.appended);
    dropKeys();
    for (const [key, event] of tx.keys) used.set(key, { event, until: clock.now() + keepKeys });
    for (const apply of tx.atCommit) apply();
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
    findEvent: async (accountId, eventId) => events.get(eventKey({ id: eventId, accountId })),
    listEvents: async (accountId, page, filter = {}) =>
      events.page((event) => event.accountId === accountId && fitsEvent(event, event.id, filter), page),
    pending: (accountId) => {
      let count = 0;
      for (const [owner, { rows, next }] of lines) if ((accountId ?? owner) === owner) count += rows.length - next;
      return count;
    },
    takePending: (limit) => {
      const taken: PendingEvent[] = [];
      for (const [accountId, line] of lines) {
        const row = taken.length < limit ? line.rows[line.next] : undefined;
        if (!row) break;
        taken.push(row);
        line.next++;
        // A line that never ends keeps little of what has gone.
        if (line.next === maxDispatched) {
          line.rows.splice(0, maxDispatched);
          line.next = 0;
        }
        // To the end of the turns; this loop comes by again.
        lines.delete(accountId);
        if (line.next < line.rows.length) lines.set(accountId, line);
      }
      return taken;
    },
    stamped: (event, moment) => {
      const key = eventKey(event);
      events.replace(key, event);
      dispatched.set(key, { at: clock.now(), moment });
    },
    appendCopies: (copies) => add(copies.map((event) => ({ event, storedAt: clock.now() }))),
    dispatchOf: (event) => dispatched.get(eventKey(event)),
    prune: (dispatchedBy, most, mayGo) => {
      dropKeys();
      let dropped = 0;
      for (const [key, { at }] of dispatched) {
        if (at > dispatchedBy || dropped === most) break;
        if (!mayGo(key)) continue;
        events.delete(key);
        dispatched.delete(key);
        dropped++;
      }
      return dropped;
    },
    onCommit: (call) => {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  };
};
