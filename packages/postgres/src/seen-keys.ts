import { type DurationMs, day, type SeenClaim, type SeenKeys } from '@partnerkit/core';
import { openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import type { PgClient, PgPool } from './drivers/pg.ts';
import { duration } from './fragments.ts';
import { openDriver } from './open-driver.ts';
import { storableKey } from './storable-key.ts';
import type { PostgresOptions } from './storage.ts';
import { together } from './together.ts';
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

/** A key whose row another was about to claim, confirm or remove is asked for again. */
const maxLooks = 10;

/** What `claim_keys` answers of a key: `done`, `busy` or a lease. Nothing while another transaction holds its row. */
const claimOf = (answer: string | null | undefined): SeenClaim | undefined => {
  if (answer === 'done') return { kind: 'done' };
  if (answer === 'busy') return { kind: 'in_progress' };
  return answer ? { kind: 'claimed', lease: answer } : undefined;
};

interface Claiming {
  readonly key: string;
  readonly lasts: DurationMs;
}

interface Confirming extends Claiming {
  readonly lease: string;
}

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
 *         db.transaction(async (client) => {
 *           if (await seen.markIn(client, dedupKey(event))) await payments.markPaid(client, event.data.id);
 *         }),
 *     },
 *   },
 * });
 * @throws TypeError when it is handed no pool and no driver, or the schema's name is none.
 * @public
 */
export function postgresSeenKeys(pool: PgPool, options?: PostgresOptions): PostgresSeenKeys<PgClient>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or one of your own.
 * @throws TypeError when it is handed no pool and no driver, or the schema's name is none.
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
  const { sql, runCommitted, runIn } = openDatabase<object>(
    openDriver('postgresSeenKeys', from, options),
    options.schema ?? 'partnerkit',
  );
  const claim = sql('select partnerkit.claim_keys($1::text[], ($2::text[])::float8[])::text as answer');
  const confirm = sql(
    'select partnerkit.confirm_keys($1::text[], ($2::text[])::uuid[], ($3::text[])::float8[])::text as answer',
  );
  // Whoever has locked it marks it in a transaction; should that roll back, the lease lapses by itself.
  const release = sql(`delete from partnerkit.seen_keys where ctid = any(array(
    select ctid from partnerkit.seen_keys where key = $1 and lease = $2::uuid for update skip locked))`);
  const mark =
    sql(`insert into partnerkit.seen_keys as s (key, lease, expires_at) values ($1, null, now() + ${duration('$2')})
    on conflict (key) do update set lease = null, expires_at = excluded.expires_at
    where s.lease is not null or s.expires_at <= now() returning 1`);

  const ask = async <T>(statement: string, ...lists: readonly (readonly string[])[]): Promise<T> => {
    const [row] = await runCommitted(statement, lists);
    return JSON.parse(String(row?.['answer']));
  };

  const claimTogether = together<Claiming, SeenClaim | undefined>(async (asked) => {
    // Of those that ask for one key at once the first gets what there is.
    const lasts = new Map<string, string>();
    for (const each of asked) if (!lasts.has(each.key)) lasts.set(each.key, String(each.lasts));
    const keys = [...lasts.keys()];
    const answers = await ask<readonly (string | null)[]>(claim, keys, [...lasts.values()]);
    const claims = new Map(keys.map((key, place) => [key, claimOf(answers[place])]));
    return asked.map(({ key }) => {
      const found = claims.get(key);
      if (found?.kind === 'claimed') claims.set(key, { kind: 'in_progress' });
      return found;
    });
  });
  const confirmTogether = together<Confirming, boolean>(async (asked) => {
    const [keys, leases, lasts] = [
      asked.map(({ key }) => key),
      asked.map(({ lease }) => lease),
      asked.map((each) => String(each.lasts)),
    ];
    const places = new Set(await ask<readonly number[]>(confirm, keys, leases, lasts));
    return asked.map((_, index) => places.has(index + 1));
  });

  return {
    claim: async (key, lease) => {
      for (let looks = 0; looks < maxLooks; looks++) {
        const claimed = await claimTogether({ key: storableKey(key), lasts: lease });
        if (claimed) return claimed;
      }
      return { kind: 'in_progress' };
    },
    confirm: async (key, lease, keep) =>
      isUuid(lease) && confirmTogether({ key: storableKey(key), lease, lasts: keep }),
    release: async (key, lease) => {
      if (isUuid(lease)) await runCommitted(release, [storableKey(key), lease]);
    },
    markIn: async (tx, key, keep = 35 * day) => (await runIn(tx)(mark, [storableKey(key), keep])).length > 0,
  };
}
