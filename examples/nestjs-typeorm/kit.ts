import { readFileSync } from 'node:fs';
import { createPartnerkit, defineObject, httpsSender } from '@partnerkit/node';
import { postgresStorage } from '@partnerkit/postgres';
import { fromTypeOrm } from '@partnerkit/postgres/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Account, Payment } from './entities.ts';

/** A setting that must be there. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: see README.md.`);
  return value;
};

export const dataSource = await new DataSource({
  type: 'postgres',
  url: setting('DATABASE_URL'),
  entities: [Account, Payment],
}).initialize();

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
      const account = await dataSource.getRepository(Account).findOneBy({ id });
      return account ? { ...account, status: 'active', environment: 'prod' } : undefined;
    },
  },
  storage: postgresStorage(fromTypeOrm(dataSource)),
  secret: setting('PARTNERKIT_SECRET'),
  origin: 'https://platform.example',
  objects: [payment],
  observe: (signal) => console.log(JSON.stringify(signal)),
  ...development,
});
