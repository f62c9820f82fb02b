import { createHash } from 'node:crypto';
import { type DurationMs, day, type SeenKeys } from '@partnerkit/core';
import { openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import { fromPg, type PgClient, type PgPool } from './drivers/pg.ts';
import { duration } from './fragments.ts';
import type { PostgresOptions } from './storage.ts';
import { isUuid } from './uuid.ts';

/**
 * What a receiver has processed, in PostgreSQL.
 * @public
 */
export interface PostgresSeenKeys<Tx extends object> extends SeenKeys {
  /**
   * Marks a key as processed inside the handler's own transaction: what the handler does and that it was done are one. `false` when it
   * was processed before: then do nothing. Two that come at once wait for each other. Kept 35 days, unless told otherwise (milliseconds).
   */
  markIn(tx: Tx, key: string, keep?: DurationMs): Promise<boolean>;
}

/** What a sender may write into a key has no bound; what an index holds has one. */
const storable = (key: string): string =>
  key.length <= 600 && !key.includes('\0') ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** When the key is released, or forgotten, between two looks at it, it is looked at again. */
const mostLooks = 10;

/**
 * What a receiver has processed, in the receiver's own PostgreSQL: shared by all its processes, and kept over restarts. Run the migrations
 * there first. Keys whose time has passed are removed a few at a time, by those that come.
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
 *         inTransaction(async (client) => {
 *           if (await seen.markIn(client, dedupKey(event))) await orders.markPaid(client, event.data.id);
 *         }),
 *     },
 *   },
 * });
 * @throws TypeError when the schema's name is none.
 * @public
 */
export function postgresSeenKeys(pool: PgPool, options?: PostgresOptions): PostgresSeenKeys<PgClient>;
/**
 * Over a driver: `fromPg`, `fromKysely`, `fromPostgresJs`, or one of your own.
 * @throws TypeError when the schema's name is none.
 * @public
 */
export function postgresSeenKeys<Tx extends object>(
  driver: SqlDriver<Tx>,
  options?: PostgresOptions,
): PostgresSeenKeys<Tx>;
export function postgresSeenKeys(
  from: PgPool | SqlDriver<object>,
  { schema = 'partnerkit' }: PostgresOptions = {},
): PostgresSeenKeys<object> {
  const { sql, run, runIn } = openDatabase<object>('queryIn' in from ? from : fromPg(from), schema);
  // `lease` is null once the key is done.
  const claim = sql(`
    with forgotten as (
      delete from partnerkit.seen_keys where ctid = any(array(
        select ctid from partnerkit.seen_keys where expires_at <= now() and key <> $1 order by expires_at limit 2
        for update skip locked))
    )
    insert into partnerkit.seen_keys as s (key, lease, expires_at)
    values ($1, gen_random_uuid(), now() + ${duration('$2')})
    on conflict (key) do update set lease = excluded.lease, expires_at = excluded.expires_at where s.expires_at <= now()
    returning lease::text as lease`);
  const look = sql(
    'select (lease is null)::text as done from partnerkit.seen_keys where key = $1 and expires_at > now()',
  );
  const confirm = sql(`update partnerkit.seen_keys set lease = null, expires_at = now() + ${duration('$3')}
    where key = $1 and lease = $2::uuid returning 1`);
  const release = sql('delete from partnerkit.seen_keys where key = $1 and lease = $2::uuid');
  const mark =
    sql(`insert into partnerkit.seen_keys as s (key, lease, expires_at) values ($1, null, now() + ${duration('$2')})
    on conflict (key) do update set lease = null, expires_at = excluded.expires_at
    where s.lease is not null or s.expires_at <= now() returning 1`);

  return {
    claim: async (key, lease) => {
      for (let looks = 0; looks < mostLooks; looks++) {
        const [claimed] = await run(claim, [storable(key), lease]);
        if (claimed) return { kind: 'claimed', lease: String(claimed['lease']) };
        const [known] = await run(look, [storable(key)]);
        if (known) return { kind: known['done'] === 'true' ? 'done' : 'busy' };
      }
      return { kind: 'busy' };
    },
    confirm: async (key, lease, keep) => isUuid(lease) && (await run(confirm, [storable(key), lease, keep])).length > 0,
    release: async (key, lease) => {
      if (isUuid(lease)) await run(release, [storable(key), lease]);
    },
    markIn: async (tx, key, keep = 35 * day) => (await runIn(tx)(mark, [storable(key), keep])).length > 0,
  };
}
