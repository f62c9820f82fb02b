import { tmpdir } from 'node:os';
import { minute } from '@partnerkit/core/time';
import { migrate, postgresSeenKeys } from '@partnerkit/postgres';
import { startPostgres } from '@partnerkit/testing/services';
import pg from 'pg';
import type { Figure } from '../measure.ts';
import { settings } from '../postgres/servers.ts';
import { figure, inTurns, rateOf, type Side } from '../postgres/turns.ts';
import { claimAndConfirm } from './claim-and-confirm.ts';
import { each, inFlight, newKeys } from './keys.ts';

const count = 6_400;

const unnest = {
  name: 'unnest',
  text: `insert into bare (key, lease, expires_at)
    select key, gen_random_uuid(), now() + interval '1 minute' from unnest($1::text[]) key
    on conflict do nothing returning key, lease::text as lease`,
};

/** Simultaneous webhooks are claimed in one statement, against that statement written by hand. */
export async function* postgres(): AsyncGenerator<Figure> {
  const server = await startPostgres({ folder: tmpdir(), settings });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  try {
    await migrate(pool);
    await pool.query('create table bare (like partnerkit.seen_keys including all)');
    const seen = postgresSeenKeys(pool);
    const side =
      (take: (keys: readonly string[]) => Promise<void>): Side =>
      () => {
        const keys = newKeys(count);
        return rateOf(count, () => take(keys));
      };
    const rates = await inTurns(
      {
        bare: side(async (keys) => {
          for (let from = 0; from < count; from += inFlight)
            await pool.query({ ...unnest, values: [keys.slice(from, from + inFlight)] });
        }),
        claimed: side((keys) => each(keys, async (key) => seen.claim(key, minute))),
        confirmed: side((keys) => each(keys, (key) => claimAndConfirm(seen, key))),
      },
      9,
    );
    yield figure('PostgreSQL: claim, of a bare insert of 64', 0.7, rates.claimed, rates.bare);
    yield figure('PostgreSQL: claim + confirm, of the same', 0, rates.confirmed, rates.bare);
  } finally {
    await pool.end();
    await server.stop();
  }
}
