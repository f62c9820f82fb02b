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
  kind: textView('charge'),
  status: textView('succeeded'),
  amount: z.number(),
  currency: textView('EUR'),
  method: textView('card').optional(),
  fee: z.number().optional(),
  settledAt: secondsView(),
  capturableUntil: described(secondsView(), 'Until when the processor lets it be captured.').optional(),
  processorReference: textView('ch_1').optional(),
  cashOutId: textView('cash_out_1').optional(),
  breaks: z.array(textView('other_currency')).optional(),
};

const outcomeCode = textView('insufficient_funds');

/** Schema of a transaction. */
export const transactionView = z.object({
  ...common,
  outcome: z.object({ code: outcomeCode, text: textView('The bank refused the payment.').optional() }).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
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

const sum = z.number().optional();
/** Schema of the sums. */
export const sumsView = z.object({
  authorised: sum,
  secured: sum,
  captured: sum,
  charged: sum,
  released: sum,
  refunded: sum,
  chargedBack: sum,
  chargebackReversed: sum,
  returned: sum,
  missing: sum,
} satisfies Record<Exclude<SumName, 'collected'> | 'missing', z.ZodType>);

/** The partner's view of sums, and of what is missing. */
export const showSums = (sums: TransactionSums, missing: MinorUnits, currency: RequestMoney['currency']) => {
  const shown = Object.entries({ ...sums, ...(missing > 0 ? { missing } : {}) });
  return Object.fromEntries(shown.map(([name, amount]) => [name, toDecimal({ amount, currency })]));
};
