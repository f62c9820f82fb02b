import { day } from '@partnerkit/core';
import type { AccountRef, RequestKindName, Requests } from '@partnerkit/core/requests';
import { z } from 'zod';
import { allowed } from '../support/kit.ts';

/** Fields of the host, on every kind. */
export const extend = {
  payments: z.object({ bookingId: z.string().optional() }),
  deposits: z.object({ bookingId: z.string().optional() }),
  cashOuts: z.object({ damage: z.object({ rooms: z.array(z.int()) }).optional() }),
  paymentTemplates: z.object({ house: z.string().optional() }),
  depositTemplates: z.object({ house: z.string().optional() }),
};
/** What happens by rule: later than any case takes. */
export const policies = {
  guarantee: { warnBefore: day, atEnd: 'finish' },
  proposedTerms: { guaranteedFor: 90 * day, claimFor: 90 * day },
  disputes: {
    recipient: { answerWithin: 7 * day, warnBefore: day, bySilence: 'accept' },
    partner: { answerWithin: 7 * day, warnBefore: day, bySilence: 'deny' },
  },
  reminders: [3 * day],
  expire: { afterDueDate: day },
} as const;

export type AllRequests = Requests<object, typeof extend>;

const alone = { tx: 'new' } as const;
const later = Math.floor((Date.now() + 60 * day) / 1_000);
const recipient = { email: 'Zoe.O@guest.example', name: 'Zoë “O’Hara” 🏡', phone: '+41441234567', language: 'de-CH' };
const metadata = { room: '7 \\ "b"', 'key €': 'Zeile 1\nZeile 2' };

