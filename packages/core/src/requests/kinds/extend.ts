import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { emptyChange, notEmpty } from '../../base/fields/change.ts';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { filled } from '../books/books.ts';
import { depositedOf } from '../books/laws.ts';
import { changingTransaction, type TransactionInput } from '../books/transaction-input.ts';
import { reasonField, values } from '../fields/fields.ts';
import { type MinorUnits, toMinor } from '../fields/money.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import { type CashOutSummary, takesAmount } from './cash-out-summary.ts';
import { depositBooks } from './deposit-books.ts';
import type { SecurityDeposit } from './deposit-fields.ts';
import { type Term, termInput, withTerm } from './term.ts';

const depositAmount = 'The new amount, in the same currency; `transaction` says how it changes.';

/** The input of `extend`: what it names changes, all at once. */
export const extension = z
  .strictObject({
    depositAmount: described(values.amount.input, depositAmount).optional(),
    stay: described(values.stay.input, 'The new stay.').optional(),
    transaction: changingTransaction.optional(),
    ...termInput,
    ...reasonField,
  })
  .refine(
    ({ depositAmount, stay, guaranteedUntil, claimUntil }) =>
      notEmpty({ depositAmount, stay, guaranteedUntil, claimUntil }),
    `${emptyChange} A transaction alone is a report: give succeedTransaction.`,
  )
  .register(documentation, {
    example: { stay: { from: '2027-03-24', to: '2027-04-02' } },
    keywords: {
      dependentRequired: { transaction: ['depositAmount'] },
      anyOf: ['depositAmount', 'stay', 'guaranteedUntil', 'claimUntil'].map((field) => ({ required: [field] })),
    },
  });

interface Extended extends Term {
  readonly amount: MinorUnits;
  readonly currency: string;
  readonly cashOuts: readonly CashOutSummary[];
}

const raises: readonly string[] = ['authorisation', 'charge'];
const lowers: readonly string[] = ['release', 'refund'];

/** The new amount, which a transaction in its direction leads to. */
const newAmount = (
  { amount, currency, cashOuts }: Extended,
  decimal: number | undefined,
  transaction: Pick<TransactionInput, 'kind'> | undefined,
): Result<MinorUnits, CommandRefusal> =>
  (decimal === undefined ? ok(amount) : toMinor('/depositAmount', decimal, currency)).andThen((minor) => {
    if (minor === amount)
      return transaction ? err(wrongField('/transaction', 'goes together with another depositAmount.')) : ok(amount);
    if (!transaction) return err(wrongField('/transaction', 'missing: an amount changes by a transaction.'));
    const kinds = minor > amount ? raises : lowers;
    if (!kinds.includes(transaction.kind ?? ''))
      return err(
        wrongField('/transaction/kind', `${kinds.join(' or ')}: the amount is ${minor > amount ? 'higher' : 'lower'}.`),
      );
    const taken = cashOuts.filter(takesAmount).reduce((sum, each) => sum + each.amount, 0);
    return taken <= minor
      ? ok(minor)
      : err({ code: 'exceeds_deposit' as const, message: 'Open and done cash-outs would be more than the deposit.' });
  });

/** By how much an extension changes the amount, in either direction. */
export const changedBy = ({ amount, currency }: Extended, input: unknown): Result<MinorUnits, CommandRefusal> => {
  const { depositAmount } = input as z.output<typeof extension>;
  if (depositAmount === undefined) return ok(0);
  return toMinor('/depositAmount', depositAmount, currency).map((minor) => Math.abs(minor - amount));
};

/** Whether all of a new amount is deposited already: what changed it was reported before. */
export const isDeposited = (deposit: SecurityDeposit, input: unknown): boolean => {
  const { depositAmount } = input as z.output<typeof extension>;
  if (depositAmount === undefined) return false;
  const { released, refunded, ...sums } = filled(depositBooks(deposit).sums);
  const deposited = depositedOf({ released, refunded, ...sums }) - released - refunded;
  const minor = toMinor('/depositAmount', depositAmount, deposit.currency).unwrapOr(0);
  return minor !== deposit.amount && minor === deposited;
};

/** A deposit with a new amount, a new stay and a new term. */
export const extend = <R extends Extended>(
  deposit: R,
  { depositAmount, transaction, stay, guaranteedUntil, claimUntil }: z.output<typeof extension>,
): Result<R, CommandRefusal> =>
  newAmount(deposit, depositAmount, transaction).map((amount) => ({
    ...withTerm(deposit, { guaranteedUntil, claimUntil }),
    ...present({ stay }),
    amount,
  }));
