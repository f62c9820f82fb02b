import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import { type EpochMs, toSeconds } from '../../runtime/time.ts';
import { changeFields } from '../change-fields.ts';
import { action } from '../command.ts';
import { atLeastOne, changes, emptyChange, fields, notEmpty, nothing, present, withReason } from '../fields.ts';
import { type Defaults, fillIn } from '../fill-in.ts';
import { readMoney, toDecimal } from '../money.ts';
import { type AccountRef, type NewContext, newRecord, type RequestFields, type StoredRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkNew, checkSum, newKeywords, sumKeywords } from '../sum.ts';
import { dateView, recipientView, recordView, secondsView, urlView, viewRecord } from '../view.ts';
import type { CashOutSummary } from './cash-out-summary.ts';
import { isDisputed, isOpen } from './cash-out-summary.ts';

/** The states of a security deposit; `finished`, `cancelled` and `error` are final. @public */
export type DepositStatus = 'pending' | 'in_progress' | 'litigation' | 'finished' | 'cancelled' | 'error';

/**
 * A security deposit, as stored. `amount` is the deposited amount.
 * @public
 */
export interface SecurityDeposit extends StoredRecord<DepositStatus>, RequestFields {
  /** The period that it covers, as calendar dates. */
  readonly stay?: {
    /** First day: `YYYY-MM-DD`. */
    readonly from: string;
    /** Last day: `YYYY-MM-DD`. */
    readonly to: string;
  };
  /** When the recipient last entered personal information. */
  readonly registeredAt?: EpochMs;
  /** When the entry inspection was recorded. */
  readonly checkedInAt?: EpochMs;
  /** When the exit inspection was recorded. */
  readonly checkedOutAt?: EpochMs;
  /** All of its cash-outs, oldest first; at most 50. */
  readonly cashOuts: readonly CashOutSummary[];
}

/** The input that creates a security deposit. @internal */
export const newDeposit = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    depositAmount: fields.amount.optional(),
    currency: fields.currency.optional(),
    recipient: fields.recipient,
    templateId: fields.templateId.optional(),
    dueDate: fields.dueDate.optional(),
    stay: fields.stay.optional(),
    reference: fields.reference.optional(),
    metadata: fields.metadata.optional(),
  })
  .superRefine(checkNew('depositAmount'), always)
  .register(documentation, { keywords: newKeywords('depositAmount') });

/** Builds a new security deposit. @internal */
export const makeDeposit = (
  account: AccountRef,
  input: z.output<typeof newDeposit>,
  template: Defaults | undefined,
  context: NewContext,
): Result<SecurityDeposit, Refusal> =>
  fillIn('depositAmount', input, input.depositAmount, template).map((given) => ({
    ...newRecord(account, 'pending', context),
    ...given,
    ...(input.stay ? { stay: input.stay } : {}),
    cashOuts: [],
  }));

const does = action<SecurityDeposit>();
const refuse = (
  code: 'already_done' | 'not_checked_in' | 'open_cash_outs' | 'no_dispute',
  message: string,
): Result<never, Refusal> => err({ code, message });

/** The inputs and effects of the commands on a security deposit. @internal */
export const depositActions = {
  change: does(
    z
      .strictObject({
        name: changes.name,
        description: changes.description,
        depositAmount: fields.amount.optional(),
        currency: changes.currency,
        recipient: changes.recipient,
        dueDate: changes.dueDate,
        stay: changes.stay,
        reference: changes.reference,
        metadata: changes.metadata,
      })
      .refine(notEmpty, emptyChange)
      .superRefine(checkSum('depositAmount'), always)
      .register(documentation, { keywords: { ...atLeastOne, ...sumKeywords('depositAmount') } }),
    (deposit, { depositAmount, currency, ...change }) =>
      readMoney('depositAmount', depositAmount, currency, deposit.currency).andThen((money) =>
        changeFields(deposit, { ...change, ...money }),
      ),
  ),
  setPaymentUrl: does(z.strictObject({ paymentUrl: fields.paymentUrl }), (deposit, { paymentUrl }) =>
    ok({ ...deposit, paymentUrl }),
  ),
  cancel: does(withReason),
  registerUser: does(z.strictObject({ name: fields.name.optional() }).default({}), (deposit, { name }, { now }) =>
    ok({
      ...deposit,
      registeredAt: now,
      recipient: name === undefined ? deposit.recipient : { ...deposit.recipient, name },
    }),
  ),
  succeedTransaction: does(nothing),
  failTransaction: does(withReason),
  cancelTransaction: does(withReason),
  succeedDeposit: does(nothing),
  checkIn: does(nothing, (deposit, _input, { now }) =>
    deposit.checkedInAt === undefined
      ? ok({ ...deposit, checkedInAt: now })
      : refuse('already_done', 'The entry inspection was done before.'),
  ),
  checkOut: does(nothing, (deposit, _input, { now }) => {
    if (deposit.checkedInAt === undefined) return refuse('not_checked_in', 'The entry inspection comes first.');
    if (deposit.checkedOutAt !== undefined) return refuse('already_done', 'The exit inspection was done before.');
    return ok({ ...deposit, checkedOutAt: now });
  }),
  finish: does(nothing, (deposit) =>
    deposit.cashOuts.some(isOpen) ? refuse('open_cash_outs', 'A cash-out is open: it must end first.') : ok(deposit),
  ),
  litigate: does(withReason, (deposit) =>
    deposit.cashOuts.some(isDisputed)
      ? ok(deposit)
      : refuse('no_dispute', 'No cash-out is in dispute: the recipient must claim against one first.'),
  ),
  resume: does(withReason),
  fail: does(withReason),
};

/** The partner's view of a security deposit, as a schema. Events of a cash-out add it as `cashOut`. @internal */
export const depositView = z.object({
  ...recordView,
  name: z.string(),
  description: z.string().optional(),
  depositAmount: z.number(),
  currency: z.string(),
  recipient: recipientView,
  templateId: z.string().optional(),
  dueDate: dateView.optional(),
  stay: z.object({ from: dateView, to: dateView }).optional(),
  paymentUrl: urlView.optional(),
  registeredAt: secondsView.optional(),
  checkedInAt: secondsView.optional(),
  checkedOutAt: secondsView.optional(),
  cashOuts: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      amount: z.number(),
      currency: z.string(),
      reference: z.string().optional(),
    }),
  ),
});

const seconds = (at: EpochMs | undefined): number | undefined => (at === undefined ? undefined : toSeconds(at));

/** The partner's view of a security deposit. @internal */
export const viewDeposit = (deposit: SecurityDeposit): z.output<typeof depositView> => {
  const { name, description, currency, recipient, templateId, dueDate, stay, paymentUrl, cashOuts } = deposit;
  return viewRecord(deposit, {
    name,
    ...present({ description }),
    depositAmount: toDecimal(deposit),
    currency,
    recipient,
    ...present({
      templateId,
      dueDate,
      stay,
      paymentUrl,
      registeredAt: seconds(deposit.registeredAt),
      checkedInAt: seconds(deposit.checkedInAt),
      checkedOutAt: seconds(deposit.checkedOutAt),
    }),
    cashOuts: cashOuts.map(({ id, status, amount, reference }) => ({
      id,
      status,
      amount: toDecimal({ amount, currency }),
      currency,
      ...present({ reference }),
    })),
  });
};
