import {
  type CashOut,
  type DepositTemplate,
  type PaymentRequest,
  type PaymentTemplate,
  type RequestFilter,
  type RequestHistoryEntry,
  type RequestKindName,
  requestMachines,
  type SecurityDeposit,
  type StoredRequest,
} from '@partnerkit/core/requests';
import { newId, ours, theirs } from '../support/records.ts';

/** The account of a case. */
export const owner = { id: ours, environment: 'prod' };
/** Another account, and the same account in another environment: no case may see or change their records. */
export const others = [
  { id: theirs, environment: 'prod' },
  { id: ours, environment: 'dev' },
];

let moments = Date.UTC(2025, 0, 1);
const base = () => {
  const createdAt = moments++;
  return {
    id: newId(),
    accountId: ours,
    environment: 'prod',
    createdAt,
    updatedAt: createdAt,
    createdBy: { type: 'client', id: 'client' },
    updatedBy: { type: 'host' },
    version: 1,
  } as const;
};
/** The optional fields of every record. */
const optional = {
  reference: 'Réservation №1 \\ \'"%_',
  metadata: { room: '12', 'a b': '🏡\n' },
  reason: { code: 'insufficient_funds', text: 'Twice\nrefused' },
  updatedBy: { type: 'rule', command: 'deny' },
} as const;

const payment = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
  ...base(),
  name: 'Stay',
  status: 'pending',
  amount: 12_050,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  ...change,
});

const deposit = (change: Partial<SecurityDeposit> = {}): SecurityDeposit => ({
  ...base(),
  name: 'Stay',
  status: 'pending',
  amount: 30_000,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  cashOuts: [],
  ...change,
});

const cashOut = (change: Partial<CashOut> = {}): CashOut => ({
  ...base(),
  status: 'requested',
  depositId: 'deposit',
  amount: 1_000,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  ...change,
});

const template = (change: Partial<PaymentTemplate & DepositTemplate> = {}): PaymentTemplate & DepositTemplate => ({
  ...base(),
  name: 'Stay',
  status: 'active',
  ...change,
});

/** The kinds of objects. */
export type Kind = RequestKindName;
type Make = (change?: object) => StoredRequest;

interface Example {
  /** Without optional fields. */
  readonly bare: Make;
  /** With all optional fields. */
  readonly full: Make;
  readonly statuses: readonly string[];
  readonly parent?: keyof RequestFilter & ('templateId' | 'depositId');
}

/** Example records of each kind. */
export const examples: Readonly<Record<Kind, Example>> = {
  payments: {
    bare: payment,
    full: (change) =>
      payment({
        ...optional,
        name: 'Gîte “des Érables” 🏡 \\ \'"%_',
        description: 'Deux nuits\n\tet un chien',
        amount: 999_999_999_999,
        recipient: { email: 'Ü@Example.com', name: 'Zoë' },
        templateId: newId(),
        dueDate: '2027-03-31',
        paymentUrl: 'https://pay.example/1',
        refundedAmount: 1,
        status: 'payed',
        ...change,
      }),
    statuses: requestMachines.payments.states,
    parent: 'templateId',
  },
  deposits: {
    bare: deposit,
    full: (change) =>
      deposit({
        ...optional,
        description: 'Two weeks',
        currency: 'KWD',
        status: 'litigation',
        stay: { from: '2027-03-01', to: '2027-03-14' },
        registeredAt: 1_735_689_600_123,
        checkedInAt: 1_735_689_600_124,
        checkedOutAt: 1_735_689_600_125,
        templateId: newId(),
        cashOuts: [
          { id: newId(), status: 'denied', amount: 5, reference: 'A window', claimedAt: 1_735_689_600_126 },
          { id: newId(), status: 'requested', amount: 1 },
        ],
        ...change,
      }),
    statuses: requestMachines.deposits.states,
    parent: 'templateId',
  },
  cashOuts: {
    bare: cashOut,
    full: (change) =>
      cashOut({
        ...optional,
        description: 'A window',
        claim: 'It was broken before',
        claimedAt: 1_735_689_600_126,
        status: 'claimed',
        ...change,
      }),
    statuses: requestMachines.cashOuts.states,
    parent: 'depositId',
  },
  paymentTemplates: {
    bare: template,
    full: (change) =>
      template({ ...optional, description: 'Two nights', money: { amount: 1, currency: 'JPY' }, ...change }),
    statuses: requestMachines.paymentTemplates.states,
  },
  depositTemplates: {
    bare: template,
    full: (change) =>
      template({ ...optional, description: 'Two nights', money: { amount: 5, currency: 'EUR' }, ...change }),
    statuses: requestMachines.depositTemplates.states,
  },
};

/** An entry of the history of a record: the command that led to its version. */
export const entryOf = (record: StoredRequest, change: Partial<RequestHistoryEntry> = {}): RequestHistoryEntry => ({
  version: record.version,
  step: 0,
  at: record.updatedAt,
  command: record.version === 1 ? 'create' : 'change',
  event: record.version === 1 ? 'creation' : 'update',
  status: record.status,
  by: record.updatedBy,
  ...change,
});

/** The next version of a record. */
export const nextOf = <R extends StoredRequest>(record: R, change: object = {}): R => ({
  ...record,
  version: record.version + 1,
  ...change,
});
