import { filled } from '../books/books.ts';
import { depositedOf, type TransactionSums } from '../books/laws.ts';
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
/** The books of a security deposit. */
export const depositBooks = (deposit: SecurityDeposit) => ({
  of: 'deposit' as const,
  asked: deposit.status === 'cancelled' ? 0 : deposit.amount,
  isRelied: deposit.status === 'in_progress' || deposit.status === 'litigation',
  sums: deposit.sums ?? impliedSums(deposit),
});

/** The amount that is not deposited yet. */
export const undeposited = (deposit: SecurityDeposit): MinorUnits => {
  const { asked, sums } = depositBooks(deposit);
  return Math.max(0, asked - depositedOf(filled(sums)));
};
