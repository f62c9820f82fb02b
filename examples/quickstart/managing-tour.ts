import type { LedgerLine } from './database.ts';
import type { Session } from './login.ts';
import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { connectPartner, refused } from './partner-api.ts';
import { sandboxTour } from './sandbox-tour.ts';
import { expectThat, type Steps } from './steps.ts';

const account = { id: 'org_main', environment: 'prod' };
const itself = <T>(value: T): T => value;
/** Options of commands that the platform gives in process. */
const byPlatform = { tx: 'new', actor: { type: 'host', id: 'case worker 7' } } as const;

/** The money fields of a webhook. */
interface Webhook {
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly depositAmount?: number;
    readonly cashOut?: { readonly amount: number };
  };
}
const cents = (amount: number | undefined): number => Math.round((amount ?? 0) * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);

/**
 * The life of a security deposit. The partner uses HTTP; the platform gives its commands in process; each step sends
 * its webhooks.
 */
export const managingTour = async (steps: Steps, host: ManagingHost, partner: Partner): Promise<Session> => {
  const { requests, ledger } = host;
  const title = 'The partner has an API key and an endpoint for webhooks, and logs in.';
  const { session, post, ask, sends } = await connectPartner(steps, host, partner, {
    accountId: account.id,
    title,
  });

  const template = await sends('It makes a template.', ['creation'], (write) =>
    post(write, 'security-deposit-templates', { name: 'Gîte des Érables', depositAmount: 300, currency: 'EUR' }),
  );
  const deposit = await sends('It asks a guest for a deposit, from that template.', ['creation'], (write) =>
    post(write, 'security-deposits', {
      templateId: template.id,
      recipient: { email: 'zoe@example.org' },
      reference: 'BOOKING-1042',
      stay: { from: '2027-07-03', to: '2027-07-10' },
      metadata: { channel: 'website' },
    }),
  );
  const path = `security-deposits/${deposit.id}`;

  /** Commands of the platform about the deposit. */
  const learn = async (write: (text: string) => void, command: 'registerUser' | 'succeedDeposit', input = {}) => {
    const given = await requests.deposits.perform(account.id, deposit.id, command, { input, ...byPlatform });
    write(`${command} → ${given.match(itself, refused).status}`);
  };
  await sends('The guest registers: the platform says so, in process.', ['user_register'], (write) =>
    learn(write, 'registerUser', { name: 'Zoé' }),
  );
  await sends('The deposit succeeds.', ['deposit_success'], (write) => learn(write, 'succeedDeposit'));
  await sends('The guest arrives.', ['check_in'], (write) => post(write, `${path}/check-in`));
  await sends('The guest leaves.', ['check_out'], (write) => post(write, `${path}/check-out`));
  const cashOut = await sends('A lamp is broken: the partner asks for a cash-out.', ['cashout'], (write) =>
    post(write, `${path}/cash-outs`, { amount: 80, description: 'A lamp', reference: 'DAMAGE-7' }),
  );

  /** Commands of the platform about the cash-out. */
  const decide = async (write: (text: string) => void, command: 'claim' | 'settle' | 'complete', input = {}) => {
    const given = await requests.cashOuts.perform(account.id, cashOut.id, command, {
      input: input as never,
      ...byPlatform,
    });
    write(`${command} → ${given.match(itself, refused).status}`);
  };
  await sends('The guest objects.', ['cashout_reclamation'], (write) =>
    decide(write, 'claim', { claim: 'It was cracked when we came.' }),
  );
  await sends(
    'The partner denies it, and says why: the deposit is in dispute.',
    ['cashout_owner_deny_reclamation', 'litigation'],
    (write) =>
      post(write, `${path}/cash-outs/${cashOut.id}/deny`, { reason: { code: 'photo', text: 'See the entry photo.' } }),
  );
  await sends('The platform settles the dispute at half.', ['update', 'update'], (write) =>
    decide(write, 'settle', { amount: 40, reason: { code: 'split', text: 'Both have a point.' } }),
  );
  await sends('The money is there.', ['cashout_done'], (write) => decide(write, 'complete'));
  await sends('The partner finishes the deposit.', ['finish'], (write) => post(write, `${path}/finish`));

  await steps.step('The history says who did what, and why.', async (write) => {
    const { items } = (await (await ask('GET', `${path}/cash-outs/${cashOut.id}/events`)).json()) as {
      readonly items: readonly { readonly command: string; readonly by: { type: string }; readonly reason?: object }[];
    };
    for (const item of items) write(JSON.stringify(item));
    expectThat(
      'each command is there, with who gave it',
      items.map(({ command, by }) => `${command} ${by.type}`).join() ===
        'create client,claim host,deny client,settle host,complete host',
    );
    expectThat('both reasons are there', items.filter(({ reason }) => reason).length === 2);
  });

  await steps.step(
    'The platform’s ledger, written in the same transactions, balances with the webhooks.',
    async (write) => {
      const lines = (await ledger()).filter(({ depositId }) => depositId === deposit.id);
      const booked = (to: LedgerLine['to']): number =>
        sum(lines.filter((line) => line.to === to).map((line) => line.cents));
      const webhooks = partner.arrivals.map(({ body }): Webhook => JSON.parse(body.toString()));
      const of = (type: string): readonly Webhook[] =>
        webhooks.filter((each) => each.type === type && each.data.id === deposit.id);
      const held = sum(of('deposit_success').map(({ data }) => cents(data.depositAmount)));
      const paidOut = sum(of('cashout_done').map(({ data }) => cents(data.cashOut?.amount)));
      for (const { to, cents: amount } of lines) write(`${to.padEnd(8)}${(amount / 100).toFixed(2).padStart(8)} EUR`);
      expectThat('the ledger holds the deposit of the webhook', booked('held') === held && held === 30_000);
      expectThat('the ledger pays the cash-out of the webhook', booked('partner') === paidOut && paidOut === 4_000);
      expectThat('the guest gets the rest', booked('guest') === held - paidOut);
    },
  );

  await sandboxTour(steps, host, partner);
  return session;
};
