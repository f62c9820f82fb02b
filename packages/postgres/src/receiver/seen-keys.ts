import type { DurationMs } from '@partnerkit/core';
import type { SeenClaim, StoredSeenKeys } from '@partnerkit/core/adapter';
import { openDatabase } from '../database/database.ts';
import { duration, plannedAnew } from '../database/fragments.ts';
import { openDriver } from '../database/open-driver.ts';
import type { PostgresOptions } from '../database/options.ts';
import { type Columns, few, type Part, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlDriver } from '../drivers/driver.ts';
import type { PgClient, PgPool } from '../drivers/pg.ts';
import { day } from '../duration.ts';
import { batchCalls } from './batch-calls.ts';
import { storableKey } from './storable-key.ts';

/**
 * Processed keys in PostgreSQL.
 * @public
 */
export type PostgresSeenKeys<Tx extends object> = StoredSeenKeys<Tx>;

/** Maximum number of reads of a key whose row another transaction was changing. */
const maxLooks = 10;

/** The result for a key: `done`, `in_progress` or a lease. */
const claimOf = (answer: unknown): SeenClaim | undefined => {
  if (answer === 'done' || answer === 'in_progress') return { kind: answer };
  return typeof answer === 'string' ? { kind: 'claimed', lease: answer } : undefined;
};

interface Claiming {
  readonly key: string;
  readonly lasts: DurationMs;
}

interface Confirming extends Claiming {
  readonly lease: string;
}

const claimed: Columns<Claiming> = {
  key: ['text', ({ key }) => key],
  lasts: ['float8', ({ lasts }) => lasts],
};
const given = rows('given', claimed);
const confirmed = rows<'given', Confirming>('given', { ...claimed, lease: ['uuid', ({ lease }) => lease] });
const keys = given.column('key');
const anyKey = sql`any(${few(keys)}::text[])`;

/**
 * Claims the new ones of distinct keys. Known keys are left out, because an insert waits for a handler that marks its
 * key in its own transaction. Keys are inserted in one order, so that two statements never deadlock.
 */
const insertNew = <const P extends Part>(more: P) => statement`with known as materialized (
    select key from ${t.seen_keys} where key = ${anyKey}
  )${more}
  insert into ${t.seen_keys} (key, lease, expires_at)
  select key, gen_random_uuid(), now() + ${duration('lasts')} from ${given.as('g')}
  where key not in (select key from known) and ${plannedAnew(keys)} order by key
  on conflict do nothing returning key, lease::text as answer`;

/** One call in four deletes expired keys: the oldest, and more of them than four calls claim. */
const forgetEvery = 4;
const forget = sql`, forgotten as (
    delete from ${t.seen_keys} where key = any(array(
      select key from ${t.seen_keys} where expires_at <= now() and not key = any(${keys}) order by expires_at
      limit 8 * cardinality(${keys}) for update skip locked))
  )`;

const [insert, insertAndForget] = [insertNew(''), insertNew(forget)];

/**
 * Claims distinct keys that existed. Locked rows are skipped: a handler that marks its key in its own transaction may
 * take long. A key whose row is being changed has no result.
 */
const claimKnown = statement`with given as materialized (
    select * from ${given.as('g')}
  ), known as materialized (
    select key, lease is null as done, expires_at > now() as lives from ${t.seen_keys} where key = ${anyKey}
  ), lapsed as materialized (
    select key from ${t.seen_keys}
    where key = any(array(select key from known where not lives)) and expires_at <= now() for update skip locked
  ), taken as (
    update ${t.seen_keys} s set lease = gen_random_uuid(), expires_at = now() + ${duration('g.lasts')}
    from lapsed l join given g on g.key = l.key where s.key = l.key and s.key = ${anyKey} returning s.key, s.lease
  )
  select k.key, coalesce(t.lease::text, case when k.lives then case when k.done then 'done' else 'in_progress' end end) as answer
  from known k left join taken t on t.key = k.key
  where ${plannedAnew(keys)}`;

/**
 * Confirms keys with a current lease. A locked row is skipped: its holder takes over an expired lease, or marks the key
 * as done.
 */
const confirmKeys = statement`with held as materialized (
    select s.key, g.lasts, g.nth
    from ${confirmed.as('g', 'nth')}
    join ${t.seen_keys} s on s.key = g.key and s.lease = g.lease
    where s.key = ${anyKey} for update of s skip locked
  ), confirmed as (
    update ${t.seen_keys} s set lease = null, expires_at = now() + ${duration('h.lasts')} from held h
    where s.key = h.key and s.key = ${anyKey} returning h.nth
  )
  select nth::int as nth from confirmed where ${plannedAnew(keys)}`;

