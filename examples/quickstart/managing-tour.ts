import type { LedgerLine } from './database.ts';
import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { connectPartner, refused } from './partner-api.ts';
import { sandboxTour } from './sandbox-tour.ts';
import { hold, type Story } from './story.ts';
import type { Credentials } from './tour.ts';

const account = { id: 'org_main', environment: 'prod' };
const itself = <T>(value: T): T => value;
/** What the platform gives as its own, in process. */
const byPlatform = { tx: 'new', actor: { type: 'host', id: 'case worker 7' } } as const;

/** A webhook, as far as money is concerned. */
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

/** The life of a security deposit: the partner speaks HTTP, the platform says in process what it learns, and each step has its webhooks. */
export const managingTour = async (story: Story, host: ManagingHost, partner: Partner): Promise<Credentials> => {
  const { requests, ledger } = host;
  const title = 'The partner has an API key and an endpoint for webhooks, and logs in.';
  const { credentials, post, ask, sends } = await connectPartner(story, host, partner, account.id, title);

  const template = await sends('It makes a template.', ['creation'], (tell) =>
    post(tell, 'security-deposit-templates', { name: 'Gîte des Érables', depositAmount: 300, currency: 'EUR' }),
  );
  const deposit = await sends('It asks a guest for a deposit, from that template.', ['creation'], (tell) =>
    post(tell, 'security-deposits', {
      templateId: template.id,
      recipient: { email: 'zoe@example.org' },
      reference: 'BOOKING-1042',
      stay: { from: '2027-07-03', to: '2027-07-10' },
      metadata: { channel: 'website' },
    }),
  );
  const path = `security-deposits/${deposit.id}`;

  /** What the platform learns about the deposit. */
  const learn = async (tell: (text: string) => void, command: 'registerUser' | 'succeedDeposit', input = {}) => {
    const given = await requests.deposits.perform(account, deposit.id, command, input, byPlatform);
    tell(`${command} → ${given.match(itself, refused).status}`);
  };
  await sends('The guest registers: the platform says so, in process.', ['user_register'], (tell) =>
    learn(tell, 'registerUser', { name: 'Zoé' }),
  );
  await sends('The deposit succeeds.', ['deposit_success'], (tell) => learn(tell, 'succeedDeposit'));
  await sends('The guest arrives.', ['check_in'], (tell) => post(tell, `${path}/check-in`));
  await sends('The guest leaves.', ['check_out'], (tell) => post(tell, `${path}/check-out`));
  const cashOut = await sends('A lamp is broken: the partner asks for a cash-out.', ['cashout'], (tell) =>
    post(tell, `${path}/cash-outs`, { amount: 80, description: 'A lamp', reference: 'DAMAGE-7' }),
  );

  /** What the platform learns about the cash-out, or decides. */
  const decide = async (tell: (text: string) => void, command: 'claim' | 'settle' | 'complete', input = {}) => {
    const given = await requests.cashOuts.perform(account, cashOut.id, command, input as never, byPlatform);
    tell(`${command} → ${given.match(itself, refused).status}`);
  };
  await sends('The guest objects.', ['cashout_reclamation'], (tell) =>
    decide(tell, 'claim', { claim: 'It was cracked when we came.' }),
  );
  await sends(
    'The partner denies it, and says why: the deposit is in dispute.',
    ['cashout_owner_deny_reclamation', 'litigation'],
    (tell) =>
      post(tell, `${path}/cash-outs/${cashOut.id}/deny`, { reason: { code: 'photo', text: 'See the entry photo.' } }),
  );
  await sends('The platform settles the dispute at half.', ['update', 'update'], (tell) =>
    decide(tell, 'settle', { amount: 40, reason: { code: 'split', text: 'Both have a point.' } }),
  );
  await sends('The money is there.', ['cashout_done'], (tell) => decide(tell, 'complete'));
  await sends('The partner finishes the deposit.', ['finish'], (tell) => post(tell, `${path}/finish`));

  await story.step('The history says who did what, and why.', async (tell) => {
    const { items } = (await (await ask('GET', `${path}/cash-outs/${cashOut.id}/events`)).json()) as {
      readonly items: readonly { readonly command: string; readonly by: { type: string }; readonly reason?: object }[];
    };
    for (const item of items) tell(JSON.stringify(item));
    hold(
      'each command is there, with who gave it',
      items.map(({ command, by }) => `${command} ${by.type}`).join() ===
        'create client,claim host,deny client,settle host,complete host',
    );
    hold('both reasons are there', items.filter(({ reason }) => reason).length === 2);
  });

  await story.step(
    'The platform’s ledger, written in the same transactions, balances with the webhooks.',
    async (tell) => {
      const lines = (await ledger()).filter(({ depositId }) => depositId === deposit.id);
      const booked = (to: LedgerLine['to']): number =>
        sum(lines.filter((line) => line.to === to).map((line) => line.cents));
      const webhooks = partner.arrivals.map(({ body }): Webhook => JSON.parse(body.toString()));
      const of = (type: string): readonly Webhook[] =>
        webhooks.filter((each) => each.type === type && each.data.id === deposit.id);
      const held = sum(of('deposit_success').map(({ data }) => cents(data.depositAmount)));
      const paidOut = sum(of('cashout_done').map(({ data }) => cents(data.cashOut?.amount)));
      for (const { to, cents: amount } of lines) tell(`${to.padEnd(8)}${(amount / 100).toFixed(2).padStart(8)} EUR`);
      hold('the ledger holds the deposit of the webhook', booked('held') === held && held === 30_000);
      hold('the ledger pays the cash-out of the webhook', booked('partner') === paidOut && paidOut === 4_000);
      hold('the guest gets the rest', booked('guest') === held - paidOut);
    },
  );

  await sandboxTour(story, host, partner);
  return credentials;
};
