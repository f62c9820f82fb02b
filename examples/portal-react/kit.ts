import { memoryAccounts } from '@partnerkit/core/memory';
import { createPartnerkit, defineObject } from '@partnerkit/node';
import { sqliteStorage } from '@partnerkit/sqlite';
import { z } from 'zod';

/** A setting that must be there. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: see README.md.`);
  return value;
};

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string() }),
  groups: { summary: ['status'] },
  events: { default: ['summary'] },
});

export const storage = sqliteStorage(process.env['DATABASE'] ?? 'settings.db');

export const kit = createPartnerkit({
  // Your table of accounts.
  accounts: memoryAccounts([{ id: 'acc_bellerive', name: 'Bellerive', status: 'active', environment: 'prod' }]),
  storage,
  secret: setting('PARTNERKIT_SECRET'),
  origin: 'https://platform.example',
  objects: [payment],
});