const [key, lease] = [value('key', 'text'), value('lease', 'uuid')];

/** A locked row is being marked in a transaction; if that rolls back, the lease expires by itself. */
const release = statement`delete from ${t.seen_keys} where key = any(array(
  select key from ${t.seen_keys} where key = ${key} and lease = ${lease} for update skip locked))`;

const mark = statement`insert into ${t.seen_keys} as s (key, lease, expires_at)
  values (${key}, null, now() + ${duration(value('lasts', 'float8'))})
  on conflict (key) do update set lease = null, expires_at = excluded.expires_at
  where s.lease is not null or s.expires_at <= now() returning 1`;

/** The conflicting row is locked also when its timestamp is later, so simultaneous calls decide one after the other. */
const advance = statement`insert into ${t.seen_keys} as s (key, expires_at, timestamp)
  values (${key}, now() + ${duration(value('lasts', 'float8'))}, ${value('timestamp', 'bigint')})
  on conflict (key) do update set timestamp = excluded.timestamp, expires_at = excluded.expires_at
  where s.timestamp <= excluded.timestamp or s.expires_at <= now() returning 1`;

/**
 * Processed keys in the receiver's own PostgreSQL, shared by all its processes and kept over restarts. Run the
 * migrations first. Expired keys are deleted a few at a time, by later calls.
 *
 * A handler that marks the event in its own transaction takes effect exactly once, wherever a process dies:
 * @example
 * const seen = postgresSeenKeys(pool);
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen,
 *   on: {
 *     RequestPayment: {
 *       payed: (event) =>
 *         db.transaction(async (client) => {
 *           if (await seen.markIn(client, dedupKey(event))) await payments.markPaid(client, event.data.id);
 *         }),
 *     },
 *   },
 * });
 * @throws TypeError when `pool` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresSeenKeys<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options?: PostgresOptions,
): PostgresSeenKeys<Client>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or
 * your own.
 * @throws TypeError when `driver` is no pool and no driver, or the schema's name is malformed.
 * @public
 */
export function postgresSeenKeys<Tx extends object>(
  driver: SqlDriver<Tx>,
  options?: PostgresOptions,
): PostgresSeenKeys<Tx>;
export function postgresSeenKeys(
  from: PgPool | SqlDriver<object>,
  options: PostgresOptions = {},
): PostgresSeenKeys<object> {
  const { run, runIn } = openDatabase<object>(
    openDriver('postgresSeenKeys', from, options),
    options.schema ?? 'partnerkit',
  );

  let calls = 0;
  const claimBatched = batchCalls<Claiming, SeenClaim | undefined>(async (batch) => {
    // Of simultaneous calls for one key, the first gets the result.
    const lasts = new Map<string, number>();
    for (const each of batch) if (!lasts.has(each.key)) lasts.set(each.key, each.lasts);
    const claims = new Map<string, SeenClaim | undefined>();
    const claim = async (statement: typeof insert): Promise<void> => {
      const given = [...lasts].filter(([key]) => !claims.has(key)).map(([key, lasts]) => ({ key, lasts }));
      if (given.length === 0) return;
      const rows = await run(statement, { given });
      for (const { key, answer } of rows) claims.set(String(key), claimOf(answer));
    };
    await claim(calls++ % forgetEvery === 0 ? insertAndForget : insert);
    await claim(claimKnown);
    return batch.map(({ key }) => {
      const found = claims.get(key);
      if (found?.kind === 'claimed') claims.set(key, { kind: 'in_progress' });
      return found;
    });
  });
  const confirmBatched = batchCalls<Confirming, boolean>(async (batch) => {
    const rows = await run(confirmKeys, { given: batch });
    const places = new Set(rows.map(({ nth }) => Number(nth)));
    return batch.map((_, index) => places.has(index + 1));
  });

  return {
    claim: async (key, lease) => {
      for (let looks = 0; looks < maxLooks; looks++) {
        const claimed = await claimBatched({ key: storableKey(key), lasts: lease });
        if (claimed) return claimed;
      }
      return { kind: 'in_progress' };
    },
    confirm: async (key, lease, keep) => isUuid(lease) && confirmBatched({ key: storableKey(key), lease, lasts: keep }),
    release: async (key, lease) => {
      if (isUuid(lease)) await run(release, { key: storableKey(key), lease });
    },
    markIn: async (tx, key, keep = 35 * day) =>
      (await runIn(tx)(mark, { key: storableKey(key), lasts: keep })).length > 0,
    advanceIn: async (tx, object, timestamp, keep = 35 * day) =>
      (await runIn(tx)(advance, { key: storableKey(object), timestamp, lasts: keep })).length > 0,
  };
}
