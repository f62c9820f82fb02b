import { type AppendOutcome, type NewEvent, shardOf } from '@partnerkit/core/ports';
import type { Database, Run } from './database.ts';
import type { SqlValue } from './driver.ts';
import { keys, moment, plannedAnew, wakes } from './fragments.ts';

/** A column of the outbox. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly of: (event: NewEvent) => SqlValue;
}

const occurredAt: Column = { name: 'occurred_at', type: 'float8', of: (event) => event.occurredAt ?? null };
const columns: readonly Column[] = [
  { name: 'shard', type: 'int', of: ({ accountId }) => shardOf(accountId) },
  { name: 'account_id', type: 'text', of: ({ accountId }) => accountId },
  { name: 'id', type: 'uuid', of: ({ id }) => id },
  { name: 'object_name', type: 'text', of: ({ objectName }) => objectName },
  { name: 'object_id', type: 'text', of: ({ objectId }) => objectId },
  { name: 'type', type: 'text', of: ({ type }) => type },
  occurredAt,
  { name: 'idempotency_key', type: 'text', of: ({ idempotencyKey }) => idempotencyKey ?? null },
  { name: 'body_tail', type: 'text', of: ({ bodyTail }) => bodyTail },
  { name: 'trace_context', type: 'text', of: ({ traceContext }) => traceContext ?? null },
  { name: 'only_to', type: 'uuid', of: ({ onlyTo }) => onlyTo ?? null },
  { name: 'origin', type: 'text', of: ({ origin }) => origin ?? null },
];

/** For each column, a text made from it and its parameter, `$1` for the first. */
const each = (write: (column: Column, parameter: string) => string): string =>
  columns.map((column, place) => write(column, `$${place + 1}`)).join(', ');
/** The parameter after those of the columns. */
const shards = `$${columns.length + 1}::text`;

const names = each(({ name }) => name);
const insertInto = (value: (column: Column, parameter: string) => string): string =>
  `insert into partnerkit.outbox (stored_at, ${names})
    select clock_timestamp(), ${each((column, parameter) => {
      const written = value(column, parameter);
      return column === occurredAt ? moment(written) : written;
    })}`;
const insertGiven = insertInto(({ name }) => name);
const given = `unnest(${each(({ type }, parameter) => `${parameter}::${type}[]`)})`;

const stored: AppendOutcome = { kind: 'stored' };

type Outcomes = Map<NewEvent, AppendOutcome>;
/** Positions in the outbox. */
type Positions = Map<NewEvent, string>;

/** What only one event of an account may have: its id or its idempotency key. */
const keyOf = ({ id, accountId, idempotencyKey }: NewEvent): string =>
  JSON.stringify(idempotencyKey === undefined ? { id } : { accountId, idempotencyKey });

const areDistinct = (events: readonly NewEvent[]): boolean =>
  new Set(events.map(({ id }) => id)).size === events.length;

/** Publishes events: rows of the outbox. @internal */
export const appendEvents = <Tx extends object>({ sql }: Database<Tx>) => {
  const insertOne = sql(`${insertInto(({ type }, parameter) => `${parameter}::${type}`)} where ${wakes(shards)}`);
  const insertMany = sql(`${insertGiven} from ${given} as given(${names}) where ${wakes(shards)}`);
  // Keys are claimed in one order, so that two batches never deadlock.
  const insertKeyed = sql(`
    with given as materialized (
      select * from ${given} with ordinality as given(${names}, nth)
    ), keyed as (
      insert into partnerkit.idempotency_keys (account_id, key, event_id, content, expires_at)
      select account_id, idempotency_key, id, encode(sha256(convert_to(body_tail, 'UTF8')), 'hex'), now() + interval '30 days'
      from given where idempotency_key is not null order by account_id, idempotency_key
      on conflict do nothing
      returning event_id
    )
    ${insertGiven} from given
    where ${wakes(shards)} and (idempotency_key is null or id in (select event_id from keyed)) order by nth
    returning id::text as event, position::text as position`);
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

  const insert = (own: Run, statement: string, events: readonly NewEvent[]) => {
    const bound = columns.map(({ of }) => events.map(of));
    return own(statement, [...bound, [...new Set(bound[0])].join(',')]);
  };

  /** Events without keys: nothing else can hold what they hold. */
  const insertPlain = (own: Run, events: readonly NewEvent[]) => {
    const [only] = events;
    if (!only || events.length > 1) return insert(own, insertMany, events);
    return own(insertOne, [...columns.map(({ of }) => of(only)), String(shardOf(only.accountId))]);
  };

  /** The positions of stored events, by id. */
  const insertWithKeys = async (own: Run, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await insert(own, insertKeyed, events);
    return new Map(rows.map(({ event, position }) => [String(event), String(position)]));
  };

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
      const inserted = await insertWithKeys(own, left);
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
    if (events.every(({ idempotencyKey }) => idempotencyKey === undefined) && areDistinct(events)) {
      await insertPlain(own, events);
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

  return append;
};
