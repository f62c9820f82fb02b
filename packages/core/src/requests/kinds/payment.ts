import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import {
  asked,
  fixedOptional,
  fromTemplate,
  givenOnce,
  optional,
  required,
  setLater,
  shownAs,
} from '../../base/fields/field.ts';
import { mayBecome, withoutMoney } from '../books/booked.ts';
import { filled } from '../books/books.ts';
import { paidOf } from '../books/laws.ts';
import { transactionFields, withTransaction } from '../books/transaction-fields.ts';
import { commandTransaction, reported, reportedReturn } from '../books/transaction-input.ts';
import { changeFields } from '../fields/change-fields.ts';
import { chargebackReport } from '../fields/chargeback.ts';
import { amount, identifiers, reasonField, values, withReason } from '../fields/fields.ts';
import { type MinorUnits, type RequestMoney, readMoney, toDecimal } from '../fields/money.ts';
import type { CommandContext } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { chargebackField, giveEvidence, updateChargeback, withChargeback } from './chargebacks.ts';
import {
  changeOf,
  commandsOf,
  defineKind,
  type InputOf,
  type InputsOf,
  inputOf,
  type RecordOf,
} from './define-kind.ts';
import { expiryRules } from './expiry.ts';
import { fillIn, type RequestContext } from './fill-in.ts';
import { changesAfterEnd } from './may-change.ts';
import { payingCommand, payingFields } from './paying.ts';
import { sendingCommands, sendingFields, sendingRules } from './sending.ts';
import { changedSum, newSum } from './sum.ts';

const fields = {
  name: fromTemplate(values.name),
  description: optional(values.description),
  amount: shownAs(fromTemplate(values.amount), toDecimal),
  currency: fromTemplate(values.currency),
  recipient: required(values.recipient),
  refundedAmount: shownAs(
    setLater(amount('The sum of its refunds. Absent: no refund.')),
    ({ refundedAmount: amount, currency }: Pick<RequestMoney, 'currency'> & { refundedAmount?: MinorUnits }) =>
      amount === undefined ? undefined : toDecimal({ amount, currency }),
  ),
  templateId: fixedOptional(values.templateId),
  variables: givenOnce(values.variables),
  dueDate: optional(values.dueDate),
  ...payingFields,
  ...sendingFields,
  ...transactionFields(paidOf),
  ...chargebackField,
  ...identifiers,
};
const example = {
  name: 'Week at the lake',
  amount: 120.5,
  currency: 'EUR',
  recipient: { email: 'guest@example.com', name: 'Ann Guest', language: 'fr' },
};
const states: readonly PaymentStatus[] = ['pending', 'payed', 'refunded', 'cancelled'];

/** The states of a payment request; `refunded` and `cancelled` are final. `payed` includes partial refunds. @public */
export type PaymentStatus = 'pending' | 'payed' | 'refunded' | 'cancelled';

/**
 * A payment request, as stored. Amounts are in the smallest unit of the currency.
 * The guide on requests describes each field.
 * @public
 */
export interface PaymentRequest extends RecordOf<typeof fields, PaymentStatus> {}

/** What the payer has paid, and what of it was not given back. */
const kept = (payment: PaymentRequest) => {
  const sums = filled(booksOf(payment).sums);
  const paid = paidOf(sums);
  return { paid, left: paid - sums.refunded - sums.chargedBack + sums.chargebackReversed };
};

/** What is left to refund. After a full chargeback nothing is, and nothing was refunded. */
const toRefund = (payment: PaymentRequest): Result<MinorUnits, CommandRefusal> => {
  const left = Math.max(0, kept(payment).left);
  if (left > 0 || filled(booksOf(payment).sums).refunded > 0) return ok(left);
  return err({ code: 'already_done', message: "Nothing is left to refund: the payer's bank took all of it back." });
};

/** Without transactions, a payment that succeeded was charged. */
const booksOf = ({ amount, status, refundedAmount, sums }: PaymentRequest) => {
  const isPaid = status === 'payed' || status === 'refunded';
  const implied = isPaid ? { charged: amount, ...(refundedAmount ? { refunded: refundedAmount } : {}) } : {};
  return { of: 'payment' as const, asked: status === 'cancelled' ? 0 : amount, sums: sums ?? implied };
};

const { create, command } = commandsOf<PaymentRequest, 'RequestPayment', CommandContext, RequestContext>();

