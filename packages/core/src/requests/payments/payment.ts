import type { Result } from 'neverthrow';
import { z } from 'zod';
import { toSeconds } from '../../runtime/time.ts';
import { action } from '../decide.ts';
import { born, changeFields, type Defaults, emptyChange, fields, fillIn, notEmpty, nothing } from '../fields.ts';
import { readMoney, toDecimal } from '../money.ts';
import type { Asked, Context, Owner, Recorded } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkNew, checkSum } from '../sum.ts';

/** The states of a payment request. @public */
export type PaymentStatus = 'pending' | 'payed' | 'cancelled';

/**
 * A payment request, as it is stored.
 * @public
 */
export interface PaymentRequest extends Recorded<PaymentStatus>, Asked {}

/** What makes a payment request. @internal */
export const newPayment = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    amount: fields.amount.optional(),
    currency: fields.currency.optional(),
    recipient: fields.recipient,
    templateId: fields.templateId.optional(),
  })
  .superRefine(checkNew('amount'), always);

/** @internal */
export const makePayment = (
  owner: Owner,
  input: z.output<typeof newPayment>,
  template: Defaults | undefined,
  context: Context,
): Result<PaymentRequest, Refusal> =>
  readMoney('amount', input.amount, input.currency)
    .andThen((money) => fillIn('amount', input, money, template))
    .map((asked) => ({ ...born(owner, 'pending', context), ...asked }));

const does = action<PaymentRequest>();

/** What the commands of a payment request take and change. @internal */
export const paymentActions = {
  change: does(
    z
      .strictObject({
        name: fields.name.optional(),
        description: fields.description.nullable().optional(),
        amount: fields.amount.optional(),
        currency: fields.currency.optional(),
        recipient: fields.recipient.optional(),
      })
      .refine(notEmpty, emptyChange)
      .superRefine(checkSum('amount'), always),
    (payment, { amount, currency, ...change }) =>
      readMoney('amount', amount, currency).map((money) => changeFields(payment, { ...change, ...money })),
  ),
  cancel: does(nothing),
  succeed: does(nothing),
  failTransaction: does(nothing),
};

/** What partners see of a payment request. @internal */
export const paymentView = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  description: z.string().optional(),
  amount: z.number(),
  currency: z.string(),
  recipient: z.object({ email: z.string(), name: z.string().optional() }),
  templateId: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});

/** @internal */
export const viewPayment = (payment: PaymentRequest): z.output<typeof paymentView> => ({
  id: payment.id,
  name: payment.name,
  status: payment.status,
  ...(payment.description === undefined ? {} : { description: payment.description }),
  amount: toDecimal(payment),
  currency: payment.currency,
  recipient: payment.recipient,
  ...(payment.templateId === undefined ? {} : { templateId: payment.templateId }),
  createdAt: toSeconds(payment.createdAt),
  updatedAt: toSeconds(payment.updatedAt),
});
