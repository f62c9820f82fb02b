import { err, ok } from 'neverthrow';
import { z } from 'zod';
import { changeFields } from '../change-fields.ts';
import {
  changeOf,
  commandsOf,
  defineKind,
  type InputOf,
  type InputsOf,
  inputOf,
  type RecordOf,
} from '../define-kind.ts';
import { fixedOptional, fromTemplate, optional, required, setLater, shownAs } from '../field.ts';
import { amount, identifiers, nothing, reasonField, values, withReason } from '../fields.ts';
import { fillIn, type RequestContext } from '../fill-in.ts';
import { type MinorUnits, type RequestMoney, readMoney, toDecimal, toMinor } from '../money.ts';
import type { CommandContext } from '../record.ts';
import { changedSum, newSum } from '../sum.ts';

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
  dueDate: optional(values.dueDate),
  paymentUrl: setLater(values.paymentUrl),
  ...identifiers,
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

const { create, command } = commandsOf<PaymentRequest, 'RequestPayment', CommandContext, RequestContext>();

/** Payment requests. After a failed transaction one stays `pending`: the payer may retry. @internal */
export const payment = defineKind<PaymentRequest>()({
  name: 'PaymentRequest',
  object: 'RequestPayment',
  objectName: 'RequestPayment',
  path: 'payment-requests',
  states,
  filters: ['recipientEmail', 'templateId'],
  templates: 'paymentTemplates',
  fields,
  create: create({
    by: 'partner',
    to: 'pending',
    event: 'creation',
    description: 'Creates a payment request.',
    input: inputOf(fields, newSum('amount')),
    make: ({ amount, ...input }, { template }) => fillIn('amount', amount, input, template),
  }),
  commands: {
    change: command({
      by: 'partner',
      from: ['pending'],
      event: 'update',
      description: 'Changes fields (RFC 7396).',
      input: changeOf(fields, changedSum('amount')),
      apply: (payment, { amount, currency, ...change }) =>
        readMoney('amount', amount, currency, payment.currency).andThen((money) =>
          changeFields(payment, { ...change, ...money }),
        ),
    }),
    setPaymentUrl: command({
      by: 'host',
      from: ['pending'],
      event: 'update',
      description: 'Sets the HTTPS address where the recipient pays.',
      input: z.strictObject({ paymentUrl: values.paymentUrl.input }),
      apply: (payment, { paymentUrl }) => ok({ ...payment, paymentUrl }),
    }),
    cancel: command({
      by: 'partner',
      from: ['pending'],
      to: 'cancelled',
      event: 'cancel',
      description: 'Cancels the request.',
      input: withReason,
    }),
    succeed: command({
      by: 'host',
      from: ['pending'],
      to: 'payed',
      event: 'payed',
      description: 'Records the payment.',
      input: nothing,
    }),
    failTransaction: command({
      by: 'host',
      from: ['pending'],
      event: 'transaction_failed',
      description: 'Records a failed transaction; the payer may retry.',
      input: withReason,
    }),
    refund: command({
      by: 'host',
      from: ['payed'],
      to: ['payed', 'refunded'],
      event: 'update',
      unless: 'refunds would exceed the payment',
      refuses: ['exceeds_payment'],
      description: 'Refunds a part or, without `amount`, the rest. A full refund leads to `refunded`.',
      input: z.strictObject({ amount: values.amount.input.optional(), ...reasonField }).default({}),
      apply: (payment, { amount: decimal }) => {
        const { amount, currency, refundedAmount: before = 0 } = payment;
        const left = amount - before;
        const read = decimal === undefined ? ok(left) : toMinor('/amount', decimal, currency);
        return read.andThen((refunded) =>
          refunded > left
            ? err({ code: 'exceeds_payment' as const, message: 'The refunds would be more than the payment.' })
            : ok({
                ...payment,
                refundedAmount: before + refunded,
                status: refunded === left ? ('refunded' as const) : payment.status,
              }),
        );
      },
    }),
  },
});

/** The fields of a new payment request. @public */
export interface PaymentRequestInput extends InputOf<typeof payment.create.input> {}
/** The commands on a payment request, each with its input. @public */
export interface PaymentCommands extends InputsOf<typeof payment.commands> {}
/** A change of a payment request by RFC 7396: at least one field. @public */
export type PaymentRequestChange = PaymentCommands['change'];