/** Payment requests. After a failed transaction one stays `pending`: the payer may retry. */
export const payment = defineKind<PaymentRequest>()({
  name: 'PaymentRequest',
  object: 'RequestPayment',
  objectName: 'RequestPayment',
  path: 'payment-requests',
  part: 'requests',
  states,
  filters: ['recipientEmail', 'templateId'],
  batches: ['create', 'cancel'],
  templates: 'paymentTemplates',
  fields,
  example,
  books: {
    read: booksOf,
    write: (payment, sums, { transaction }) => ({
      ...withTransaction(payment, sums, transaction),
      ...(sums.refunded ? { refundedAmount: sums.refunded } : {}),
    }),
  },
  create: create({
    by: 'partner',
    to: 'pending',
    event: 'creation',
    description: 'Creates a payment request.',
    input: withExample(inputOf(fields, newSum('amount')), example),
    make: ({ amount, ...input }, context) => fillIn('amount', amount, input, context),
  }),
  commands: {
    change: command({
      by: 'partner',
      from: states,
      only: { payed: changesAfterEnd, refunded: changesAfterEnd, cancelled: changesAfterEnd },
      event: 'update',
      description: 'Changes fields (RFC 7396).',
      unless: 'money was booked in another currency, or more is booked than the new amount',
      refuses: ['money_booked'],
      input: withExample(changeOf(fields, changedSum('amount')), { name: 'Ten days at the lake' }),
      apply: (payment, { amount, currency, ...change }) =>
        readMoney('amount', amount, currency, payment.currency)
          .andThen((money) => mayBecome(booksOf(payment), payment, money))
          .andThen((money) => changeFields(payment, { ...change, ...money })),
    }),
    setPaymentUrl: command({
      ...payingCommand,
      description: 'Sets the HTTPS address where the recipient pays, and when it expires.',
    }),
    send: command(sendingCommands.send),
    remind: command(sendingCommands.remind),
    cancel: command({
      by: 'partner',
      from: ['pending'],
      to: 'cancelled',
      event: 'cancel',
      unless: 'money is booked for it',
      refuses: ['money_booked'],
      description: 'Cancels the request; also given by rule when it expires.',
      input: withReason,
      apply: (payment) => withoutMoney(booksOf(payment)).map(() => payment),
    }),
    succeed: command({
      by: 'host',
      from: ['pending'],
      to: 'payed',
      mayLead: { pending: 'pending' },
      event: 'payed',
      unless: 'captures would exceed what is secured',
      refuses: ['exceeds_secured'],
      description:
        'Records the payment. With a `transaction`, which may be `{}`, the books record it: a `charge`, or a `capture` of a reported authorisation. With `partialPayments: "pending"`, a part is an `update` with the reason `partially_paid`; a debit whose return came first, one with `transaction_returned`.',
      money: {
        status: 'succeeded',
        kind: 'charge',
        rest: (payment) => ok(Math.max(0, payment.amount - kept(payment).paid)),
        isBooked: (payment) => kept(payment).paid >= payment.amount,
        asAsked: 'paid_as_asked',
      },
      instead: (payment, { policies }) => {
        const { paid } = kept(payment);
        // Without a named transaction, what was left is paid.
        if (payment.sums === undefined || paid >= payment.amount) return undefined;
        const reasonCode = paid <= 0 ? 'transaction_returned' : 'partially_paid';
        return paid <= 0 || policies.partialPayments === 'pending'
          ? { to: 'pending', event: 'update', reasonCode }
          : undefined;
      },
      input: withExample(
        z
          .strictObject({
            transaction: commandTransaction(['charge', 'capture'], 'what is not paid yet').optional(),
          })
          .default({}),
        { transaction: { method: 'card' } },
      ),
    }),
    succeedTransaction: command({
      by: 'host',
      from: states,
      event: 'update',
      reasonCode: 'transaction_succeeded',
      description:
        'Reports a transaction. A later end of a reported authorisation is an `update` with the reason `authorisation_extended`.',
      money: { status: 'succeeded' },
      input: reported,
    }),
    failTransaction: command({
      by: 'host',
      from: states,
      event: 'transaction_failed',
      description: 'Reports a failed transaction; the payer may retry.',
      money: { status: 'failed' },
      input: reported,
    }),
    cancelTransaction: command({
      by: 'host',
      from: states,
      event: 'update',
      reasonCode: 'transaction_cancelled',
      description: 'Reports a transaction cancelled manually.',
      money: { status: 'cancelled' },
      input: reported,
    }),
    returnTransaction: command({
      by: 'host',
      from: states,
      mayLead: { payed: 'pending' },
      event: 'transaction_failed',
      reasonCode: 'transaction_returned',
      description:
        'Reports that a debit came back unpaid after it had succeeded. What is then not paid can be paid anew.',
      money: { status: 'succeeded', kind: 'return' },
      input: reportedReturn,
      apply: (payment) =>
        ok(
          payment.status === 'payed' && kept(payment).paid < payment.amount
            ? { ...payment, status: 'pending' }
            : payment,
        ),
    }),
    updateChargeback: command({
      ...updateChargeback,
      from: states,
      input: chargebackReport,
      apply: (payment, { chargeback }, context) => withChargeback(payment, chargeback, context),
    }),
    giveEvidence: command({ ...giveEvidence, from: states }),
    refund: command({
      by: 'host',
      from: ['payed'],
      to: ['payed', 'refunded'],
      event: 'update',
      unless: 'refunds would exceed the payment, or nothing of it is left',
      refuses: ['exceeds_payment', 'already_done'],
      description: 'Refunds a part or, without `amount`, the rest. A full refund leads to `refunded`.',
      money: { status: 'succeeded', kind: 'refund', rest: toRefund, isBooked: (payment) => kept(payment).left <= 0 },
      input: withExample(
        z
          .strictObject({
            amount: asked(values.amount).optional(),
            transaction: commandTransaction(['refund'], '`amount`, or the rest').optional(),
            ...reasonField,
          })
          .default({}),
        { amount: 20 },
      ),
      apply: (payment) => ok({ ...payment, status: kept(payment).left > 0 ? payment.status : ('refunded' as const) }),
    }),
  },
  rules: { ...sendingRules, ...expiryRules(booksOf) },
  waitsIn: ['pending'],
});

/** The fields of a new payment request. @public */
export interface PaymentRequestInput extends InputOf<typeof payment.create.input> {}
/** The commands on a payment request, each with its input. @public */
export interface PaymentCommands extends InputsOf<typeof payment.commands> {}
/** A change of a payment request by RFC 7396: at least one field. @public */
export type PaymentRequestChange = PaymentCommands['change'];
