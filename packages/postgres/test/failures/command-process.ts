// A process of a host that gives commands until it is killed. Its hook writes one row of a ledger in the transaction of
// each command.
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { CommandRejection, createRequests, type GivenCommand, requestObjects } from '@partnerkit/core/requests';
import pg from 'pg';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { readTask } from '../../../workshop/src/processes/index.ts';
import { type PgClient, postgresStorage } from '../../src/index.ts';
import { type HostTask, sayStopped } from './host-task.ts';

const { database, nth } = readTask<HostTask>();
const prng = createPrng(nth);
const pool = new pg.Pool({ connectionString: database, max: 8 });
const account = { id: 'acc_ours', environment: 'prod' };
const alone = { tx: 'new' } as const;

/** So many commands are carried out before one stops in the middle, with its transaction open. */
let untilStopped = 60 + prng.below(60);
/** Before the others, one command of each kind of money: the host refuses and stops none of these. */
let isRehearsed = true;

const onCommand = async (given: GivenCommand<PgClient>): Promise<void> => {
  const { object, command, after, transaction, tx } = given;
  const owner = 'deposit' in given ? given.deposit.id : after.id;
  const { kind = null, status = null, amount = null } = transaction ?? {};
  const values = [object, after.id, after.version, command, owner, kind, status, amount];
  const text = `insert into ledger (object, id, version, command, owner, kind, status, cents)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`;
  await tx.query({ text, values });
  if (isRehearsed) return;
  if (prng.chance(0.1)) throw new CommandRejection({ code: 'not_now', detail: 'The host refuses it.' });
  if (prng.chance(0.05)) throw new Error('The host fails.');
  if (untilStopped-- > 0) return;
  sayStopped();
  await new Promise(() => {});
};

const storage = postgresStorage(pool);
const kit = createPartnerkit({
  accounts: memoryAccounts([{ ...account, name: 'Ours', status: 'active' }]),
  storage,
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
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
  if (prng.chance(0.3)) return payments.perform(account.id, id, 'change', { input: { amount: amount() }, ...alone });
  if (prng.chance(0.3)) return payments.perform(account.id, id, 'cancel', alone);
  if (prng.chance(0.3)) {
    const input = { transaction: { kind: 'authorisation', amount: amount() } } as const;
    const command = prng.chance(0.5) ? 'succeedTransaction' : 'failTransaction';
    return payments.perform(account.id, id, command, { input, ...alone });
  }
  if (prng.chance(0.5)) return payments.perform(account.id, id, 'succeed', { input: { transaction: {} }, ...alone });
  const input = { amount: (1 + prng.below(200)) / 100, transaction: {} };
  return payments.perform(account.id, id, 'refund', { input, ...alone });
};
const onDeposit = async (): Promise<unknown> => {
  if (prng.chance(0.2)) {
    const input = { name: 'Stay', depositAmount: 900, currency: 'EUR', recipient };
    const made = await deposits.create(account.id, input, alone);
    if (made.isErr()) return made;
    return deposits.perform(account.id, made.value.id, 'succeedDeposit', { input: { transaction: {} }, ...alone });
  }
  const { id: depositId = '' } = pick((await deposits.list(account.id, newest))._unsafeUnwrap().items) ?? {};
  if (prng.chance(0.3)) {
    const made = await cashOuts.create(account.id, { depositId, amount: 1 + prng.below(100) }, alone);
    if (made.isErr() || prng.chance(0.5)) return made;
    return cashOuts.perform(account.id, made.value.id, 'accept', { ...alone, ifVersion: 1 });
  }
  const listed = (await cashOuts.list(account.id, { depositId, ...newest }))._unsafeUnwrap().items;
  const { id = '', version = 0, status } = pick(listed) ?? {};
  if (prng.chance(0.6)) {
    const input = { ...(prng.chance(0.5) ? { amount: (1 + prng.below(200)) / 100 } : {}), transaction: {} };
    const command = status === 'done' ? (pick(['collect', 'refund'] as const) ?? 'refund') : 'complete';
    return cashOuts.perform(account.id, id, command, { input, ...alone, ifVersion: version });
  }
  const commands = ['claim', 'deny', 'accept', 'accept', 'escrow', 'cancel'] as const;
  return cashOuts.perform(account.id, id, pick(commands) ?? 'claim', { ...alone, ifVersion: version });
};

const rehearse = async (): Promise<void> => {
  const input = { transaction: {} };
  const asked = { name: 'Stay', depositAmount: 900, currency: 'EUR', recipient };
  const deposit = (await deposits.create(account.id, asked, alone))._unsafeUnwrap();
  (await deposits.perform(account.id, deposit.id, 'succeedDeposit', { input, ...alone }))._unsafeUnwrap();
  const cashOut = (await cashOuts.create(account.id, { depositId: deposit.id, amount: 7 }, alone))._unsafeUnwrap();
  (await cashOuts.perform(account.id, cashOut.id, 'accept', { ...alone, ifVersion: 1 }))._unsafeUnwrap();
  for (const command of ['complete', 'refund'] as const)
    (await cashOuts.perform(account.id, cashOut.id, command, { input, ...alone }))._unsafeUnwrap();
  const stay = { name: 'Stay', currency: 'EUR', recipient, amount: 5 };
  const payment = (await payments.create(account.id, stay, alone))._unsafeUnwrap();
  (await payments.perform(account.id, payment.id, 'succeed', { input, ...alone }))._unsafeUnwrap();
  isRehearsed = false;
};

/** Gives commands one after the other. What the host's hook fails is given no second time. */
const giveAll = async (): Promise<never> => {
  for (;;) await (prng.chance(0.5) ? onPayment() : onDeposit()).catch(() => undefined);
};
await rehearse();
await Promise.all(Array.from({ length: 6 }, giveAll));