/** Creates objects of an account with every field and in every state. */
export const createObjects = async (requests: AllRequests, { id: account }: Pick<AccountRef, 'id'>, round: number) => {
  const perform = async (kind: RequestKindName, id: string, command: string, input: object = {}): Promise<void> => {
    // Commands of any kind, by name.
    const collection = requests[kind] as unknown as {
      perform(...given: readonly unknown[]): Parameters<typeof allowed<{ readonly version: number }>>[0];
    };
    await allowed(collection.perform(account, id, command, { ...alone, input, actor: { type: 'user', id: 'desk' } }));
  };
  const name = `Stay ${round} Zürich`;
  const common = { name, recipient, metadata, description: 'Two nights\n“Seeblick”', dueDate: '2099-03-31' };

  const template = await allowed(
    requests.paymentTemplates.create(
      account,
      { name: 'Stay of {{guest}}', description: 'For {{guest}}', amount: 12.5, currency: 'EUR', house: 'A' },
      alone,
    ),
  );
  await perform('paymentTemplates', template.id, 'change', { dueInDays: 14, metadata });
  const depositTemplate = await allowed(
    requests.depositTemplates.create(
      account,
      { name: 'Deposit', depositAmount: 300, currency: 'KWD', guaranteedForDays: 30, claimForDays: 20 },
      alone,
    ),
  );

  const pay = async (more: object): Promise<string> => {
    const input = { ...common, amount: 40.55, currency: 'EUR', reference: `P ${account} ${round}`, ...more };
    return (await allowed(requests.payments.create(account, input, alone))).id;
  };
  await allowed(
    requests.payments.create(account, { recipient, templateId: template.id, variables: { guest: 'Ann' } }, alone),
  );
  const pending = await pay({ bookingId: `B${round}`, sendAt: later });
  await perform('payments', pending, 'setPaymentUrl', {
    paymentUrl: 'https://pay.example/1',
    paymentUrlExpiresAt: later,
  });
  const reminded = await pay({ amount: 5_000, currency: 'JPY' });
  await perform('payments', reminded, 'send');
  await perform('payments', reminded, 'remind', { reason: { code: 'by_hand', text: 'called' } });
  const payed = await pay({});
  const charge = { kind: 'charge', amount: 40.55, processorReference: `ch ${account} ${round}`, method: 'card' };
  await perform('payments', payed, 'failTransaction', {
    transaction: { ...charge, outcome: { code: 'insufficient_funds', text: 'declined' } },
  });
  await perform('payments', payed, 'succeed', {
    transaction: { ...charge, fee: 0.31, settledAt: 1_700_000_000, metadata },
  });
  await perform('payments', payed, 'succeedTransaction', { transaction: { ...charge, settledAt: 1_700_000_060 } });
  await perform('payments', payed, 'refund', { amount: 10, transaction: { processorReference: `re ${round}` } });
  const chargeback = {
    processorReference: `cb ${round}`,
    stage: 'inquiry',
    reason: { code: 'fraud' },
    respondBy: later,
  };
  await perform('payments', payed, 'updateChargeback', { chargeback });
  await perform('payments', payed, 'giveEvidence', {
    processorReference: `cb ${round}`,
    evidence: [{ id: 'files/1.pdf', kind: 'invoice', name: 'Rechnung', contentType: 'application/pdf', size: 12 }],
  });
  await perform('payments', payed, 'updateChargeback', {
    chargeback: { ...chargeback, stage: 'won', respondBy: null },
  });
  const returned = await pay({});
  const debit = { kind: 'charge', amount: 40.55, method: 'sepa_debit', processorReference: `dd ${account} ${round}` };
  await perform('payments', returned, 'succeed', { transaction: debit });
  await perform('payments', returned, 'returnTransaction', { transaction: { amount: 40.55, currency: 'EUR' } });
  const refunded = await pay({});
  await perform('payments', refunded, 'succeed');
  await perform('payments', refunded, 'refund');
  await perform('payments', await pay({}), 'cancel', { reason: { code: 'changed_mind' } });

  const hold = async (more: object = {}): Promise<string> => {
    const stay = { from: '2027-03-01', to: '2027-03-04' };
    const input = { ...common, depositAmount: 300, currency: 'EUR', bookingId: `D${round}`, stay, ...more };
    return (await allowed(requests.deposits.create(account, input, alone))).id;
  };
  const authorised = async (id: string): Promise<void> => {
    await perform('deposits', id, 'registerUser', { name: 'Zoë', language: 'fr' });
    const transaction = { processorReference: `au ${account} ${id}`, capturableUntil: later, settledAt: 1_700_000_000 };
    await perform('deposits', id, 'succeedDeposit', { transaction, guaranteedUntil: later, claimUntil: later - 60 });
  };
  await allowed(requests.deposits.create(account, { recipient, templateId: depositTemplate.id }, alone));
  await perform('deposits', await hold(), 'cancel');
  const failed = await hold();
  await perform('deposits', failed, 'fail', { reason: { code: 'gone' } });
  const finished = await hold();
  await perform('deposits', finished, 'succeedDeposit');
  await perform('deposits', finished, 'checkIn');
  await perform('deposits', finished, 'checkOut');
  await perform('deposits', finished, 'finish');

  const disputed = await hold();
  await authorised(disputed);
  await perform('deposits', disputed, 'extend', {
    depositAmount: 420.5,
    stay: { from: '2027-03-01', to: '2027-03-08' },
    transaction: { kind: 'authorisation', amount: 120.5, capturableUntil: later + 60 },
  });
  await perform('deposits', disputed, 'warnOfEnd', { reason: { code: 'guarantee_ending' } });
  const evidence = [{ id: 'files/2.jpg', kind: 'photo', sha256: '0'.repeat(64) }];
  const claim = async (depositId: string, amount: number, more: object = {}): Promise<string> => {
    const input = { depositId, amount, description: 'Broken lamp', metadata, ...more };
    return (await allowed(requests.cashOuts.create(account, input, alone))).id;
  };
  await claim(disputed, 20, { reference: `C ${round}`, damage: { rooms: [1, round] } });
  const denied = await claim(disputed, 30, { evidence });
  await perform('cashOuts', denied, 'claim', { claim: 'Es war schon so.', evidence });
  await perform('cashOuts', denied, 'deny', { reason: { code: 'not_so' }, evidence });
  await perform('cashOuts', await claim(disputed, 10), 'pauseDeadline');

  const settled = await hold();
  await authorised(settled);
  const done = await claim(settled, 50);
  await perform('cashOuts', done, 'accept', { amount: 50 });
  await perform('cashOuts', done, 'escrow');
  const capture = { processorReference: `cp ${account} ${round}`, amount: 20 };
  await perform('cashOuts', done, 'complete', { amount: 20, transaction: capture });
  await perform('cashOuts', done, 'collect', { amount: 10, transaction: { ...capture, amount: 10 } });
  await perform('cashOuts', done, 'markIrrecoverable', { document: 'doc 7' });
  await perform('cashOuts', done, 'refund', { amount: 5, transaction: { processorReference: `rf ${round}` } });
  await perform('deposits', settled, 'succeedTransaction', {
    transaction: { kind: 'chargeback', amount: 10, cashOutId: done, processorReference: `cb ${account} ${round}` },
  });
  const offered = await claim(settled, 60);
  await perform('cashOuts', offered, 'offer', { amount: 55, description: 'Less' });
  await perform('cashOuts', offered, 'warnOfSilence');
  await perform('cashOuts', await claim(settled, 5), 'cancel');
  await perform('cashOuts', await claim(settled, 5), 'fail');
};

/** Number of objects that one round creates. */
export const objectsOfRound = 22;
