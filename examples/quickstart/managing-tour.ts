import type { LedgerLine } from './database.ts';
import type { Session } from './login.ts';
import type { ManagingHost } from './managing-host.ts';
import type { Partner } from './partner.ts';
import { connectPartner, refused } from './partner-api.ts';
import { sandboxTour } from './sandbox-tour.ts';
import { expectThat, type Steps } from './steps.ts';

const accountId = 'org_main';
const itself = <T>(value: T): T => value;
/** Options of commands that the platform gives in process. */
const byPlatform = { tx: 'new', actor: { type: 'host', id: 'case worker 7' } } as const;

/** What the tour reads of a webhook. */
interface Webhook {
  readonly data: {
    readonly transaction?: {
      readonly id: string;
      readonly kind: string;
      readonly status: string;
      readonly amount: number;
      readonly breaks?: readonly string[];
    };
  };
}

/** The cents of each kind, with each transaction once. */
const sumsOf = (lines: readonly LedgerLine[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const { kind, cents } of new Map(lines.map((line) => [line.transactionId, line])).values())
    sums[kind] = (sums[kind] ?? 0) + cents;
  return sums;
};

/** What the case of the car adds up to, in cents. */
const expected = {
  authorisation: 100_000,
  capture: 24_050,
  charge: 24_690,
  chargeback: 24_690,
  refund: 5_001,
  release: 75_950,
};
const asText = (sums: Readonly<Record<string, number>>): string =>
  JSON.stringify(Object.entries(sums).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * A car is hired, from the reservation to the last refund. The partner, an agency, uses HTTP; the platform gives its
 * commands in process; each step sends its webhooks.
 */
export const managingTour = async (steps: Steps, host: ManagingHost, partner: Partner): Promise<Session> => {
  const { payments, deposits, cashOuts, transactions } = host.requests;
  const title = 'The partner, an agency that hires out cars, has an API key and an endpoint for webhooks, and logs in.';
  const { session, post, ask, sends } = await connectPartner(steps, host, partner, { accountId, title });
  const recipient = { email: 'zoe@example.org', name: 'Zoé', phone: '+41441234567', language: 'fr-CH' };

  const template = await sends('It makes a template.', ['creation'], (write) =>
    post(write, 'security-deposit-templates', { name: 'Deposit for {{car}}', depositAmount: 800, currency: 'EUR' }),
  );
  const hire = await sends('It reserves a car: the driver is asked for the hire.', ['creation'], (write) =>
    post(write, 'payment-requests', {
      ...{ name: 'Hire of a Clio', amount: 246.9, currency: 'EUR', recipient },
      reference: 'HIRE-1042',
    }),
  );
  await sends('The driver pays by card: the platform says so, in process.', ['payed'], async (write) => {
    const transaction = { method: 'card', fee: 3.7, processorReference: `charge ${hire.id}` };
    const input = { transaction };
    const paid = await payments.perform(accountId, hire.id, 'succeed', { input, ...byPlatform });
    write(`succeed → ${paid.match(itself, refused).status}`);
  });

  const deposit = await sends('It asks for a deposit, from the template.', ['creation'], (write) =>
    post(write, 'security-deposits', {
      ...{ templateId: template.id, variables: { car: 'a Clio' }, recipient, reference: 'HIRE-1042' },
      stay: { from: '2027-07-03', to: '2027-07-10' },
      metadata: { channel: 'website' },
    }),
  );
  const path = `security-deposits/${deposit.id}`;
  const now = Math.floor(Date.now() / 1_000);
  const inDays = (days: number): number => now + days * 86_400;
  await sends('The driver registers.', ['user_register'], async (write) => {
    const known = await deposits.perform(accountId, deposit.id, 'registerUser', {
      input: { name: 'Zoé' },
      ...byPlatform,
    });
    write(`registerUser → ${known.match(itself, refused).status}`);
  });
  await sends('The bank authorises the deposit, for 14 days.', ['deposit_success'], async (write) => {
    const transaction = { method: 'card', processorReference: `authorisation ${deposit.id}` };
    const input = { transaction, guaranteedUntil: inDays(14), claimUntil: inDays(12) };
    const held = await deposits.perform(accountId, deposit.id, 'succeedDeposit', { input, ...byPlatform });
    write(`succeedDeposit → ${held.match(itself, refused).status}`);
  });
  await sends('The car is handed over.', ['check_in'], (write) => post(write, `${path}/check-in`));
  await sends('The driver keeps it for longer: the bank authorises 200 more.', ['update'], async (write) => {
    const transaction = { kind: 'authorisation', amount: 200, processorReference: `more ${deposit.id}` } as const;
    const stay = { from: '2027-07-03', to: '2027-07-14' };
    const input = { transaction, stay, depositAmount: 1_000, guaranteedUntil: inDays(18), claimUntil: inDays(16) };
    const extended = await deposits.perform(accountId, deposit.id, 'extend', { input, ...byPlatform });
    write(`extend → ${extended.match(itself, refused).status}`);
  });
  await sends('The car is back.', ['check_out'], (write) => post(write, `${path}/check-out`));

  const photo = { id: 'photos/door.jpg', kind: 'photo', contentType: 'image/jpeg', size: 48_211 };
  const cashOut = await sends('A door is dented: it asks for a cash-out, with a photo.', ['cashout'], (write) =>
    post(write, `${path}/cash-outs`, {
      ...{ amount: 350, description: 'A dented door', reference: 'DAMAGE-7', evidence: [photo] },
    }),
  );
  const cashOutPath = `${path}/cash-outs/${cashOut.id}`;
  await sends('The driver objects, with a video.', ['cashout_reclamation'], async (write) => {
    const input = { claim: 'It was like that.', evidence: [{ id: 'videos/1.mp4', kind: 'video' }] };
    const claimed = await cashOuts.perform(accountId, cashOut.id, 'claim', { input, ...byPlatform });
    write(`claim → ${claimed.match(itself, refused).status}`);
  });
  await sends(
    'The agency denies it, and says why: the deposit is in dispute.',
    ['cashout_owner_deny_reclamation', 'litigation'],
    (write) =>
      post(write, `${cashOutPath}/deny`, { reason: { code: 'photo', text: 'See the photo of the hand-over.' } }),
  );
  await sends('The platform settles the dispute.', ['update', 'update'], async (write) => {
    const input = { amount: 240.5, reason: { code: 'split', text: 'An older scratch is not counted.' } };
    const settled = await cashOuts.perform(accountId, cashOut.id, 'settle', { input, ...byPlatform });
    write(`settle → ${settled.match(itself, refused).status}`);
  });

  /** What the processor did for the cash-out. */
  const move = async (write: (text: string) => void, command: 'complete' | 'collect' | 'refund', amount: number) => {
    const input = { amount, transaction: { processorReference: `${command} ${cashOut.id}` } };
    const moved = await cashOuts.perform(accountId, cashOut.id, command, { input, ...byPlatform });
    write(`${command} → ${moved.match(itself, refused).status}`);
  };
  await sends('The processor captures 200 of it.', ['cashout_done'], (write) => move(write, 'complete', 200));
  await sends('It captures the rest a day later.', ['update'], (write) => move(write, 'collect', 40.5));
  await sends('The repair was cheaper: 20.01 go back.', ['update'], (write) => move(write, 'refund', 20.01));
  await sends('The rest of the deposit is released.', ['new_transaction_success'], async (write) => {
    const transaction = { kind: 'release', amount: 759.5, processorReference: `release ${deposit.id}` } as const;
    const input = { transaction };
    const released = await deposits.perform(accountId, deposit.id, 'succeedTransaction', { input, ...byPlatform });
    write(`succeedTransaction → ${released.match(itself, refused).status}`);
  });
  await sends('The agency finishes the deposit.', ['finish'], (write) => post(write, `${path}/finish`));

  await sends('A day of the hire is refunded.', ['update'], async (write) => {
    const input = { amount: 30, transaction: { processorReference: `refund ${hire.id}` } };
    const refunded = await payments.perform(accountId, hire.id, 'refund', { input, ...byPlatform });
    write(`refund → ${refunded.match(itself, refused).status}`);
  });
  await sends('Months later, the bank of the driver takes the whole hire back.', ['update'], async (write) => {
    const transaction = { kind: 'chargeback', amount: 246.9, processorReference: `chargeback ${hire.id}` } as const;
    const input = { transaction };
    const reported = await payments.perform(accountId, hire.id, 'succeedTransaction', { input, ...byPlatform });
    write(`succeedTransaction → ${reported.match(itself, refused).status}`);
  });

  await steps.step('The history says who did what, and why.', async (write) => {
    const { items } = (await (await ask('GET', `${cashOutPath}/events`)).json()) as {
      readonly items: readonly {
        readonly command: string;
        readonly by: { type: string };
        readonly reason?: { readonly code: string };
      }[];
    };
    for (const item of items) write(JSON.stringify(item));
    expectThat(
      'each command is there, with who gave it',
      items.map(({ command, by }) => `${command} ${by.type}`).join() ===
        'create client,claim host,deny client,settle host,complete host,collect host,refund host',
    );
    expectThat(
      'each reason is there',
      items.flatMap(({ reason }) => (reason ? [reason.code] : [])).join() === 'photo,split,collected,refunded',
    );
  });

  await steps.step('Three books agree: of the webhooks, of the platform, and of partnerkit.', async (write) => {
    const told = partner.arrivals
      .map(({ body }): Webhook => JSON.parse(body.toString()))
      .flatMap(({ data: { transaction } }) => (transaction?.status === 'succeeded' ? [transaction] : []));
    const ofWebhooks = sumsOf(
      told.map(({ id, kind, amount }) => ({ transactionId: id, kind, cents: Math.round(amount * 100) })),
    );
    const ofPlatform = sumsOf(await host.ledger());
    const stored = (await transactions.sums(accountId)).match(itself, refused);
    const ofPartnerkit = Object.fromEntries(stored.map(({ kind, amount }) => [kind, amount]));
    for (const [kind, cents] of Object.entries(ofPartnerkit))
      write(`${kind.padEnd(14)}${(cents / 100).toFixed(2).padStart(9)} EUR`);
    expectThat('the sums are those of the case', asText(ofPartnerkit) === asText(expected));
    expectThat('the webhooks say the same, to the cent', asText(ofWebhooks) === asText(expected));
    expectThat(
      'so does the platform’s ledger, written in the same transactions',
      asText(ofPlatform) === asText(expected),
    );
    const [taken] = told.filter(({ kind }) => kind === 'chargeback');
    expectThat(
      'the chargeback took more than was left, is stored, and says so',
      taken?.breaks?.join() === 'refunded_within_charged',
    );
  });

  await sandboxTour(steps, host, partner);
  return session;
};
