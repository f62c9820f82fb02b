import type {
  CashOut,
  PaymentRequest,
  Recorded,
  RequestStores,
  SecurityDeposit,
  Template,
} from '@partnerkit/core/requests';
import { newId, ours, theirs } from './records.ts';

/** The account that a case acts for. @internal */
export const owner = { id: ours, environment: 'prod' };
/** Another account, and the same in another environment: nothing of theirs may be seen or changed. @internal */
export const others = [
  { id: theirs, environment: 'prod' },
  { id: ours, environment: 'dev' },
];

let moments = Date.UTC(2025, 0, 1);
const base = (): Pick<
  PaymentRequest,
  'id' | 'accountId' | 'environment' | 'createdAt' | 'updatedAt' | 'version' | 'name'
> => {
  const createdAt = moments++;
  return {
    id: newId(),
    accountId: ours,
    environment: 'prod',
    createdAt,
    updatedAt: createdAt,
    version: 1,
    name: 'Stay',
  };
};

const payment = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
  ...base(),
  status: 'pending',
  amount: 12_050,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  ...change,
});

const cashOut = (change: Partial<CashOut> = {}): CashOut => {
  const { id, createdAt, updatedAt } = base();
  return { id, status: 'requested', amount: 1_000, createdAt, updatedAt, ...change };
};

const deposit = (change: Partial<SecurityDeposit> = {}): SecurityDeposit => ({
  ...base(),
  status: 'pending',
  amount: 30_000,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
  cashOuts: [],
  ...change,
});

const template = (change: Partial<Template> = {}): Template => ({ ...base(), status: 'active', ...change });

/** The kinds of objects. @internal */
export type Kind = Exclude<keyof RequestStores<object>, 'answers'>;
type Make = (change?: object) => Recorded;

/** One of each kind: with none of the fields that can be absent, and with all of them. @internal */
export const examples: Readonly<Record<Kind, { readonly bare: Make; readonly full: Make }>> = {
  payments: {
    bare: payment,
    full: (change) =>
      payment({
        name: 'Gîte “des Érables” 🏡 \\ \'"%_',
        description: 'Deux nuits\n\tet un chien',
        amount: 999_999_999_999,
        recipient: { email: 'ü@example.com', name: 'Zoë' },
        templateId: newId(),
        status: 'payed',
        ...change,
      }),
  },
  deposits: {
    bare: deposit,
    full: (change) =>
      deposit({
        description: 'Two weeks',
        currency: 'KWD',
        status: 'litigation',
        registeredAt: 1_735_689_600_123,
        checkedInAt: 1_735_689_600_124,
        checkedOutAt: 1_735_689_600_125,
        templateId: newId(),
        cashOuts: [
          cashOut({ status: 'denied', reason: 'A window', claim: 'It was broken before' }),
          cashOut(),
          cashOut({ amount: 1 }),
        ],
        ...change,
      }),
  },
  paymentTemplates: {
    bare: template,
    full: (change) => template({ description: 'Two nights', money: { amount: 1, currency: 'JPY' }, ...change }),
  },
  depositTemplates: {
    bare: template,
    full: (change) => template({ description: 'Two nights', money: { amount: 5, currency: 'EUR' }, ...change }),
  },
};
