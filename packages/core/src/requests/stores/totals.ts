import { compareBytes } from '../../base/runtime/byte-order.ts';
import type { RequestTransaction } from '../books/transaction.ts';
import type { TransactionTotal } from './transaction-store.ts';

type Counted = Pick<RequestTransaction, 'kind' | 'status' | 'currency' | 'amount' | 'fee'>;

/** Sums up transactions that succeeded, batch by batch. */
export const createTotals = () => {
  const totals = new Map<string, TransactionTotal>();
  return {
    add: (transactions: Iterable<Counted>): void => {
      for (const { kind, status, currency, amount, fee = 0 } of transactions) {
        if (status !== 'succeeded') continue;
        const name = `${kind} ${currency}`;
        const { count = 0, amount: before = 0, fee: taken = 0 } = totals.get(name) ?? {};
        totals.set(name, { kind, currency, count: count + 1, amount: before + amount, fee: taken + fee });
      }
    },
    /** In the order of kind and currency. */
    all: (): readonly TransactionTotal[] =>
      [...totals].sort(([a], [b]) => compareBytes(a, b)).map(([, total]) => total),
  };
};
