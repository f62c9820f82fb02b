import type { createRefusalWorld } from './world.ts';

type Made = Awaited<ReturnType<typeof createRefusalWorld>>['made'];

/** A command with an object that allows it, and one that refuses it by its state. Written by hand. */
export interface Given {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the object. */
  readonly path: string;
  readonly body?: object;
  readonly allows: (made: Made) => Promise<string>;
  /** Absent: every state allows it. */
  readonly refuses?: (made: Made) => Promise<string>;
}

const url = { paymentUrl: 'https://pay.example/1' };
const pending = {
  allows: (made: Made) => made.deposit(),
  refuses: (made: Made) => made.deposit('cancel'),
};
const paying = {
  allows: (made: Made) => made.payment(),
  refuses: (made: Made) => made.payment('cancel'),
};
const inProgress = {
  allows: (made: Made) => made.deposit('succeedDeposit'),
  refuses: (made: Made) => made.deposit(),
};
const open = {
  allows: (made: Made) => made.cashOut(),
  refuses: (made: Made) => made.cashOut('cancel'),
};
const agreed = {
  allows: (made: Made) => made.cashOut('accept'),
  refuses: (made: Made) => made.cashOut(),
};
/** Of 20, 5 were collected. */
const completed = {
  allows: (made: Made) => made.cashOut('accept', 'complete'),
  refuses: (made: Made) => made.cashOut('accept'),
};
/** They are allowed in every state. */
const reports = ['succeed', 'fail', 'cancel'].map((how) => `/simulate/${how}-transaction`);
const back = { transaction: { amount: 1 } };
const told = { chargeback: { processorReference: 'dp_1', stage: 'arbitration' } };
const proof = { processorReference: 'dp_1', evidence: [{ id: 'f_1', kind: 'photo' }] };
const post = (path: string, of: Pick<Given, 'allows' | 'refuses'>, body?: object): Given => ({
  method: 'POST',
  path,
  ...of,
  ...(body ? { body } : {}),
});
const named = { name: 'Other' };
const cashOuts = { ...inProgress, body: { amount: 5 } };

/** Every command on an object. */
export const commands: readonly Given[] = [
  { method: 'PATCH', path: '', ...paying, body: named },
  post('/cancel', paying),
  post('/simulate/set-payment-url', paying, url),
  post('/simulate/send', paying),
  post('/simulate/remind', paying),
  post('/simulate/succeed', paying),
  ...reports.map((command) => post(command, { allows: paying.allows })),
  post('/simulate/return-transaction', { allows: paying.allows }, back),
  post('/simulate/update-chargeback', { allows: paying.allows }, told),
  post('/give-evidence', { allows: ({ payment }) => payment('updateChargeback') }, proof),
  post('/simulate/refund', { allows: ({ payment }) => payment('succeed'), refuses: ({ payment }) => payment() }),

  { method: 'PATCH', path: '', ...pending, body: named },
  post('/cancel', pending),
  post('/simulate/set-payment-url', pending, url),
  post('/simulate/send', pending),
  post('/simulate/remind', pending),
  post('/simulate/register-user', pending),
  ...reports.map((command) => post(command, { allows: pending.allows })),
  post('/simulate/return-transaction', { allows: pending.allows }, back),
  post('/simulate/update-chargeback', { allows: pending.allows }, told),
  post('/give-evidence', { allows: ({ deposit }) => deposit('updateChargeback') }, proof),
  post('/simulate/succeed-deposit', pending),
  post('/simulate/fail', pending),
  post('/simulate/extend', inProgress, { stay: { from: '2027-03-01', to: '2027-03-05' } }),
  post('/simulate/set-term', inProgress, { claimUntil: 4_000_000_000 }),
  post('/simulate/warn-of-end', inProgress),
  post('/check-in', inProgress),
  post('/check-out', { ...inProgress, allows: ({ deposit }) => deposit('succeedDeposit', 'checkIn') }),
  post('/finish', inProgress),
  post('/simulate/litigate', { ...inProgress, allows: ({ depositOf }) => depositOf('claim') }),
  post('/simulate/resume', { ...inProgress, allows: ({ depositOf }) => depositOf('claim', 'deny') }),

  { method: 'PATCH', path: '', ...open, body: { description: 'Window' } },
  post('/cancel', open),
  post('/offer', open, { amount: 5 }),
  post('/deny', { allows: ({ cashOut }) => cashOut('claim'), refuses: ({ cashOut }) => cashOut() }),
  post('/simulate/claim', open),
  post('/simulate/warn-of-silence', open),
  post('/simulate/pause-deadline', open),
  post('/simulate/resume-deadline', open),
  post('/simulate/accept', open, { amount: 20 }),
  post(
    '/simulate/settle',
    { allows: ({ cashOut }) => cashOut('claim', 'deny'), refuses: ({ cashOut }) => cashOut() },
    { amount: 10 },
  ),
  post('/simulate/escrow', agreed),
  post('/simulate/complete', agreed),
  post('/simulate/collect', completed),
  post('/simulate/mark-irrecoverable', completed, { document: 'D-1' }),
  post('/simulate/refund', completed),
  post('/simulate/fail', open),

  { method: 'PATCH', path: '', allows: ({ paymentTemplate }) => paymentTemplate(), body: named },
  { method: 'DELETE', path: '', allows: ({ paymentTemplate }) => paymentTemplate() },
  { method: 'PATCH', path: '', allows: ({ depositTemplate }) => depositTemplate(), body: named },
  { method: 'DELETE', path: '', allows: ({ depositTemplate }) => depositTemplate() },
];

/** A new cash-out is a command of its deposit, too. */
export const newCashOut: Given = { method: 'POST', path: '/cash-outs', ...cashOuts };

const sum = { name: 'Stay', currency: 'EUR', recipient: { email: 'guest@example.com' } };
/** The other creations, by path. */
export const creations: Readonly<Record<string, object>> = {
  'payment-requests': { ...sum, amount: 20 },
  'security-deposits': { ...sum, depositAmount: 300 },
  'payment-templates': { name: 'T' },
  'security-deposit-templates': { name: 'T' },
};
