import { readFileSync } from 'node:fs';
import { createPartnerkit, defineObject, httpsSender } from '@partnerkit/node';
import { fromPg, postgresStorage } from '@partnerkit/postgres';
import { fromDrizzle } from '@partnerkit/postgres/drizzle';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { z } from 'zod';
import { accounts } from './schema.ts';

/** A setting that must be there. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: see README.md.`);
  return value;
};

export const pool = new pg.Pool({ connectionString: setting('DATABASE_URL') });
// A lost connection is no reason to end: the next query opens another one.
pool.on('error', (cause) => console.error(cause));
pool.on('connect', (client) => client.on('error', (cause) => console.error(cause)));
export const db = drizzle(pool);

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
      const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
      return account && { ...account, status: 'active', environment: 'prod' };
    },
  },
  storage: postgresStorage(fromDrizzle(db, { listen: fromPg(pool) })),
  secret: setting('PARTNERKIT_SECRET'),
  origin: 'https://platform.example',
  objects: [payment],
  observe: (signal) => console.log(JSON.stringify(signal)),
  ...development,
});
