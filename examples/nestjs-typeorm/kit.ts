import { readFileSync } from 'node:fs';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { joseAccessTokens } from '@partnerkit/node/jose';
import { undiciSender } from '@partnerkit/node/undici';
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
export const sender = undiciSender(ca === undefined ? {} : { development: true, ca: readFileSync(ca, 'utf8') });

export const kit = createPartnerkit({
  accounts: {
    find: async (id) => {
      const account = await dataSource.getRepository(Account).findOneBy({ id });
      return account ? { ...account, status: 'active', environment: 'prod' } : undefined;
    },
  },
  storage: postgresStorage(fromTypeOrm(dataSource)),
  tokens: await joseAccessTokens({
    keys: [JSON.parse(setting('SIGNING_KEY'))],
    issuer: 'https://platform.example',
    audience: 'https://platform.example/api/v1/partner',
  }),
  sender,
  sealingKeys: [{ id: 'k1', key: Buffer.from(setting('SEALING_KEY'), 'base64') }],
  objects: [payment],
  observe: (signal) => console.log(JSON.stringify(signal)),
});
