// A process of a host that gives commands until it is killed. Its hook writes one row of a ledger in the transaction of
// each command.
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { CommandRejection, createRequests, type GivenCommand, requestObjects } from '@partnerkit/core/requests';
import pg from 'pg';
import { createPrng } from '../../../testing/src/simulator/prng.ts';
import { type PgClient, postgresStorage } from '../../src/index.ts';

const [connectionString, seed = ''] = process.argv.slice(2);
const prng = createPrng(Number(seed));
const pool = new pg.Pool({ connectionString, max: 8 });
const account = { id: 'acc_ours', environment: 'prod' };
const alone = { tx: 'new' } as const;

/** So many commands are carried out before one stops in the middle, with its transaction open. */
let untilStopped = 60 + prng.below(60);

const onCommand = async ({ object, command, after, tx }: GivenCommand<PgClient>): Promise<void> => {
  const values = [object, after.id, after.version, command];
  await tx.query({ text: 'insert into ledger (object, id, version, command) values ($1, $2, $3, $4)', values });
  if (prng.chance(0.1)) throw new CommandRejection({ code: 'not_now', detail: 'The host refuses it.' });
  if (prng.chance(0.05)) throw new Error('The host fails.');
  if (untilStopped-- > 0) return;
  process.stdout.write('stopped\n');
  await new Promise(() => {});
};

const storage = postgresStorage(pool);
const kit = createPartnerkit({
  accounts: memoryAccounts([{ ...account, name: 'Ours', status: 'active' }]),
  storage,
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }],
  objects: requestObjects,
});
const { payments, deposits, cashOuts } = createRequests({ kit, onCommand, onCommandTimeout: 3_600_000 });

const recipient = { email: 'guest@example.com' };
const pick = <T>(items: readonly T[]): T | undefined => items[prng.below(items.length)];
const newest = { page: { limit: 5, newestFirst: true } };
const amount = (): number => 1 + prng.below(100_000) / 100;

const onPayment = async (): Promise<unknown> => {
  if (prng.chance(0.3))
    return payments.create(account.id, { name: 'Stay', currency: 'EUR', recipient, amount: 5 }, alone);
  const { id = '' } = pick((await payments.list(account.id, newest))._unsafeUnwrap().items) ?? {};
  if (prng.chance(0.8)) return payments.perform(account.id, id, 'change', { input: { amount: amount() }, ...alone });
  return payments.perform(account.id, id, pick(['succeed', 'cancel', 'failTransaction'] as const) ?? 'cancel', alone);
};
const onDeposit = async (): Promise<unknown> => {
  if (prng.chance(0.2)) {
    const input = { name: 'Stay', depositAmount: 900, currency: 'EUR', recipient };
    const made = await deposits.create(account.id, input, alone);
    return made.isOk() && deposits.perform(account.id, made.value.id, 'succeedDeposit', alone);
  }
  const { id: depositId = '' } = pick((await deposits.list(account.id, newest))._unsafeUnwrap().items) ?? {};
  if (prng.chance(0.3)) return cashOuts.create(account.id, { depositId, amount: amount() / 10 }, alone);
  const listed = (await cashOuts.list(account.id, { depositId, ...newest }))._unsafeUnwrap().items;
  const { id = '', version = 0 } = pick(listed) ?? {};
  const commands = ['claim', 'deny', 'accept', 'escrow', 'complete', 'cancel'] as const;
  return cashOuts.perform(account.id, id, pick(commands) ?? 'claim', { ...alone, ifVersion: version });
};

/** Gives commands one after the other. What the host's hook fails is given no second time. */
const giveAll = async (): Promise<never> => {
  for (;;) await (prng.chance(0.5) ? onPayment() : onDeposit()).catch(() => undefined);
};
await Promise.all(Array.from({ length: 6 }, giveAll));
