import type { components } from '../../src/element/management-api.ts';
import { type Answers, bookingId, minutesAgo, session, usual } from './answers.ts';

type Schemas = components['schemas'];
type CashOut = Schemas['CashOut'];
type PaymentRequest = Schemas['PaymentRequest'];
type PossibleCommand = Schemas['PossibleCommand'];
type SecurityDeposit = Schemas['SecurityDeposit'];

// The payment requests, deposits and cash-outs of the partner of answers.ts.

const recipient = { email: 'ana.ruiz@example.com', name: 'Ana Ruiz', language: 'es' };

const payment = (index: number, fields: Partial<PaymentRequest> = {}): PaymentRequest => ({
  id: `pay_${8_412 - index}`,
  organisationId: 'org_main',
  name: ['Villa Maris, 5 to 12 December', 'Studio Lumen, cleaning', 'Chalet Alba, balance'][index % 3] ?? '',
  status: (['pending', 'payed', 'payed', 'refunded', 'cancelled'] as const)[index % 5] ?? 'payed',
  amount: 850.5 - index * 35,
  currency: 'EUR',
  recipient,
  reference: `B-${2_207 - index}`,
  createdAt: minutesAgo(12 + index * 300),
  updatedAt: minutesAgo(12 + index * 300),
  ...fields,
});

export const shownPayment = payment(0, { dueDate: '2026-12-01', paymentUrl: 'https://pay.bellerive.example/p/8412' });

/** A debit that came back, of which the bank of the payer took another part back. */
export const disputedPayment = payment(6, {
  status: 'pending',
  amount: 640,
  reason: { code: 'transaction_returned' },
  sums: { charged: 640, returned: 320, chargedBack: 120, missing: 320 },
  chargebacks: [
    {
      processorReference: 'dp_3PqLx2eZvKYlo2C',
      stage: 'pre_arbitration',
      reason: { code: 'product_not_received', text: 'The cardholder says that nobody opened the door.' },
      respondBy: 1_798_761_600,
    },
  ],
});

export const shownDeposit: SecurityDeposit = {
  id: 'dep_512',
  organisationId: 'org_main',
  name: 'Villa Maris, deposit',
  status: 'litigation',
  depositAmount: 600,
  currency: 'EUR',
  recipient,
  stay: { from: '2026-11-14', to: '2026-11-21' },
  cashOuts: [{ id: 'cash_77', status: 'denied', amount: 180, currency: 'EUR' }],
  createdAt: minutesAgo(12_000),
  updatedAt: minutesAgo(50),
};

export const shownCashOut: CashOut = {
  id: 'cash_77',
  organisationId: 'org_main',
  depositId: shownDeposit.id,
  description: 'Broken window in the kitchen',
  status: 'claimed',
  amount: 180,
  currency: 'EUR',
  recipient,
  claim: 'The window was broken when we arrived.',
  claimedAt: minutesAgo(60),
  createdAt: minutesAgo(900),
  updatedAt: minutesAgo(60),
};

const reason = {
  type: 'object',
  description: 'Why the command is given; stored with the object and in its history.',
  required: ['code'],
  properties: {
    code: { type: 'string', description: 'For programs: 1 to 64 characters.' },
    text: { type: 'string', description: 'For people: 1 to 500 characters.' },
  },
};
const command = (
  name: string,
  description: string,
  { path = `/${name}`, ...fields }: Partial<PossibleCommand> = {},
): PossibleCommand => ({
  command: name,
  method: 'POST',
  path,
  isSimulated: path.startsWith('/simulate/'),
  description,
  input: { type: 'object', properties: {} },
  ...fields,
});
const withReason = { input: { type: 'object', properties: { reason } } };
const transaction = { type: 'object', description: 'The transaction.', properties: { metadata: { type: 'object' } } };

const paymentCommands: readonly PossibleCommand[] = [
  command('change', 'Changes fields (RFC 7396).', {
    method: 'PATCH',
    path: '',
    input: {
      type: 'object',
      minProperties: 1,
      properties: {
        name: { type: 'string', description: 'Its name: 1 to 256 bytes.' },
        amount: { type: 'number', description: 'A decimal number above 0.' },
        dueDate: { anyOf: [{ type: 'string', description: 'The date by which it is due.' }, { type: 'null' }] },
        metadata: { type: 'object', description: 'Your own data.' },
      },
    },
  }),
  command('cancel', 'Cancels the request.', withReason),
  command('succeed', 'Records the payment.', {
    path: '/simulate/succeed',
    input: { type: 'object', properties: { transaction } },
  }),
  command('failTransaction', 'Reports a failed transaction; the payer may retry.', {
    path: '/simulate/fail-transaction',
    input: { type: 'object', properties: { transaction, reason } },
  }),
  command('setPaymentUrl', 'Sets the HTTPS address where the recipient pays, and when it expires.', {
    path: '/simulate/set-payment-url',
    input: { type: 'object', required: ['paymentUrl'], properties: { paymentUrl: { type: 'string' } } },
  }),
  command('remind', 'Records that the host reminds the recipient.', { path: '/simulate/remind', ...withReason }),
];

