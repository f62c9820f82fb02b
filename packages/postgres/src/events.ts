import { type AppendOutcome, type EventStore, envelopeText, type NewEvent, type StampedEvent } from '@partnerkit/core';
import type { Database, Run } from './database.ts';
import type { SqlRow } from './driver.ts';
import { eventJson, moment } from './fragments.ts';
import { isUuid } from './uuid.ts';
import { asManyAsAsked, mostLookedAt, readWalk, walkStatement } from './walks.ts';

/** An event as it was published, or as it was stamped. */
const eventOf = (json: NewEvent | Omit<StampedEvent, 'body'>): NewEvent | StampedEvent =>
  'timestamp' in json ? { ...json, body: envelopeText(json.timestamp, json.rest) } : json;

/**
 * Wakes workers, in the statement that publishes, and only while one of them sleeps: a commit then waits for no lock of notifications. It is
 * true, and found out once a statement.
 */
const woken = `(select count(pg_notify('partnerkit:due', '')::text)
      from (select from partnerkit.sleepers where expires_at > now() limit 1) sleeper) >= 0`;

const columns =
  'account_id, id, object_name, object_id, type, occurred_at, stored_at, idempotency_key, rest, trace_context, only_to';
const stored: AppendOutcome = { kind: 'stored' };

type Outcomes = Map<NewEvent, AppendOutcome>;

/** What only one event of an account may have. */
const keyOf = ({ id, accountId, idempotencyKey }: NewEvent): string =>
  JSON.stringify(idempotencyKey === undefined ? { id } : { accountId, idempotencyKey });

