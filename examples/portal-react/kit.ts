import { memoryAccessTokens, memoryAccounts } from '@partnerkit/core/memory';
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
  // Tokens of one process; signingKeys and origin make those that several share.
  tokens: memoryAccessTokens(),
  sealingKeys: [{ id: 'k1', key: Buffer.from(setting('SEALING_KEY'), 'base64') }],
  objects: [payment],
});
