import { tmpdir } from 'node:os';
import { minute } from '@partnerkit/core';
import { migrate, postgresSeenKeys } from '@partnerkit/postgres';
import { startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf, thisProcess } from '../meter.ts';
import { settings } from '../postgres/servers.ts';
import { meterServer } from '../postgres/spent.ts';
import type { Sized } from '../sizes.ts';
import { claimAndConfirm } from './claim-and-confirm.ts';
import { each, inFlight, newKeys } from './keys.ts';

const unnest = {
  name: 'unnest',
  text: `insert into bare (key, lease, expires_at)
    select key, gen_random_uuid(), now() + interval '1 minute' from unnest($1::text[]) key
    on conflict do nothing returning key, lease::text as lease`,
};

/** Simultaneous webhooks are claimed in one statement, against that statement written by hand. */
export async function* postgres(sized: Sized): AsyncGenerator<Line> {
  const count = sized(6_400, 2 * inFlight);
  const server = await startPostgres({ folder: tmpdir(), settings });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const meter = await meterServer(server.url);
  try {
    await migrate(pool);
    await pool.query('create table bare (like partnerkit.seen_keys including all)');
    const seen = postgresSeenKeys(pool);
    const rowsIn = async (table: string): Promise<number> =>
      Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);
    const side =
      (table: string, take: (keys: readonly string[]) => Promise<void>): Side =>
      async () => {
        const keys = newKeys(count);
        const before = await rowsIn(table);
        const sample = await metered(() => rateOf(count, () => take(keys)), [thisProcess], meter);
        expectCount(`New rows of ${table}`, (await rowsIn(table)) - before, count);
        return sample;
      };
    const rates = await inTurns(
      {
        'bare insert': side('bare', async (keys) => {
          for (let from = 0; from < count; from += inFlight)
            await pool.query({ ...unnest, values: [keys.slice(from, from + inFlight)] });
        }),
        claim: side('partnerkit.seen_keys', (keys) => each(keys, async (key) => seen.claim(key, minute))),
        'claim and confirm': side('partnerkit.seen_keys', (keys) => each(keys, (key) => claimAndConfirm(seen, key))),
      },
      sized(9, 1),
    );
    const bare = rates['bare insert'];
    yield compared('PostgreSQL: claim', rates.claim, 'a bare insert of 64', bare, atLeast(1));
    yield compared('PostgreSQL: claim and confirm', rates['claim and confirm'], 'a bare insert of 64', bare);
  } finally {
    await meter.end();
    await pool.end();
    await server.stop();
  }
}
