import { readFileSync } from 'node:fs';
import { createPartnerkit, defineObject, httpsSender } from '@partnerkit/node';
import { postgresStorage } from '@partnerkit/postgres';
import pg from 'pg';
import { z } from 'zod';

/** A setting that must be there. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: see README.md.`);
  return value;
};

// `next dev` loads this file again after each change: the pool stays.
const kept = globalThis as { pool?: pg.Pool };
export const pool = kept.pool ?? new pg.Pool({ connectionString: setting('DATABASE_URL') });
if (!kept.pool) {
  // A lost connection is no reason to end: the next query opens another one.
  pool.on('error', (cause) => console.error(cause));
  pool.on('connect', (client) => client.on('error', (cause) => console.error(cause)));
  kept.pool = pool;
}

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string() }),
  groups: { summary: ['status'] },
  events: { default: ['summary'] },
});

const ca = process.env['DEVELOPMENT_CA'];
const development = ca && { sender: httpsSender({ development: true, ca: readFileSync(ca, 'utf8') }) };

export const kit = createPartnerkit({
  accounts: {
    find: async (id) => {
      const { rows } = await pool.query('select id, name from accounts where id = $1', [id]);
      return rows[0] && { ...rows[0], status: 'active', environment: 'prod' };
    },
  },
  storage: postgresStorage(pool),
  secret: setting('PARTNERKIT_SECRET'),
  origin: 'https://platform.example',
  objects: [payment],
  observe: (signal) => console.log(JSON.stringify(signal)),
  ...development,
});
