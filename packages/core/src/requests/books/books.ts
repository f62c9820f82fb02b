import type { MinorUnits } from '../fields/money.ts';
import { type Asked, type BooksOf, type Law, laws, type SumName, type TransactionSums } from './laws.ts';
import type { RequestTransaction, TransactionKind } from './transaction.ts';

/** The books of one object. */
export interface Books extends Asked {
  /** Which laws hold in them, and which sums a transaction changes. */
  readonly of: BooksOf;
  readonly sums: TransactionSums;
}

type Moves = Readonly<Partial<Record<TransactionKind, readonly SumName[]>>>;
const ofRequest: Moves = {
  authorisation: ['authorised', 'secured'],
  capture: ['captured'],
  charge: ['charged'],
  release: ['released'],
  refund: ['refunded'],
  chargeback: ['chargedBack'],
  chargeback_reversal: ['chargebackReversed'],
  return: ['returned'],
};
/** The sums to which a transaction adds its amount. */
const moves: Readonly<Record<BooksOf, Moves>> = {
  payment: ofRequest,
  deposit: ofRequest,
  cashOut: { capture: ['collected'], charge: ['collected'], refund: ['refunded'] },
};

const zero: Readonly<Record<SumName, MinorUnits>> = {
  authorised: 0,
  secured: 0,
  captured: 0,
  charged: 0,
  released: 0,
  refunded: 0,
  chargedBack: 0,
  chargebackReversed: 0,
  returned: 0,
  collected: 0,
};

/** The sums, with 0 for an absent one. */
export const filled = (sums: TransactionSums): Readonly<Record<SumName, MinorUnits>> => ({ ...zero, ...sums });

/**
 * The laws that a change of the sums breaks: each that does not hold after it, and held before or was broken less. A
 * change that brings broken books nearer to their law breaks nothing.
 */
const brokenBy = ({ of, sums: before, ...object }: Books, after: TransactionSums): readonly Law[] =>
  laws.filter((law) => {
    if (!law.of.includes(of)) return false;
    const excess = law.excess(filled(after), object);
    return excess > 0 && excess > law.excess(filled(before), object);
  });

/** Adds a transaction to the books. One that failed or was cancelled moves nothing. */
export const addTransaction = (
  books: Books,
  { kind, status, amount }: Pick<RequestTransaction, 'kind' | 'status' | 'amount'>,
): { readonly books: Books; readonly breaks: readonly Law[] } => {
  if (status !== 'succeeded') return { books, breaks: [] };
  const sums: Partial<Record<SumName, MinorUnits>> = { ...books.sums };
  for (const name of moves[books.of][kind] ?? []) sums[name] = (sums[name] ?? 0) + amount;
  return { books: { ...books, sums }, breaks: brokenBy(books, sums) };
};
