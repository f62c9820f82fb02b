import { sha256 } from '../../../base/crypto/sha256.ts';
import { compareBytes } from '../../../base/runtime/byte-order.ts';
import { day, type EpochMs } from '../../../base/runtime/time.ts';
import type { NewEvent } from '../../../webhooks/events/event.ts';
import type { AppendOutcome } from '../../../webhooks/events/event-store.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import type { ShardWake } from '../../../webhooks/shards/shard-store.ts';
import type { StoreWake } from '../../../webhooks/shards/wakes.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RowOf, Table } from '../port/table.ts';
import { type EventRow, events, idempotencyKeys, outbox } from '../tables/events.ts';
import { announcedEvent, eventRow, outboxRow } from './event-rows.ts';

const keepKeys = 30 * day;
/** Maximum number of events of a transaction that are announced. */
const maxAnnounced = 8;

type KeyRow = RowOf<typeof idempotencyKeys>;
type KeyedEvent = NewEvent & { readonly idempotencyKey: string };

const isKeyed = (event: NewEvent): event is KeyedEvent => event.idempotencyKey !== undefined;
const keyRow = ({ accountId, idempotencyKey: key, id: eventId, bodyTail }: KeyedEvent, now: EpochMs): KeyRow => ({
  accountId,
  key,
  eventId,
  content: sha256(bodyTail),
  expiresAt: now + keepKeys,
});
const inOrder = (a: KeyRow, b: KeyRow): number => compareBytes(a.accountId, b.accountId) || compareBytes(a.key, b.key);

interface Claimed {
  /** Who has each key. */
  readonly owners: ReadonlyMap<string, KeyRow>;
  /** The keys that these events used first. */
  readonly fresh: readonly KeyRow[];
}

/** Claims the keys of events, in the order of the keys. */
function* claimKeys(rows: RowTx, appended: readonly NewEvent[], now: EpochMs): Plan<Claimed> {
  const owners = new Map<string, KeyRow>();
  for (const event of appended.filter(isKeyed)) {
    const name = nameIn(event.accountId, event.idempotencyKey);
    if (!owners.has(name)) owners.set(name, keyRow(event, now));
  }
  if (owners.size === 0) return { owners, fresh: [] };
  const wanted = [...owners.values()].sort(inOrder);
  const added = yield* rows.insert(idempotencyKeys, wanted, 'ignore');
  const used = wanted.filter((_, index) => !added[index]);
  const held = yield* rows.get(
    idempotencyKeys,
    used.map(({ accountId, key }) => [accountId, key]),
    'update',
  );
  const renewed = used.filter((_, index) => (held[index]?.expiresAt ?? 0) <= now);
  yield* rows.put(idempotencyKeys, renewed);
  for (const row of held) if (row && row.expiresAt > now) owners.set(nameIn(row.accountId, row.key), row);
  return { owners, fresh: [...wanted.filter((_, index) => added[index]), ...renewed] };
}

const outcomeOf = (event: NewEvent, { owners }: Claimed): AppendOutcome => {
  const owner = isKeyed(event) ? owners.get(nameIn(event.accountId, event.idempotencyKey)) : undefined;
  if (!owner || owner.eventId === event.id) return { kind: 'stored' };
  return { kind: owner.content === sha256(event.bodyTail) ? 'replayed' : 'conflict', eventId: owner.eventId };
};

/** The wake for new events, with each of them if they are few. */
const wakeOf = (made: readonly EventRow[]): ShardWake => {
  const shards = [...new Set(made.map(({ accountId }) => shardOf(accountId)))];
  const announced = made.length > maxAnnounced ? [] : made.map(announcedEvent).filter((event) => event !== undefined);
  return announced.length === made.length ? { kind: 'events', shards, announced } : { kind: 'events', shards };
};

/**
 * The rows of new events, and what wakes workers for them.
 * @public
 */
export interface AppendedRows {
  /** The tables and their new rows, in the order in which they are inserted. */
  readonly inserts: readonly { readonly table: Table; readonly rows: readonly object[] }[];
  /** Wakes workers after the commit. */
  readonly wake: StoreWake;
}

/**
 * The rows of new events without idempotency keys, for stores that insert them by one statement.
 * @param storedAt - The time of the store's clock, in milliseconds since 1970.
 * @example
 * const rowsOf = (events: readonly NewEvent[]) => appendedRows(events, Date.now()).inserts;
 * @public
 */
export const appendedRows = (appended: readonly NewEvent[], storedAt: EpochMs): AppendedRows => {
  const made = appended.map((event) => eventRow(event, storedAt));
  return {
    inserts: [
      { table: events, rows: made },
      { table: outbox, rows: made.map(outboxRow) },
    ],
    wake: wakeOf(made),
  };
};

/** Publishes events. */
export function* appendEvents(rows: RowTx, appended: readonly NewEvent[]): Plan<readonly AppendOutcome[]> {
  if (appended.length === 0) return [];
  const now = yield* rows.now();
  const claimed = yield* claimKeys(rows, appended, now);
  const outcomes = appended.map((event) => outcomeOf(event, claimed));
  if (outcomes.some(({ kind }) => kind === 'conflict')) {
    // The transaction goes on without these events, so their keys are free.
    yield* rows.delete(
      idempotencyKeys,
      claimed.fresh.map(({ accountId, key }) => [accountId, key]),
    );
    return outcomes;
  }
  const made = appended.filter((_, index) => outcomes[index]?.kind === 'stored').map((event) => eventRow(event, now));
  if (made.length === 0) return outcomes;
  yield* rows.insert(events, made, 'fail');
  yield* rows.insert(outbox, made.map(outboxRow), 'fail');
  yield* rows.wake(wakeOf(made));
  return outcomes;
}
