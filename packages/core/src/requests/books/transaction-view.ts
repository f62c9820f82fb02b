import { z } from 'zod';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { secondsView, textView } from '../../base/fields/values.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import { type MinorUnits, type RequestMoney, toDecimal } from '../fields/money.ts';
import type { SumName, TransactionSums } from './laws.ts';
import type { RequestTransaction, TransactionSummary } from './transaction.ts';

const common = {
  id: textView('transaction_1'),
  kind: described(
    textView('charge'),
    '`authorisation`: an amount is reserved. `capture`: of it, money is taken. `release`: of it, money is given back. ' +
      '`charge`: money is taken without an authorisation. `refund`: money is given back. `chargeback`: the bank of the ' +
      'payer takes money back. `chargeback_reversal`: a chargeback was won. `return`: a debit came back unpaid.',
  ),
  status: described(
    textView('succeeded'),
    '`succeeded`: it moved money. `failed`: it did not. `cancelled`: it was cancelled.',
  ),
  amount: described(z.number(), 'A decimal number above 0, in its `currency`.'),
  currency: textView('EUR', 'ISO 4217.'),
  method: textView('card', 'How it was paid, in a word of the platform.').optional(),
  fee: described(z.number(), 'What the processor kept, in its `currency`.').optional(),
  settledAt: secondsView(),
  capturableUntil: described(secondsView(), 'Until when the processor lets it be captured.').optional(),
  processorReference: textView('ch_1', 'The name that the processor gave it.').optional(),
  cashOutId: textView('cash_out_1', 'The cash-out whose money it moves. Absent: none.').optional(),
  breaks: described(
    z.array(textView('other_currency')),
    'What does not fit, but was not refused. `paid_as_asked`: another amount was paid than asked for. ' +
      '`secured_as_deposited`: another amount was deposited than asked for. `secured_within_authorised`: more is ' +
      'secured than authorised. `taken_within_secured`: more is taken or released than secured. ' +
      '`refunded_within_charged`: more is given back than was paid. `reversed_within_charged_back`: more chargebacks ' +
      'were won than there are. `collected_within_asked`: more is collected than asked for. ' +
      '`refunded_within_collected`: more is refunded than collected. `other_currency`: its currency is another one, and ' +
      'it is in no sum. `reference_twice`: two with its `processorReference` succeeded.',
  ).optional(),
};

const outcomeCode = textView('insufficient_funds', 'Why it failed, for programs, in a word of the platform.');

/** Schema of a transaction. */
export const transactionView = z.object({
  ...common,
  outcome: described(
    z.object({
      code: outcomeCode,
      text: textView('The bank refused the payment.', 'Why it failed, for people.').optional(),
    }),
    'What became of one that failed.',
  ).optional(),
  metadata: described(z.record(z.string(), z.string()), 'Data of the platform.').optional(),
});
/** Schema of a transaction in the list of its object. */
export const summaryView = z.object({ ...common, outcomeCode: outcomeCode.optional() });

type Common = Omit<TransactionSummary, 'outcomeCode'>;
const show = <T extends Common>({ amount, currency, fee, settledAt, capturableUntil, ...rest }: T) => ({
  ...rest,
  amount: toDecimal({ amount, currency }),
  currency,
  ...present({ fee: fee === undefined ? undefined : toDecimal({ amount: fee, currency }) }),
  settledAt: toSeconds(settledAt),
  ...(capturableUntil === undefined ? {} : { capturableUntil: toSeconds(capturableUntil) }),
});

/** The partner's view of a transaction. */
export const showTransaction = (transaction: RequestTransaction) => show(transaction);
/** The partner's view of a transaction in the list of its object. */
export const showSummary = (summary: TransactionSummary) => show(summary);

const sum = (description: string) => described(z.number(), description).optional();
/** Schema of the sums. */
export const sumsView = z.object({
  authorised: sum('Reserved in all.'),
  secured: sum('Reserved, and neither taken nor given back.'),
  captured: sum('Taken of what was reserved.'),
  charged: sum('Taken without a reservation.'),
  released: sum('Given back of what was reserved.'),
  refunded: sum('Given back of what was taken.'),
  chargedBack: sum('Taken back by the bank of the payer.'),
  chargebackReversed: sum('Of chargebacks, what came back.'),
  returned: sum('Of debits, what came back unpaid.'),
  missing: sum('The part of the amount that is neither paid nor deposited yet.'),
} satisfies Record<Exclude<SumName, 'collected'> | 'missing', z.ZodType>);

/** The partner's view of sums, and of what is missing. */
export const showSums = (sums: TransactionSums, missing: MinorUnits, currency: RequestMoney['currency']) => {
  const shown = Object.entries({ ...sums, ...(missing > 0 ? { missing } : {}) });
  return Object.fromEntries(shown.map(([name, amount]) => [name, toDecimal({ amount, currency })]));
};