/** @internal */
export const eventStore = <Tx extends object>({ sql, run, runIn, transaction }: Database<Tx>): EventStore<Tx> => {
  const insertOne = sql(`insert into partnerkit.outbox (${columns})
    select $1, $2::uuid, $3, $4, $5, ${moment('$6')}, clock_timestamp(), null, $7, $8, $9::uuid where ${woken}`);
  // Keys are taken in one order, so that two batches never wait for each other in a circle.
  const insertMany = sql(`
    with given as (
      select account_id, id::uuid, object_name, object_id, type, ${moment("nullif(occurred_at, '')")} as occurred_at, clock_timestamp() as stored_at,
        nullif(idempotency_key, '') as idempotency_key, rest, nullif(trace_context, '') as trace_context, nullif(only_to, '')::uuid as only_to, place
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::text[])
        with ordinality as given(account_id, id, object_name, object_id, type, occurred_at, idempotency_key, rest, trace_context, only_to, place)
    ), keyed as (
      insert into partnerkit.idempotency_keys (account_id, key, event_id, content, expires_at)
      select account_id, idempotency_key, id, encode(sha256(convert_to(rest, 'UTF8')), 'hex'), now() + interval '30 days'
      from given where idempotency_key is not null order by account_id, idempotency_key
      on conflict do nothing
      returning event_id
    )
    insert into partnerkit.outbox (${columns})
    select ${columns} from given
    where ${woken} and (idempotency_key is null or id in (select event_id from keyed)) order by place
    returning id::text as event`);
  const findWinners = sql(`
    select k.event_id::text as winner, (k.content = encode(sha256(convert_to(g.rest, 'UTF8')), 'hex'))::text as same, g.place::int as place
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as g(account_id, key, rest, place)
    join partnerkit.idempotency_keys k on k.account_id = g.account_id and k.key = g.key and k.expires_at > now()`);
  const dropExpired =
    sql(`delete from partnerkit.idempotency_keys k using unnest($1::text[], $2::text[]) as g(account_id, key)
    where k.account_id = g.account_id and k.key = g.key and k.expires_at <= now()`);
  const undo = sql(`
    with keys as (
      delete from partnerkit.idempotency_keys k using unnest($1::text[], $2::text[], $3::text[]) as g(account_id, id, key)
      where k.account_id = g.account_id and k.key = g.key and k.event_id = g.id::uuid
    )
    delete from partnerkit.outbox o using unnest($1::text[], $2::text[]) as g(account_id, id)
    where o.account_id = g.account_id and o.id = g.id::uuid`);
  const find = sql(`
    select ${eventJson('null::bigint')}::text as event from partnerkit.outbox e where e.account_id = $1 and e.id = $2::uuid
    union all
    select ${eventJson('e.second')}::text from partnerkit.events e where e.account_id = $1 and e.id = $2::uuid`);
  // `$5` to `$7` are an object's name and id, and a type, or null for all. Of one object all events are at hand, in an index of their own.
  const walk = (filtered: boolean, ofObject: boolean, newestFirst: boolean): string => {
    const looked = filtered ? mostLookedAt : asManyAsAsked;
    return sql(
      walkStatement(
        [
          {
            rows: `select e.id, e.object_name, e.object_id, e.type, false as dispatched from partnerkit.outbox e where e.account_id = $1`,
            id: 'e.id',
            looked,
          },
          {
            rows: `select e.id, e.object_name, e.object_id, e.type, true as dispatched from ${
              ofObject
                ? '(select * from partnerkit.events where account_id = $1 and object_id = $6::text offset 0) e where true'
                : 'partnerkit.events e where e.account_id = $1'
            }`,
            id: 'e.id',
            looked,
          },
        ],
        {
          columns: 'd.dispatched',
          where: `($5::text is null or d.object_name = $5) and ($6::text is null or d.object_id = $6) and ($7::text is null or d.type = $7)`,
          // Of those that are shown alone: the texts are long.
          shown: `, case when d.dispatched
            then (select ${eventJson('e.second')}::text from partnerkit.events e where e.account_id = $1 and e.id = d.id::uuid)
            else (select ${eventJson('null::bigint')}::text from partnerkit.outbox e where e.account_id = $1 and e.id = d.id::uuid) end as event`,
        },
        newestFirst,
      ),
    );
  };

  const appendOne = (
    own: Run,
    { accountId, id, objectName, objectId, type, occurredAt, rest, traceContext, onlyTo }: NewEvent,
  ) =>
    own(insertOne, [
      accountId,
      id,
      objectName,
      objectId,
      type,
      occurredAt ?? null,
      rest,
      traceContext ?? null,
      onlyTo ?? null,
    ]);

  /** The ids of those that were stored. */
  const insert = async (own: Run, events: readonly NewEvent[]): Promise<ReadonlySet<string>> => {
    const of = (field: (event: NewEvent) => string): string[] => events.map(field);
    const rows = await own(insertMany, [
      of(({ accountId }) => accountId),
      of(({ id }) => id),
      of(({ objectName }) => objectName),
      of(({ objectId }) => objectId),
      of(({ type }) => type),
      of(({ occurredAt }) => String(occurredAt ?? '')),
      of(({ idempotencyKey }) => idempotencyKey ?? ''),
      of(({ rest }) => rest),
      of(({ traceContext }) => traceContext ?? ''),
      of(({ onlyTo }) => onlyTo ?? ''),
    ]);
    return new Set(rows.map(({ event }) => String(event)));
  };

  /** Notes what holds the keys that were not to be had. Those that have expired are to be had now. */
  const noteWinners = async (own: Run, events: readonly NewEvent[], outcomes: Outcomes): Promise<void> => {
    const accounts = events.map(({ accountId }) => accountId);
    const keys = events.map(({ idempotencyKey = '' }) => idempotencyKey);
    const winners = await own(findWinners, [accounts, keys, events.map(({ rest }) => rest)]);
    for (const { winner, same, place } of winners) {
      const event = events[Number(place) - 1];
      if (event) outcomes.set(event, { kind: same === 'true' ? 'replayed' : 'conflict', eventId: String(winner) });
    }
    if (winners.length < events.length) await own(dropExpired, [accounts, keys]);
  };

  /** Stores events that have no key, or each another one. */
  const appendDistinct = async (own: Run, events: readonly NewEvent[]): Promise<Outcomes> => {
    const outcomes: Outcomes = new Map();
    let left = events;
    for (let tries = 1; left.length > 0; tries++) {
      const inserted = await insert(own, left);
      for (const event of left) if (inserted.has(event.id)) outcomes.set(event, stored);
      const missing = left.filter((event) => !outcomes.has(event));
      if (missing.length === 0) break;
      if (tries === 3) throw new Error('partnerkit: an idempotency key changed hands again and again; try once more.');
      await noteWinners(own, missing, outcomes);
      left = missing.filter((event) => !outcomes.has(event));
    }
    return outcomes;
  };

  const append = async (own: Run, events: readonly NewEvent[]): Promise<readonly AppendOutcome[]> => {
    const [only] = events;
    if (only && events.length === 1 && only.idempotencyKey === undefined) {
      await appendOne(own, only);
      return [stored];
    }
    const firsts = new Map(events.toReversed().map((event) => [keyOf(event), event]));
    const firstOf = (event: NewEvent): NewEvent => firsts.get(keyOf(event)) ?? event;
    const distinct = events.filter((event) => firstOf(event) === event);
    const known = await appendDistinct(own, distinct);
    const outcomes = events.map((event): AppendOutcome => {
      const first = firstOf(event);
      const outcome = known.get(first) ?? stored;
      if (first === event) return outcome;
      const kind = outcome.kind !== 'conflict' && event.rest === first.rest ? 'replayed' : 'conflict';
      return { kind, eventId: outcome.kind === 'stored' ? first.id : outcome.eventId };
    });
    if (outcomes.some(({ kind }) => kind === 'conflict')) {
      const mine = distinct.filter((event) => known.get(event) === stored);
      await own(undo, [
        mine.map(({ accountId }) => accountId),
        mine.map(({ id }) => id),
        mine.map(({ idempotencyKey = '' }) => idempotencyKey),
      ]);
    }
    return outcomes;
  };

  const read = ({ event }: SqlRow) => eventOf(JSON.parse(String(event)));
  return {
    append: (tx, events) => append(runIn(tx), events),
    appendAlone: (events) =>
      // Without keys nothing is taken back, and one statement is a transaction.
      events.every(({ idempotencyKey }) => idempotencyKey === undefined)
        ? append(run, events)
        : transaction((tx) => append(runIn(tx), events)),
    findEvent: async (accountId, eventId) => {
      const [row] = isUuid(eventId) ? await run(find, [accountId, eventId]) : [];
      return row && read(row);
    },
    listEvents: (accountId, page, { objectName = null, objectId = null, type = null, from, to } = {}) =>
      readWalk(run, {
        accountId,
        page,
        from,
        to,
        statement: (newestFirst) =>
          walk(
            [objectName, objectId, type].some((value) => value !== null),
            objectId !== null,
            newestFirst,
          ),
        more: [objectName, objectId, type],
        read,
      }),
  };
};
