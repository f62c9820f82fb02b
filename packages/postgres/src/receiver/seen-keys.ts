import type { SeenClaim, SeenKeys } from '@partnerkit/core/receiver';
import { type DurationMs, day } from '@partnerkit/core/time';
import { openDatabase } from '../database/database.ts';
import { keys as boundKeys, duration, plannedAnew } from '../database/fragments.ts';
import { openDriver } from '../database/open-driver.ts';
import type { PostgresOptions } from '../database/options.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlDriver } from '../drivers/driver.ts';
import type { PgClient, PgPool } from '../drivers/pg.ts';
import { batchCalls } from './batch-calls.ts';
import { storableKey } from './storable-key.ts';

/**
 * Processed keys in PostgreSQL.
 * @public
 */
export interface PostgresSeenKeys<Tx extends object> extends SeenKeys {
  /**
   * Marks a key as processed inside the handler's transaction, so that both commit together.
   *
   * - Returns `false` when it was processed before: then do nothing.
   * - Simultaneous calls for one key wait for each other.
   * - `keep`: how long the key is stored, in milliseconds. @defaultValue 35 days
   */
  markIn(tx: Tx, key: string, keep?: DurationMs): Promise<boolean>;
}

/** Maximum number of reads of a key whose row another transaction was changing. */
const maxLooks = 10;

/** The result for a key: `done`, `in_progress` or a lease. */
const claimOf = (answer: unknown): SeenClaim | undefined => {
  if (answer === 'done' || answer === 'in_progress') return { kind: answer };
  return typeof answer === 'string' ? { kind: 'claimed', lease: answer } : undefined;
};

/** The given keys. */
const someKeys = `${boundKeys('$1', 'text')}::text[]`;

/**
 * Claims the new ones of distinct keys. Known keys are left out, because an insert waits for a handler that marks its
 * key in its own transaction. Keys are inserted in one order, so that two statements never deadlock.
 */
const insertNew = (more: string): string => `with known as materialized (
    select key from partnerkit.seen_keys where key = any(${someKeys})
  )${more}
  insert into partnerkit.seen_keys (key, lease, expires_at)
  select key, gen_random_uuid(), now() + ${duration('lasts')} from unnest($1::text[], $2::float8[]) as g(key, lasts)
  where key not in (select key from known) and ${plannedAnew('$1::text[]')} order by key
  on conflict do nothing returning key, lease::text as answer`;

/**
 * Claims distinct keys that existed. Locked rows are skipped: a handler that marks its key in its own transaction may
 * take long. A key whose row is being changed has no result.
 */
const claimKnown = `with given as materialized (
    select * from unnest($1::text[], $2::float8[]) as g(key, lasts)
  ), known as materialized (
    select key, lease is null as done, expires_at > now() as lives from partnerkit.seen_keys where key = any(${someKeys})
  ), lapsed as materialized (
    select key from partnerkit.seen_keys
    where key = any(array(select key from known where not lives)) and expires_at <= now() for update skip locked
  ), taken as (
    update partnerkit.seen_keys s set lease = gen_random_uuid(), expires_at = now() + ${duration('g.lasts')}
    from lapsed l join given g on g.key = l.key where s.key = l.key and s.key = any(${someKeys}) returning s.key, s.lease
  )
  select k.key, coalesce(t.lease::text, case when k.lives then case when k.done then 'done' else 'in_progress' end end) as answer
  from known k left join taken t on t.key = k.key
  where ${plannedAnew('$1::text[]')}`;

/** One call in four deletes expired keys: the oldest, and more of them than four calls claim. */
const forgetEvery = 4;
const forget = `, forgotten as (
    delete from partnerkit.seen_keys where key = any(array(
      select key from partnerkit.seen_keys where expires_at <= now() and not key = any($1::text[]) order by expires_at
      limit 8 * cardinality($1::text[]) for update skip locked))
  )`;

/**
 * Confirms keys with a current lease. A locked row is skipped: its holder takes over an expired lease, or marks the key
 * as done.
 */
const confirmKeys = `with held as materialized (
    select s.key, g.lasts, g.nth
    from unnest($1::text[], $2::uuid[], $3::float8[]) with ordinality as g(key, lease, lasts, nth)
    join partnerkit.seen_keys s on s.key = g.key and s.lease = g.lease
    where s.key = any(${someKeys}) for update of s skip locked
  ), confirmed as (
    update partnerkit.seen_keys s set lease = null, expires_at = now() + ${duration('h.lasts')} from held h
    where s.key = h.key and s.key = any(${someKeys}) returning h.nth
  )
  select nth::int as nth from confirmed where ${plannedAnew('$1::text[]')}`;

interface Claiming {
  readonly key: string;
  readonly lasts: DurationMs;
}

interface Confirming extends Claiming {
  readonly lease: string;
}

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
  const { sql, run, runIn } = openDatabase<object>(
    openDriver('postgresSeenKeys', from, options),
    options.schema ?? 'partnerkit',
  );
  const [insert, insertAndForget] = [sql(insertNew('')), sql(insertNew(forget))];
  const claimExisting = sql(claimKnown);
  const confirm = sql(confirmKeys);
  // A locked row is being marked in a transaction; if that rolls back, the lease expires by itself.
  const release = sql(`delete from partnerkit.seen_keys where key = any(array(
    select key from partnerkit.seen_keys where key = $1 and lease = $2::uuid for update skip locked))`);
  const mark =
    sql(`insert into partnerkit.seen_keys as s (key, lease, expires_at) values ($1, null, now() + ${duration('$2')})
    on conflict (key) do update set lease = null, expires_at = excluded.expires_at
    where s.lease is not null or s.expires_at <= now() returning 1`);

  let calls = 0;
  const claimBatched = batchCalls<Claiming, SeenClaim | undefined>(async (batch) => {
    // Of simultaneous calls for one key, the first gets the result.
    const lasts = new Map<string, number>();
    for (const each of batch) if (!lasts.has(each.key)) lasts.set(each.key, each.lasts);
    const claims = new Map<string, SeenClaim | undefined>();
    const claim = async (statement: string): Promise<void> => {
      const keys = [...lasts.keys()].filter((key) => !claims.has(key));
      if (keys.length === 0) return;
      const rows = await run(statement, [keys, keys.map((key) => lasts.get(key) ?? 0)]);
      for (const { key, answer } of rows) claims.set(String(key), claimOf(answer));
    };
    await claim(calls++ % forgetEvery === 0 ? insertAndForget : insert);
    await claim(claimExisting);
    return batch.map(({ key }) => {
      const found = claims.get(key);
      if (found?.kind === 'claimed') claims.set(key, { kind: 'in_progress' });
      return found;
    });
  });
  const confirmBatched = batchCalls<Confirming, boolean>(async (batch) => {
    const rows = await run(confirm, [
      batch.map(({ key }) => key),
      batch.map(({ lease }) => lease),
      batch.map((each) => each.lasts),
    ]);
    const confirmed = new Set(rows.map(({ nth }) => Number(nth)));
    return batch.map((_, index) => confirmed.has(index + 1));
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
      if (isUuid(lease)) await run(release, [storableKey(key), lease]);
    },
    markIn: async (tx, key, keep = 35 * day) => (await runIn(tx)(mark, [storableKey(key), keep])).length > 0,
  };
}