const events = [
  ['f101', 'update', 5],
  ['f100', 'creation', 12],
] as const;
const eventId = (tail: string): string => `01a208ef-d2e3-7854-8a11-00000000${tail}`;

const page = (items: readonly object[], next?: string): object => ({ items, ...(next === undefined ? {} : { next }) });

/** The path of a commands list ends on `/commands`, of a history on `/events`. */
const ofObject = (path: string, item: object, commands: readonly object[], history: readonly object[]): Answers => ({
  [path]: item,
  [`${path}/commands`]: page(commands),
  [`${path}/events`]: page(history),
});

const entry = (name: string, type: string, status: string, minutes: number, by: object): object => ({
  ...{ command: name, type, status, by, version: 1 },
  createdAt: minutesAgo(minutes),
});
const client = { type: 'client', id: bookingId };

const depositPath = `security-deposits/${shownDeposit.id}`;

/** A partner whose platform has turned requests on. */
export const withRequests: Answers = {
  ...usual,
  session: { ...session, can: { ...session.can, requests: 'write' } },
  'payment-requests': page(
    Array.from({ length: 12 }, (_none, index) => (index === 0 ? shownPayment : payment(index))),
    'more',
  ),
  'security-deposits': page([shownDeposit]),
  'cash-outs': page([shownCashOut]),
  ...ofObject(`payment-requests/${shownPayment.id}`, shownPayment, paymentCommands, [
    entry('remind', 'update', 'pending', 5, { type: 'rule', command: 'remind' }),
    entry('create', 'creation', 'pending', 12, client),
  ]),
  ...ofObject(`payment-requests/${disputedPayment.id}`, disputedPayment, paymentCommands, [
    {
      ...entry('returnTransaction', 'transaction_failed', 'pending', 5, { type: 'host' }),
      reason: disputedPayment.reason,
    },
    { ...entry('giveEvidence', 'update', 'payed', 60, client), reason: { code: 'evidence_given' } },
    { ...entry('updateChargeback', 'update', 'payed', 900, { type: 'host' }), reason: { code: 'chargeback_updated' } },
    entry('create', 'creation', 'pending', 12_000, client),
  ]),
  [`events?objectName=RequestPayment&objectId=${disputedPayment.id}&order=newest&limit=20`]: page([]),
  [`deliveries?objectName=RequestPayment&objectId=${disputedPayment.id}&order=newest&limit=100`]: page([]),
  ...ofObject(
    depositPath,
    shownDeposit,
    [
      command('resume', 'Ends the dispute.', { path: '/simulate/resume', ...withReason }),
      command('create', 'Requests a part of the deposit.', {
        path: '/cash-outs',
        input: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
      }),
    ],
    [
      entry('litigate', 'litigation', 'litigation', 50, { type: 'rule', command: 'deny' }),
      entry('succeedDeposit', 'deposit_success', 'in_progress', 11_000, { type: 'host' }),
      entry('create', 'creation', 'pending', 12_000, client),
    ],
  ),
  ...ofObject(
    `cash-outs/${shownCashOut.id}`,
    shownCashOut,
    [],
    [
      entry('claim', 'cashout_reclamation', 'claimed', 60, { type: 'host' }),
      entry('create', 'cashout', 'requested', 900, { type: 'user', id: 'zoe' }),
    ],
  ),
  [`${depositPath}/cash-outs/${shownCashOut.id}/commands`]: page([
    command('offer', 'Makes a new offer.', {
      input: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
    }),
    command('deny', 'Denies the claim.', withReason),
    command('accept', "Records the recipient's consent to one offer.", { path: '/simulate/accept', ...withReason }),
  ]),
  [`events?objectName=RequestPayment&objectId=${shownPayment.id}&order=newest&limit=20`]: page(
    events.map(([tail, type, minutes]) => ({
      ...{ id: eventId(tail), objectName: 'RequestPayment', objectId: shownPayment.id, type, isTest: false },
      timestamp: minutesAgo(minutes),
    })),
  ),
  [`deliveries?objectName=RequestPayment&objectId=${shownPayment.id}&order=newest&limit=100`]: page(
    events.map(([tail, type, minutes], index) => ({
      id: `${eventId(tail)}.${bookingId}`,
      eventId: eventId(tail),
      endpointId: bookingId,
      state: index === 0 ? 'waiting' : 'delivered',
      attempts: 1,
      event: {
        ...{ objectName: 'RequestPayment', objectId: shownPayment.id, type, isTest: false },
        timestamp: minutesAgo(minutes),
      },
    })),
  ),
};

/** A partner without any. */
export const withoutRequests: Answers = {
  ...withRequests,
  'payment-requests': page([]),
};
