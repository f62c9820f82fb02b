import { filled } from '../books/books.ts';
import type { TransactionSums } from '../books/laws.ts';
import type { MinorUnits } from '../fields/money.ts';
import { type CashOutSummary, collectedOf } from './cash-out-summary.ts';
import type { SecurityDeposit } from './deposit-fields.ts';

/** Without transactions, a deposit that succeeded was authorised, and what its cash-outs collected was captured. */
const impliedSums = ({ amount, status, cashOuts }: SecurityDeposit): TransactionSums => {
  if (status === 'pending' || status === 'cancelled') return {};
  const total = (of: (cashOut: CashOutSummary) => MinorUnits) => cashOuts.reduce((sum, each) => sum + of(each), 0);
  const [captured, refunded] = [total(collectedOf), total(({ refundedAmount = 0 }) => refundedAmount)];
  return { authorised: amount, secured: amount, ...(captured ? { captured } : {}), ...(refunded ? { refunded } : {}) };
};
/** The books of a security deposit. @internal */
export const depositBooks = (deposit: SecurityDeposit) => ({
  of: 'request' as const,
  asked: deposit.amount,
  sums: deposit.sums ?? impliedSums(deposit),
});

/** The amount that is not deposited yet. @internal */
export const undeposited = (deposit: SecurityDeposit): MinorUnits => {
  const { secured, charged } = filled(depositBooks(deposit).sums);
  return Math.max(0, deposit.amount - secured - charged);
};
