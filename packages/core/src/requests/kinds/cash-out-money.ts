import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { asked } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import type { BooksRule } from '../books/rules.ts';
import { commandTransaction } from '../books/transaction-input.ts';
import { reasonField } from '../fields/fields.ts';
import type { MinorUnits } from '../fields/money.ts';
import type { CommandContext } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { type CashOut, cashOutValues } from './cash-out-fields.ts';
import { collectedOf } from './cash-out-summary.ts';
import { commandsOf } from './define-kind.ts';

const { amount, document } = cashOutValues;

const booksOf = (cashOut: CashOut) => ({
  of: 'cashOut' as const,
  asked: cashOut.amount,
  sums: { collected: collectedOf(cashOut), refunded: cashOut.refundedAmount ?? 0 },
});
const nothingLeft = (message: string): Result<never, CommandRefusal> => err({ code: 'already_done', message });
/** The amount that is not collected yet. */
export const uncollected = (cashOut: CashOut): Result<MinorUnits, CommandRefusal> => {
  const left = cashOut.amount - collectedOf(cashOut);
  return left > 0 ? ok(left) : nothingLeft('All of it was collected before.');
};
/** What was collected and not refunded. */
const unreturned = (cashOut: CashOut): Result<MinorUnits, CommandRefusal> => {
  const { collected, refunded } = booksOf(cashOut).sums;
  return collected > refunded ? ok(collected - refunded) : nothingLeft('All that was collected was refunded before.');
};
/** The transaction that collects. */
export const collectedBy = commandTransaction(['capture', 'charge'], '`amount`, or the rest').optional();

export const cashOutBooks = {
  read: booksOf,
  write: (cashOut, { collected, refunded }, { transaction, isNamed }) => ({
    ...cashOut,
    ...(transaction || isNamed || cashOut.collectedAmount !== undefined ? present({ collectedAmount: collected }) : {}),
    ...(refunded ? { refundedAmount: refunded } : {}),
  }),
} satisfies BooksRule<CashOut>;

/** The states of a deposit that has, or has had, a cash-out. */
export const everDeposited = ['in_progress', 'litigation', 'finished', 'error'];

const { command } = commandsOf<CashOut, 'RequestSecurityDeposit', CommandContext>();

/** The commands that move the money of a completed cash-out. */
export const completedCommands = {
  collect: command({
    by: 'host',
    from: ['done'],
    event: 'update',
    reasonCode: 'collected',
    within: everDeposited,
    unless: 'all was collected, or more is collected than its amount or the deposit allows',
    refuses: ['already_done', 'exceeds_cash_out', 'exceeds_secured'],
    description: 'Records that more was collected later: `amount`, or the rest.',
    money: { status: 'succeeded', kind: 'capture', rest: uncollected },
    input: withExample(
      z.strictObject({ amount: asked(amount).optional(), transaction: collectedBy, ...reasonField }).default({}),
      { amount: 5 },
    ),
  }),
  markIrrecoverable: command({
    by: 'host',
    from: ['done'],
    event: 'update',
    reasonCode: 'irrecoverable',
    within: everDeposited,
    unless: 'all was collected',
    refuses: ['already_done'],
    description: 'Records that the rest cannot be collected, with the document that says so.',
    input: withExample(z.strictObject({ document: asked(document), ...reasonField }), { document: 'report-2027-31' }),
    apply: (cashOut, { document }, { now: since }) =>
      uncollected(cashOut).map((amount) => ({ ...cashOut, irrecoverable: { amount, document, since } })),
  }),
  refund: command({
    by: 'host',
    from: ['done'],
    event: 'update',
    reasonCode: 'refunded',
    within: everDeposited,
    unless: 'all was refunded, or the refunds would exceed what was collected or charged',
    refuses: ['already_done', 'exceeds_collected', 'exceeds_payment'],
    description: 'Refunds a part of what was collected or, without `amount`, the rest.',
    money: { status: 'succeeded', kind: 'refund', rest: unreturned },
    input: withExample(
      z
        .strictObject({
          amount: asked(amount).optional(),
          transaction: commandTransaction(['refund'], '`amount`, or the rest').optional(),
          ...reasonField,
        })
        .default({}),
      { amount: 5 },
    ),
  }),
};
