import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type EpochMs, toSeconds } from '../../runtime/time.ts';
import { type CashOut, isOpen } from '../cashouts/cash-out.ts';
import { action } from '../decide.ts';
import { born, changeFields, type Defaults, emptyChange, fields, fillIn, notEmpty, nothing } from '../fields.ts';
import { readMoney, toDecimal } from '../money.ts';
import type { Asked, Context, Owner, Recorded } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkNew, checkSum } from '../sum.ts';

/** The states of a security deposit. @public */
export type DepositStatus = 'pending' | 'in_progress' | 'litigation' | 'finished' | 'cancelled' | 'error';

/**
 * A security deposit, as it is stored. Its `amount` is what is deposited.
 * @public
 */
export interface SecurityDeposit extends Recorded<DepositStatus>, Asked {
  /** When the recipient last entered personal information. */
  readonly registeredAt?: EpochMs;
  readonly checkedInAt?: EpochMs;
  readonly checkedOutAt?: EpochMs;
  /** Oldest first, whatever became of them. */
  readonly cashOuts: readonly CashOut[];
}

/** What makes a security deposit. @internal */
export const newDeposit = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    depositAmount: fields.amount.optional(),
    currency: fields.currency.optional(),
    recipient: fields.recipient,
    templateId: fields.templateId.optional(),
  })
  .superRefine(checkNew('depositAmount'), always);

/** @internal */
export const makeDeposit = (
  owner: Owner,
  input: z.output<typeof newDeposit>,
  template: Defaults | undefined,
  context: Context,
): Result<SecurityDeposit, Refusal> =>
  readMoney('depositAmount', input.depositAmount, input.currency)
    .andThen((money) => fillIn('depositAmount', input, money, template))
    .map((asked) => ({ ...born(owner, 'pending', context), ...asked, cashOuts: [] }));

const does = action<SecurityDeposit>();
const refuse = (code: 'already_done' | 'not_checked_in' | 'open_cash_outs', detail: string): Result<never, Refusal> =>
  err({ code, detail });

/** What the commands of a security deposit take and change. @internal */
export const depositActions = {
  change: does(
    z
      .strictObject({
        name: fields.name.optional(),
        description: fields.description.nullable().optional(),
        depositAmount: fields.amount.optional(),
        currency: fields.currency.optional(),
        recipient: fields.recipient.optional(),
      })
      .refine(notEmpty, emptyChange)
      .superRefine(checkSum('depositAmount'), always),
    (deposit, { depositAmount, currency, ...change }) =>
      readMoney('depositAmount', depositAmount, currency).map((money) =>
        changeFields(deposit, { ...change, ...money }),
      ),
  ),
  cancel: does(nothing),
  registerUser: does(z.strictObject({ name: fields.name.optional() }).default({}), (deposit, { name }, { now }) =>
    ok({
      ...deposit,
      registeredAt: now,
      recipient: name === undefined ? deposit.recipient : { ...deposit.recipient, name },
    }),
  ),
  succeedTransaction: does(nothing),
  failTransaction: does(nothing),
  cancelTransaction: does(nothing),
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
  litigate: does(nothing),
  fail: does(nothing),
};

/** What partners see of a security deposit. @internal */
export const depositView = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  description: z.string().optional(),
  depositAmount: z.number(),
  currency: z.string(),
  recipient: z.object({ email: z.string(), name: z.string().optional() }),
  templateId: z.string().optional(),
  registeredAt: z.number().optional(),
  checkedInAt: z.number().optional(),
  checkedOutAt: z.number().optional(),
  cashOuts: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      amount: z.number(),
      currency: z.string(),
      reason: z.string().optional(),
      claim: z.string().optional(),
      createdAt: z.number(),
      updatedAt: z.number(),
    }),
  ),
  createdAt: z.number(),
  updatedAt: z.number(),
});

const second = (name: 'registeredAt' | 'checkedInAt' | 'checkedOutAt', at: EpochMs | undefined) =>
  at === undefined ? {} : { [name]: toSeconds(at) };

/** @internal */
export const viewCashOut = (
  { id, status, amount, reason, claim, createdAt, updatedAt }: CashOut,
  { currency }: Pick<SecurityDeposit, 'currency'>,
): z.output<typeof depositView>['cashOuts'][number] => ({
  id,
  status,
  amount: toDecimal({ amount, currency }),
  currency,
  ...(reason === undefined ? {} : { reason }),
  ...(claim === undefined ? {} : { claim }),
  createdAt: toSeconds(createdAt),
  updatedAt: toSeconds(updatedAt),
});

/** @internal */
export const viewDeposit = (deposit: SecurityDeposit): z.output<typeof depositView> => ({
  id: deposit.id,
  name: deposit.name,
  status: deposit.status,
  ...(deposit.description === undefined ? {} : { description: deposit.description }),
  depositAmount: toDecimal(deposit),
  currency: deposit.currency,
  recipient: deposit.recipient,
  ...(deposit.templateId === undefined ? {} : { templateId: deposit.templateId }),
  ...second('registeredAt', deposit.registeredAt),
  ...second('checkedInAt', deposit.checkedInAt),
  ...second('checkedOutAt', deposit.checkedOutAt),
  cashOuts: deposit.cashOuts.map((cashOut) => viewCashOut(cashOut, deposit)),
  createdAt: toSeconds(deposit.createdAt),
  updatedAt: toSeconds(deposit.updatedAt),
});
