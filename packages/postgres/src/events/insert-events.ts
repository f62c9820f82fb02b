import { type NewEvent, shardOf } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { isWorkerIdle, ms, wakes } from '../database/fragments.ts';
import { row, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { byUsual } from '../database/usual.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { announcementOf } from '../waking/announcement.ts';
import { createWaker } from '../waking/waker.ts';
import { eventColumns, outboxColumns, usualEvent } from './event-columns.ts';

/** What a notification of the same commit says: shards, or the begin of an announcement. */
const payload = value('payload', 'text');
/** An announcement ends with the time when the event was stored. */
const whole = sql`case when left(${payload}, 1) = '[' then ${payload} || ${ms('m.now')}::bigint || '}]' else ${payload} end`;

const [onePlace, places] = [row('event', outboxColumns), rows('events', outboxColumns)];
/** One moment for the row and its announcement. */
const moments = '(select clock_timestamp() as now) m';
const insertPlaces = sql`insert into ${t.outbox} (shard, account_id, event_id, object_hash)`;
const placed = {
  one: sql`placed as (${insertPlaces} values (${onePlace.stored}))`,
  many: sql`placed as (${insertPlaces} select ${places.stored} from ${places.as('places')})`,
};
const idle = sql`${isWorkerIdle}::text as idle`;

const all = rows('events', eventColumns);
const insertInto = sql`insert into ${t.events} (stored_at, ${all.names})`;

/** One event. */
const one = byUsual(eventColumns, usualEvent, (constants) => {
  const event = row('event', eventColumns, constants);
  return {
    /** In a transaction of its own. */
    alone: statement`with ${placed.one} ${insertInto} select m.now, ${event.stored} from ${moments} where ${wakes(whole)}`,
    /** In the host's transaction. */
    joined: statement`with ${placed.one} ${insertInto} values (clock_timestamp(), ${event.stored})
      returning ${idle}, ${ms('stored_at')} as stored`,
  };
});

/** Several events. */
const many = byUsual(eventColumns, usualEvent, (constants) => {
  const events = rows('events', eventColumns, constants);
  const insert = sql`${insertInto} select (select clock_timestamp()), ${events.stored} from ${events.as('given')}`;
  return {
    /** In a transaction of its own. */
    alone: statement`with ${placed.many} ${insert} where ${wakes(payload)}`,
    /** In the host's transaction. */
    joined: statement`with ${placed.many}, stored as (${insert}) select ${idle}`,
  };
});

const event = row('event', eventColumns);

/**
 * The end of a statement in the host's transaction that begins with a CTE `written`: the events are stored if that has
 * a row. Returns a row if it has one.
 */
export const withWritten = {
  one: sql`, placed as (${insertPlaces} select ${onePlace.stored} from written)
    ${insertInto} select m.now, ${event.stored} from written, ${moments} returning ${idle}, ${ms('stored_at')} as stored`,
  many: sql`, placed as (${insertPlaces} select ${places.stored} from ${places.as('places')}, written),
    stored as (${insertInto} select m.now, ${all.stored} from ${all.as('given')}, ${moments}, written)
    select ${idle} from written`,
};

/** Keys are claimed in one order, so that two batches never deadlock. */
const keyed = statement`
  with given as materialized (
    select * from ${all.as('given', 'nth')}
  ), keyed as (
    insert into ${t.idempotency_keys} (account_id, key, event_id, content, expires_at)
    select account_id, idempotency_key, id, encode(sha256(convert_to(body_tail, 'UTF8')), 'hex'), now() + interval '30 days'
    from given where idempotency_key is not null order by account_id, idempotency_key
    on conflict do nothing
    returning event_id
  ), stored as (
    ${insertInto} select m.now, ${all.stored} from given, ${moments}
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
      if (event && others.length === 0) await run(one(events).alone, { event, payload });
      else await run(many(events).alone, { events, payload });
    },
    /** Events without keys, in the host's transaction. */
    joined: async (own: Run, events: readonly NewEvent[]): Promise<void> => {
      const [event, ...others] = events;
      const isOne = event && others.length === 0;
      const stored = isOne ? own(one(events).joined, { event }) : own(many(events).joined, { events });
      wakeIfIdle(await stored, events);
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
