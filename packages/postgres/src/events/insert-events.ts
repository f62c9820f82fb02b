import { type NewEvent, shardOf } from '@partnerkit/core/ports';
import type { Database, Run } from '../database/database.ts';
import { isWorkerIdle, moment, ms, wakes } from '../database/fragments.ts';
import type { SqlRow, SqlValue } from '../drivers/driver.ts';
import { announcementOf } from '../waking/announcement.ts';
import { createWaker } from '../waking/waker.ts';

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
/** The parameter after those of the columns: shards, or the begin of an announcement. */
const payload = `$${columns.length + 1}::text`;
/** An announcement ends with the time when the event was stored. */
const whole = `case when left(${payload}, 1) = '[' then ${payload} || ${ms('m.now')}::bigint || '}]' else ${payload} end`;

const names = each(({ name }) => name);
const insertInto = (value: (column: Column, parameter: string) => string): string =>
  `insert into partnerkit.outbox (stored_at, ${names})
    select m.now, ${each((column, parameter) => {
      const written = value(column, parameter);
      return column === occurredAt ? moment(written) : written;
    })}`;
/** One moment for the row and its announcement. */
const moments = '(select clock_timestamp() as now) m';
const insertGiven = insertInto(({ name }) => name);
const given = `unnest(${each(({ type }, parameter) => `${parameter}::${type}[]`)})`;

const insertOne = `${insertInto(({ type }, parameter) => `${parameter}::${type}`)} from ${moments}`;
const insertMany = `${insertGiven} from ${given} as given(${names}), ${moments}`;
const idle = `${isWorkerIdle}::text as idle`;

const shardsOf = (events: readonly NewEvent[]): ReadonlySet<number> =>
  new Set(events.map(({ accountId }) => shardOf(accountId)));

const boundTo = (events: readonly NewEvent[]) => {
  const [only] = events;
  return columns.map(({ of }) => (only && events.length === 1 ? of(only) : events.map(of)));
};

/** Inserts rows of the outbox, and wakes workers. @internal */
export const insertEvents = <Tx extends object>(database: Database<Tx>, announces: boolean) => {
  const { sql, run } = database;
  const wake = createWaker(database);
  const alone = { one: sql(`${insertOne} where ${wakes(whole)}`), many: sql(`${insertMany} where ${wakes(payload)}`) };
  const joined = {
    one: sql(`${insertOne} returning ${idle}, ${ms('stored_at')} as stored`),
    many: sql(`with stored as (${insertMany}) select ${idle}`),
  };
  // Keys are claimed in one order, so that two batches never deadlock.
  const keyed = sql(`
    with given as materialized (
      select * from ${given} with ordinality as given(${names}, nth)
    ), keyed as (
      insert into partnerkit.idempotency_keys (account_id, key, event_id, content, expires_at)
      select account_id, idempotency_key, id, encode(sha256(convert_to(body_tail, 'UTF8')), 'hex'), now() + interval '30 days'
      from given where idempotency_key is not null order by account_id, idempotency_key
      on conflict do nothing
      returning event_id
    )
    ${insertGiven} from given, ${moments}
    where idempotency_key is null or id in (select event_id from keyed) order by nth
    returning id::text as event, position::text as position, ${idle}, ${ms('stored_at')} as stored`);

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
      const statement = events.length === 1 ? alone.one : alone.many;
      const begin = announcement(events);
      await run(statement, [...boundTo(events), begin ? `[${begin}` : [...shardsOf(events)].join(',')]);
    },
    /** Events without keys, in the host's transaction. */
    joined: async (own: Run, events: readonly NewEvent[]): Promise<void> =>
      wakeIfIdle(await own(events.length === 1 ? joined.one : joined.many, boundTo(events)), events),
    /** The positions of stored events, by id. Events whose key is taken are not stored. */
    keyed: async (own: Run, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>> => {
      const rows = await own(
        keyed,
        columns.map(({ of }) => events.map(of)),
      );
      wakeIfIdle(rows, events);
      return new Map(rows.map(({ event, position }) => [String(event), String(position)]));
    },
  };
};
