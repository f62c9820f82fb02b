import { readFileSync } from 'node:fs';
import { createPartnerkit, defineObject, httpsSender } from '@partnerkit/node';
import { fromPg, postgresStorage } from '@partnerkit/postgres';
import { fromPrisma } from '@partnerkit/postgres/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { z } from 'zod';
import { PrismaClient } from './generated/client.ts';

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
export const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

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
      const account = await prisma.account.findUnique({ where: { id } });
      return account ? { ...account, status: 'active', environment: 'prod' } : undefined;
    },
  },
  storage: postgresStorage(fromPrisma(prisma, { listen: fromPg(pool) })),
  secret: setting('PARTNERKIT_SECRET'),
  origin: 'https://platform.example',
  objects: [payment],
  observe: (signal) => console.log(JSON.stringify(signal)),
  ...development,
});
