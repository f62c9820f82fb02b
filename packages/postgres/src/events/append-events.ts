import { type AppendOutcome, type NewEvent, shardOf } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { type Columns, rows, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { InsertEvents } from './insert-events.ts';

const stored: AppendOutcome = { kind: 'stored' };

type Outcomes = Map<NewEvent, AppendOutcome>;
/** Positions in the outbox. */
type Positions = Map<NewEvent, string>;

/** What only one event of an account may have: its id or its idempotency key. */
const keyOf = ({ id, accountId, idempotencyKey }: NewEvent): string =>
  JSON.stringify(idempotencyKey === undefined ? { id } : { accountId, idempotencyKey });

/** Whether no event can be refused: none has a key, and no two have one id. */
const isPlain = (events: readonly NewEvent[]): boolean =>
  events.every(({ idempotencyKey }) => idempotencyKey === undefined) &&
  new Set(events.map(({ id }) => id)).size === events.length;

const keyColumns: Columns<NewEvent> = {
  account_id: ['text', ({ accountId }) => accountId],
  key: ['text', ({ idempotencyKey = '' }) => idempotencyKey],
};
/** Events whose keys could not be claimed. */
const keyed = rows('events', keyColumns);
const withBodies = rows('events', { ...keyColumns, body_tail: ['text', ({ bodyTail }: NewEvent) => bodyTail] });

const findWinners = statement`
  select k.event_id::text as winner, (k.content = encode(sha256(convert_to(g.body_tail, 'UTF8')), 'hex'))::text as same, g.nth::int as nth
  from ${withBodies.few('g', 'nth')}
  join ${t.idempotency_keys} k on k.account_id = g.account_id and k.key = g.key and k.expires_at > now()
  where ${plannedAnew(withBodies.column('body_tail'))}`;

const dropExpired = statement`delete from ${t.idempotency_keys} k using ${keyed.few('g')}
  where k.account_id = g.account_id and k.key = g.key and k.expires_at <= now() and ${plannedAnew(keyed.column('key'))}`;

/** A stored event, with its position in the outbox. */
type Placed = readonly [NewEvent, string];
const placed = rows('placed', {
  shard: ['int', ([{ accountId }]: Placed) => shardOf(accountId)],
  account_id: ['text', ([{ accountId }]: Placed) => accountId],
  position: ['bigint', ([, position]: Placed) => position],
  id: ['uuid', ([{ id }]: Placed) => id],
  key: ['text', ([{ idempotencyKey }]: Placed) => idempotencyKey ?? null],
});

const undo = statement`
  with given as materialized (
    select * from ${placed.few('g')}
  ), keys as (
    delete from ${t.idempotency_keys} k using given g where k.account_id = g.account_id and k.key = g.key and k.event_id = g.id
  ), events as (
    delete from ${t.events} e using given g where e.account_id = g.account_id and e.id = g.id
  )
  delete from ${t.outbox} o using given g
  where o.shard = g.shard and o.account_id = g.account_id and o.position = g.position and ${plannedAnew(placed.column('shard'))}`;

/** Publishes events, each with its row of the outbox. */
export const appendEvents = <Tx extends object>(database: Database<Tx>, insert: InsertEvents) => {
  const { runIn, transaction } = database;

  /** Records which events hold the keys that could not be claimed; expired keys can now be claimed. */
  const noteWinners = async (own: Run, events: readonly NewEvent[], outcomes: Outcomes): Promise<void> => {
    const winners = await own(findWinners, { events });
    for (const { winner, same, nth } of winners) {
      const event = events[Number(nth) - 1];
      if (event) outcomes.set(event, { kind: same === 'true' ? 'replayed' : 'conflict', eventId: String(winner) });
    }
    if (winners.length < events.length) await own(dropExpired, { events });
  };

  /** Stores events without keys or with distinct keys, and records their positions. */
  const appendDistinct = async (own: Run, events: readonly NewEvent[], positions: Positions): Promise<Outcomes> => {
    const outcomes: Outcomes = new Map();
    let left = events;
    for (let tries = 1; left.length > 0; tries++) {
      const inserted = await insert.keyed(own, left);
      for (const event of left) {
        const position = inserted.get(event.id);
        if (position === undefined) continue;
        outcomes.set(event, stored);
        positions.set(event, position);
      }
      const missing = left.filter((event) => !outcomes.has(event));
      if (missing.length === 0) break;
      if (tries === 3) throw new Error('partnerkit: an idempotency key changed hands again and again; try once more.');
      await noteWinners(own, missing, outcomes);
      left = missing.filter((event) => !outcomes.has(event));
    }
    return outcomes;
  };

  const append = async (own: Run, events: readonly NewEvent[]): Promise<readonly AppendOutcome[]> => {
    if (isPlain(events)) {
      await insert.joined(own, events);
      return events.map(() => stored);
    }
    const firsts = new Map(events.toReversed().map((event) => [keyOf(event), event]));
    const firstOf = (event: NewEvent): NewEvent => firsts.get(keyOf(event)) ?? event;
    const distinct = events.filter((event) => firstOf(event) === event);
    const positions: Positions = new Map();
    const known = await appendDistinct(own, distinct, positions);
    const outcomes = events.map((event): AppendOutcome => {
      const first = firstOf(event);
      const outcome = known.get(first) ?? stored;
      if (first === event) return outcome;
      const kind = outcome.kind !== 'conflict' && event.bodyTail === first.bodyTail ? 'replayed' : 'conflict';
      return { kind, eventId: outcome.kind === 'stored' ? first.id : outcome.eventId };
    });
    if (outcomes.some(({ kind }) => kind === 'conflict')) await own(undo, { placed: [...positions] });
    return outcomes;
  };

  return {
    append: (tx: Tx, events: readonly NewEvent[]): Promise<readonly AppendOutcome[]> => append(runIn(tx), events),
    appendAlone: async (events: readonly NewEvent[]): Promise<readonly AppendOutcome[]> => {
      if (!isPlain(events)) return transaction((tx) => append(runIn(tx), events));
      await insert.alone(events);
      return events.map(() => stored);
    },
  };
};
