import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import { changeFields } from '../change-fields.ts';
import { action } from '../command.ts';
import { atLeastOne, changes, emptyChange, fields, notEmpty, nothing, present, withReason } from '../fields.ts';
import { type Defaults, fillIn } from '../fill-in.ts';
import { type Minor, readMoney, toDecimal, toMinor } from '../money.ts';
import { type AccountRef, type NewContext, newRecord, type RequestFields, type StoredRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkNew, checkSum, newKeywords, sumKeywords } from '../sum.ts';
import { dateView, recipientView, recordView, urlView, viewRecord } from '../view.ts';

/** The states of a payment request; `refunded` and `cancelled` are final. `payed` includes partial refunds. @public */
export type PaymentStatus = 'pending' | 'payed' | 'refunded' | 'cancelled';

/**
 * A payment request, as stored.
 * @public
 */
export interface PaymentRequest extends StoredRecord<PaymentStatus>, RequestFields {
  /** The sum of its refunds, in the smallest unit of the currency. Absent: no refund. */
  readonly refundedAmount?: Minor;
}

/** The input that creates a payment request. @internal */
export const newPayment = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    amount: fields.amount.optional(),
    currency: fields.currency.optional(),
    recipient: fields.recipient,
    templateId: fields.templateId.optional(),
    dueDate: fields.dueDate.optional(),
    reference: fields.reference.optional(),
    metadata: fields.metadata.optional(),
  })
  .superRefine(checkNew('amount'), always)
  .register(documentation, { keywords: newKeywords('amount') });

/** Builds a new payment request. @internal */
export const makePayment = (
  account: AccountRef,
  input: z.output<typeof newPayment>,
  template: Defaults | undefined,
  context: NewContext,
): Result<PaymentRequest, Refusal> =>
  fillIn('amount', input, input.amount, template).map((given) => ({
    ...newRecord(account, 'pending', context),
    ...given,
  }));

const does = action<PaymentRequest>();

/** The inputs and effects of the commands on a payment request. @internal */
export const paymentActions = {
  change: does(
    z
      .strictObject({
        name: changes.name,
        description: changes.description,
        amount: fields.amount.optional(),
        currency: changes.currency,
        recipient: changes.recipient,
        dueDate: changes.dueDate,
        reference: changes.reference,
        metadata: changes.metadata,
      })
      .refine(notEmpty, emptyChange)
      .superRefine(checkSum('amount'), always)
      .register(documentation, { keywords: { ...atLeastOne, ...sumKeywords('amount') } }),
    (payment, { amount, currency, ...change }) =>
      readMoney('amount', amount, currency, payment.currency).andThen((money) =>
        changeFields(payment, { ...change, ...money }),
      ),
  ),
  setPaymentUrl: does(z.strictObject({ paymentUrl: fields.paymentUrl }), (payment, { paymentUrl }) =>
    ok({ ...payment, paymentUrl }),
  ),
  cancel: does(withReason),
  succeed: does(nothing),
  failTransaction: does(withReason),
  refund: does(
    z.strictObject({ amount: fields.amount.optional(), reason: fields.reason.optional() }).default({}),
    (payment, { amount: decimal }) => {
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
  ),
};

/** The partner's view of a payment request, as a schema. @internal */
export const paymentView = z.object({
  ...recordView,
  name: z.string(),
  description: z.string().optional(),
  amount: z.number(),
  currency: z.string(),
  refundedAmount: z.number().optional(),
  recipient: recipientView,
  templateId: z.string().optional(),
  dueDate: dateView.optional(),
  paymentUrl: urlView.optional(),
});

/** The partner's view of a payment request. @internal */
export const viewPayment = (payment: PaymentRequest): z.output<typeof paymentView> => {
  const { name, description, currency, refundedAmount, recipient, templateId, dueDate, paymentUrl } = payment;
  const refunded = refundedAmount === undefined ? undefined : toDecimal({ amount: refundedAmount, currency });
  return viewRecord(payment, {
    name,
    ...present({ description }),
    amount: toDecimal(payment),
    currency,
    recipient,
    ...present({ refundedAmount: refunded, templateId, dueDate, paymentUrl }),
  });
};
