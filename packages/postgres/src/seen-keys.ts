import type { SeenKeys } from '@partnerkit/core';
import { openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import { fromPg, type PgPool } from './drivers/pg.ts';
import { duration } from './fragments.ts';
import type { PostgresOptions } from './storage.ts';
import { isUuid } from './uuid.ts';

/** When the key is released, or forgotten, between two looks at it, it is looked at again. */
const mostLooks = 10;

/**
 * What a receiver has processed, in PostgreSQL: shared by all its processes, and kept over restarts.
 * @example
 * const receiver = createReceiver({ secrets, seen: postgresSeenKeys(pool), on });
 * @throws TypeError when the schema's name is none.
 * @public
 */
export const postgresSeenKeys = (
  from: PgPool | SqlDriver<object>,
  { schema = 'partnerkit' }: PostgresOptions = {},
): SeenKeys => {
  const { sql, run } = openDatabase<object>('queryIn' in from ? from : fromPg(from), schema);
  // Nothing is held as long as a key is not done: \`lease\` is null once it is.
  const claim = sql(`insert into partnerkit.seen_keys as s (key, lease, expires_at)
    values ($1, gen_random_uuid(), now() + ${duration('$2')})
    on conflict (key) do update set lease = excluded.lease, expires_at = excluded.expires_at where s.expires_at <= now()
    returning lease::text as lease`);
  const look = sql('select lease is null as done from partnerkit.seen_keys where key = $1 and expires_at > now()');
  const confirm = sql(`update partnerkit.seen_keys set lease = null, expires_at = now() + ${duration('$3')}
    where key = $1 and lease = $2::uuid returning 1`);
  const release = sql('delete from partnerkit.seen_keys where key = $1 and lease = $2::uuid');

  return {
    claim: async (key, lease) => {
      for (let looks = 0; looks < mostLooks; looks++) {
        const [claimed] = await run(claim, [key, lease]);
        if (claimed) return { kind: 'claimed', lease: String(claimed['lease']) };
        const [known] = await run(look, [key]);
        if (known) return { kind: known['done'] === true ? 'done' : 'busy' };
      }
      return { kind: 'busy' };
    },
    confirm: async (key, lease, keep) => isUuid(lease) && (await run(confirm, [key, lease, keep])).length > 0,
    release: async (key, lease) => {
      if (isUuid(lease)) await run(release, [key, lease]);
    },
  };
};
