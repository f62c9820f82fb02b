import { type AppendOutcome, type NewEvent, shardOf } from '@partnerkit/core/ports';
import type { Database, Run } from '../database/database.ts';
import { keys, plannedAnew } from '../database/fragments.ts';
import { insertEvents } from './insert-events.ts';

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

/** Publishes events: rows of the outbox. @internal */
export const appendEvents = <Tx extends object>(database: Database<Tx>, announces: boolean) => {
  const { sql, runIn, transaction } = database;
  const insert = insertEvents(database, announces);
  const findWinners = sql(`
    select k.event_id::text as winner, (k.content = encode(sha256(convert_to(g.body_tail, 'UTF8')), 'hex'))::text as same, g.nth::int as nth
    from unnest(${keys('$1', 'text')}, ${keys('$2', 'text')}, $3::text[]) with ordinality as g(account_id, key, body_tail, nth)
    join partnerkit.idempotency_keys k on k.account_id = g.account_id and k.key = g.key and k.expires_at > now()
    where ${plannedAnew('$3::text[]')}`);
  const dropExpired =
    sql(`delete from partnerkit.idempotency_keys k using unnest(${keys('$1', 'text')}, ${keys('$2', 'text')}) as g(account_id, key)
    where k.account_id = g.account_id and k.key = g.key and k.expires_at <= now() and ${plannedAnew('$1::text[]')}`);
  const undo = sql(`
    with given as materialized (
      select * from unnest(${keys('$1', 'int')}, ${keys('$2', 'text')}, ${keys('$3', 'bigint')}, ${keys('$4', 'uuid')}, ${keys('$5', 'text')})
        as g(shard, account_id, position, id, key)
    ), keys as (
      delete from partnerkit.idempotency_keys k using given g where k.account_id = g.account_id and k.key = g.key and k.event_id = g.id
    )
    delete from partnerkit.outbox o using given g
    where o.shard = g.shard and o.account_id = g.account_id and o.position = g.position and ${plannedAnew('$1::int[]')}`);

  /** Records which events hold the keys that could not be claimed; expired keys can now be claimed. */
  const noteWinners = async (own: Run, events: readonly NewEvent[], outcomes: Outcomes): Promise<void> => {
    const accounts = events.map(({ accountId }) => accountId);
    const names = events.map(({ idempotencyKey = '' }) => idempotencyKey);
    const winners = await own(findWinners, [accounts, names, events.map(({ bodyTail }) => bodyTail)]);
    for (const { winner, same, nth } of winners) {
      const event = events[Number(nth) - 1];
      if (event) outcomes.set(event, { kind: same === 'true' ? 'replayed' : 'conflict', eventId: String(winner) });
    }
    if (winners.length < events.length) await own(dropExpired, [accounts, names]);
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
    if (outcomes.some(({ kind }) => kind === 'conflict')) {
      const mine = [...positions.keys()];
      await own(undo, [
        mine.map(({ accountId }) => shardOf(accountId)),
        mine.map(({ accountId }) => accountId),
        [...positions.values()],
        mine.map(({ id }) => id),
        mine.map(({ idempotencyKey }) => idempotencyKey ?? null),
      ]);
    }
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
