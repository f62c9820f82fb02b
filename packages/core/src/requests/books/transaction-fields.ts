import { z } from 'zod';
import { setLater, shownAs, value } from '../../base/fields/field.ts';
import type { MinorUnits, RequestMoney } from '../fields/money.ts';
import { filled } from './books.ts';
import type { TransactionSums } from './laws.ts';
import { maxTransactions, type RequestTransaction, summaryOf, type TransactionSummary } from './transaction.ts';
import { showSummary, showSums, summaryView, sumsView } from './transaction-view.ts';

/** What a payment request or security deposit stores of its transactions; nothing before the first. */
export interface WithTransactions {
  readonly sums?: TransactionSums;
  readonly transactions?: readonly TransactionSummary[];
  readonly transactionCount?: number;
}
type Shown = WithTransactions & RequestMoney & { readonly status: string };

/**
 * The fields of a kind that has transactions.
 * @param received - What is paid, or deposited.
 */
export const transactionFields = (received: (sums: ReturnType<typeof filled>) => MinorUnits) => ({
  sums: shownAs(
    setLater(
      value('The sums of its transactions that succeeded, and what is `missing`. An absent sum is 0.', {
        input: z.custom<TransactionSums>(),
        view: sumsView,
      }),
    ),
    ({ sums, amount, currency, status }: Shown) =>
      sums && showSums(sums, status === 'cancelled' ? 0 : amount - received(filled(sums)), currency),
  ),
  transactions: shownAs(
    setLater(
      value(`Its latest transactions, newest last; at most ${maxTransactions}.`, {
        input: z.custom<readonly TransactionSummary[]>(),
        view: z.array(summaryView),
      }),
    ),
    ({ transactions }: Shown) => transactions?.map(showSummary),
  ),
  transactionCount: setLater(
    value('The number of all its transactions.', { input: z.custom<number>(), view: z.int() }),
  ),
});

/** The record with one more transaction and these sums. */
export const withTransaction = <R extends WithTransactions>(
  record: R,
  sums: TransactionSums,
  transaction: RequestTransaction | undefined,
): R => {
  // Without any transaction, the state and the amount say it all.
  if (!transaction) return record.sums ? { ...record, sums } : record;
  const { transactions = [], transactionCount = 0 } = record;
  return {
    ...record,
    sums,
    transactions: [...transactions, summaryOf(transaction)].slice(-maxTransactions),
    transactionCount: transactionCount + 1,
  };
};
