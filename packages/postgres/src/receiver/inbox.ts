import type { InboxEntry, StoredInbox } from '@partnerkit/core/adapter';
import { openDatabase } from '../database/database.ts';
import { duration } from '../database/fragments.ts';
import { openDriver } from '../database/open-driver.ts';
import type { PostgresOptions } from '../database/options.ts';
import { type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlDriver, SqlRow } from '../drivers/driver.ts';
import type { PgClient, PgPool } from '../drivers/pg.ts';
import { day } from '../duration.ts';
import { storableKey } from './storable-key.ts';

/**
 * An inbox in PostgreSQL.
 * @public
 */
export type PostgresInbox<Tx extends object> = StoredInbox<Tx>;

const [key, lease, time] = [value('key', 'text'), value('lease', 'uuid'), duration(value('time', 'float8'))];
const limit = value('limit', 'int');

/** Known keys are read first: a row may be locked for as long as its handler's transaction takes. */
const keep = statement`
  with forgotten as (
    delete from ${t.inbox} where key = any(array(
      select key from ${t.inbox} where state = 'done' and at <= now() and key <> ${key} order by at limit 2
      for update skip locked))
  )
  insert into ${t.inbox} as i (key, state, at, attempts, body)
  select ${key}, 'waiting', now(), 0, ${value('body', 'text')}
  where not exists (select 1 from ${t.inbox} k where k.key = ${key} and (k.state <> 'done' or k.at > now()))
  on conflict (key) do update set state = 'waiting', at = now(), attempts = 0, body = excluded.body
    where i.state = 'done' and i.at <= now()
  returning 1`;

const claim = statement`
  with due as materialized (
    select array_agg(d.key order by d.at) as keys from (
      select key, at from ${t.inbox} where state = 'waiting' and at <= now() order by at limit ${limit}
      for update skip locked) d
  )
  update ${t.inbox} set lease = gen_random_uuid(), attempts = attempts + 1, at = now() + ${time}
  where key = any((select keys from due)::text[])
  returning key, body, attempts, lease::text as lease, array_position((select keys from due), key) as place`;

const settle = <const P extends Part>(set: P) =>
  statement`update ${t.inbox} set lease = null, ${set} where key = ${key} and lease = ${lease} returning 1`;
const done = settle(sql`state = 'done', body = '', at = now() + ${time}`);
const retry = settle(sql`at = now() + ${time}`);
const deadLetter = settle("state = 'dead_lettered', at = now()");

const completeIn = statement`
  insert into ${t.inbox} as i (key, state, at, attempts, body) values (${key}, 'done', now() + ${time}, 0, '')
  on conflict (key) do update set state = 'done', lease = null, body = '', at = excluded.at
    where i.state <> 'done' or i.at <= now()
  returning 1`;

/** The conflicting row is locked also when its timestamp is later, so simultaneous calls decide one after the other. */
const advanceIn = statement`
  insert into ${t.inbox} as i (key, state, at, attempts, body, timestamp)
  values (${key}, 'done', now() + ${time}, 0, '', ${value('timestamp', 'bigint')})
  on conflict (key) do update set timestamp = excluded.timestamp, at = excluded.at
    where i.timestamp <= excluded.timestamp or i.at <= now()
  returning 1`;

/** In one order, so that two calls for the same keys never deadlock. */
const requeue = statement`
  update ${t.inbox} set state = 'waiting', at = now(), attempts = 0
  where key = any(array(
    select key from ${t.inbox} where key = any(${value('keys', 'text[]')}) and state = 'dead_lettered' order by key for update))
  returning 1`;

const count = statement`
  select (select count(*) from ${t.inbox} where state = 'waiting')::int as waiting,
    (select count(*) from ${t.inbox} where state = 'dead_lettered')::int as dead,
    greatest(0, extract(epoch from now() - (select min(at) from ${t.inbox} where state = 'waiting')) * 1000)::float8 as oldest`;

const listDeadLetters = statement`
  select key, body, attempts from ${t.inbox} where state = 'dead_lettered' order by at limit ${limit}`;

const entryOf = (row: SqlRow): InboxEntry => ({
  key: String(row['key']),
  body: String(row['body']),
  attempt: Number(row['attempts']),
  lease: String(row['lease']),
});

/**
 * An inbox in the receiver's own PostgreSQL, shared by all its processes. Run the migrations first. Expired keys are
 * deleted a few at a time, by later calls.
 *
 * A handler that marks the event in its own transaction takes effect exactly once, wherever a process dies:
 * @example
 * const inbox = postgresInbox(pool);
 * const worker = createInboxWorker({
 *   inbox,
 *   on: {
 *     RequestPayment: {
 *       payed: (event) =>
 *         db.transaction(async (client) => {
 *           if (await inbox.completeIn(client, dedupKey(event))) await payments.markPaid(client, event.data.id);
 *         }),
 *     },
 *   },
 * });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @throws TypeError when `pool` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresInbox<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options?: PostgresOptions,
): PostgresInbox<Client>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or
 * your own.
 * @throws TypeError when `driver` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresInbox<Tx extends object>(driver: SqlDriver<Tx>, options?: PostgresOptions): PostgresInbox<Tx>;
export function postgresInbox(from: PgPool | SqlDriver<object>, options: PostgresOptions = {}): PostgresInbox<object> {
  const { run, runIn } = openDatabase<object>(
    openDriver('postgresInbox', from, options),
    options.schema ?? 'partnerkit',
  );

  const holds = async (lease: string, change: () => Promise<readonly SqlRow[]>): Promise<boolean> =>
    isUuid(lease) && (await change()).length > 0;

  return {
    enqueue: async (key, body) => (await run(keep, { key: storableKey(key), body })).length > 0,
    claim: async (limit, lease) => {
      const taken = await run(claim, { limit, time: lease });
      return taken.toSorted((a, b) => Number(a['place']) - Number(b['place'])).map(entryOf);
    },
    complete: (key, lease, time) => holds(lease, () => run(done, { key: storableKey(key), lease, time })),
    retry: (key, lease, wait) => holds(lease, () => run(retry, { key: storableKey(key), lease, time: wait })),
    deadLetter: (key, lease) => holds(lease, () => run(deadLetter, { key: storableKey(key), lease })),
    requeue: async (keys) => (await run(requeue, { keys: keys.map(storableKey) })).length,
    stats: async (limit) => {
      const [[counted], deadLetters] = await Promise.all([run(count), run(listDeadLetters, { limit })]);
      return {
        waiting: Number(counted?.['waiting']),
        oldestDueMs: Number(counted?.['oldest']),
        deadLettered: Number(counted?.['dead']),
        deadLetters: deadLetters.map(entryOf).map(({ key, body, attempt }) => ({ key, body, attempts: attempt })),
      };
    },
    completeIn: async (tx, key, time = 35 * day) =>
      (await runIn(tx)(completeIn, { key: storableKey(key), time })).length > 0,
    advanceIn: async (tx, object, timestamp, time = 35 * day) =>
      (await runIn(tx)(advanceIn, { key: storableKey(object), timestamp, time })).length > 0,
  };
}
