import { type NewEvent, shardOf } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { isWorkerIdle, ms, wakes } from '../database/fragments.ts';
import { row, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { announcementOf } from '../waking/announcement.ts';
import { createWaker } from '../waking/waker.ts';
import { eventColumns, outboxColumns } from './event-columns.ts';

/** What a notification of the same commit says: shards, or the begin of an announcement. */
const payload = value('payload', 'text');
/** An announcement ends with the time when the event was stored. */
const whole = sql`case when left(${payload}, 1) = '[' then ${payload} || ${ms('m.now')}::bigint || '}]' else ${payload} end`;

const [one, many] = [row('event', eventColumns), rows('events', eventColumns)];
const [onePlace, places] = [row('event', outboxColumns), rows('events', outboxColumns)];
/** One moment for the row and its announcement. */
const moments = '(select clock_timestamp() as now) m';
const insertInto = sql`insert into ${t.events} (stored_at, ${one.names})`;
const insertOne = sql`${insertInto} select m.now, ${one.stored} from ${moments}`;
const insertGiven = sql`${insertInto} select m.now, ${many.stored}`;
const insertMany = sql`${insertGiven} from ${many.as('given')}, ${moments}`;
const insertPlaces = sql`insert into ${t.outbox} (shard, account_id, event_id, object_hash)`;
const placeOne = sql`${insertPlaces} values (${onePlace.stored})`;
const placeMany = sql`${insertPlaces} select ${places.stored} from ${places.as('places')}`;
const idle = sql`${isWorkerIdle}::text as idle`;

/** In a transaction of its own. */
const alone = {
  one: statement`with placed as (${placeOne}) ${insertOne} where ${wakes(whole)}`,
  many: statement`with placed as (${placeMany}) ${insertMany} where ${wakes(payload)}`,
};

/** In the host's transaction. */
const joined = {
  one: statement`with placed as (${placeOne}) ${insertOne} returning ${idle}, ${ms('stored_at')} as stored`,
  many: statement`with placed as (${placeMany}), stored as (${insertMany}) select ${idle}`,
};

/**
 * The end of a statement in the host's transaction that begins with a CTE `written`: the events are stored if that has
 * a row. Returns a row if it has one.
 */
export const withWritten = {
  one: sql`, placed as (${insertPlaces} select ${onePlace.stored} from written)
    ${insertInto} select m.now, ${one.stored} from written, ${moments} returning ${idle}, ${ms('stored_at')} as stored`,
  many: sql`, placed as (${insertPlaces} select ${places.stored} from ${places.as('places')}, written),
    stored as (${insertMany}, written)
    select ${idle} from written`,
};

/** Keys are claimed in one order, so that two batches never deadlock. */
const keyed = statement`
  with given as materialized (
    select * from ${many.as('given', 'nth')}
  ), keyed as (
    insert into ${t.idempotency_keys} (account_id, key, event_id, content, expires_at)
    select account_id, idempotency_key, id, encode(sha256(convert_to(body_tail, 'UTF8')), 'hex'), now() + interval '30 days'
    from given where idempotency_key is not null order by account_id, idempotency_key
    on conflict do nothing
    returning event_id
  ), stored as (
    ${insertGiven} from given, ${moments}
    where idempotency_key is null or id in (select event_id from keyed)
    returning id, stored_at
  ), placed as (
    ${insertPlaces} select ${places.stored} from ${places.as('places', 'nth')}
    where id in (select id from stored) order by nth
    returning event_id, position
  )
  select p.event_id::text as event, p.position::text as position, ${idle}, ${ms('s.stored_at')} as stored
  from placed p join stored s on s.id = p.event_id`;

const shardsOf = (events: readonly NewEvent[]): ReadonlySet<number> =>
  new Set(events.map(({ accountId }) => shardOf(accountId)));

/** What {@link insertEvents} returns. */
export type InsertEvents = ReturnType<typeof insertEvents>;

/** Inserts events with their rows of the outbox, and wakes workers. */
export const insertEvents = <Tx extends object>(database: Database<Tx>, announces: boolean) => {
  const { run } = database;
  const wake = createWaker(database);

  const announcement = ([event, ...others]: readonly NewEvent[]): string | undefined =>
    announces && event && others.length === 0 ? announcementOf(event) : undefined;
  const wakeIfIdle = ([row]: readonly SqlRow[], events: readonly NewEvent[]): void => {
    if (row?.['idle'] !== 'true') return;
    const begin = announcement(events);
    wake(shardsOf(events), begin && `${begin}${Number(row['stored'])}}`);
  };

  return {
    /** Events without keys, in a transaction of their own, whose commit wakes workers. */
    alone: async (events: readonly NewEvent[]): Promise<void> => {
      const begin = announcement(events);
      const payload = begin ? `[${begin}` : [...shardsOf(events)].join(',');
      const [event, ...others] = events;
      if (event && others.length === 0) await run(alone.one, { event, payload });
      else await run(alone.many, { events, payload });
    },
    /** Events without keys, in the host's transaction. */
    joined: async (own: Run, events: readonly NewEvent[]): Promise<void> => {
      const [event, ...others] = events;
      const isOne = event && others.length === 0;
      wakeIfIdle(await (isOne ? own(joined.one, { event }) : own(joined.many, { events })), events);
    },
    /** Wakes workers for events that a statement with {@link withWritten} has stored. */
    wake: wakeIfIdle,
    /** The positions of stored events, by id. Events whose key is taken are not stored. */
    keyed: async (own: Run, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>> => {
      const rows = await own(keyed, { events });
      wakeIfIdle(rows, events);
      return new Map(rows.map(({ event, position }) => [String(event), String(position)]));
    },
  };
};
