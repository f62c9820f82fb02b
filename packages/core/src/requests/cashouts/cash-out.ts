import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import { type EpochMs, toSeconds } from '../../runtime/time.ts';
import { changeFields } from '../change-fields.ts';
import { action } from '../command.ts';
import { type CashOutStatus, type CashOutSummary, takesAmount } from '../deposits/cash-out-summary.ts';
import type { SecurityDeposit } from '../deposits/deposit.ts';
import { atLeastOne, changes, emptyChange, fields, notEmpty, nothing, present, prose, withReason } from '../fields.ts';
import { identified } from '../fill-in.ts';
import { type Minor, type Money, toDecimal, toMinor } from '../money.ts';
import { type Context, type NewContext, newRecord, type Recipient, type StoredRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { recipientView, recordView, secondsView, viewRecord } from '../view.ts';

/**
 * A cash-out of a security deposit, as stored, in the deposit's currency.
 * @public
 */
export interface CashOut extends StoredRecord<CashOutStatus>, Money {
  /** The deposit that it withdraws from. */
  readonly depositId: string;
  /** The deposit's recipient when the cash-out was created. */
  readonly recipient: Recipient;
  /** What it is for. */
  readonly description?: string;
  /** The recipient's statement in the last claim. */
  readonly claim?: string;
  /** When the recipient last claimed against it. */
  readonly claimedAt?: EpochMs;
}

/** {@link Context} of a command on a cash-out. @internal */
export interface CashOutContext extends Context {
  /** The deposit when the command is given. */
  readonly deposit: Pick<SecurityDeposit, 'amount' | 'currency' | 'cashOuts'>;
  /** Whether the command names the versions that it is meant for. */
  readonly isConditional: boolean;
}

/** Ended cash-outs count. Each event of a deposit contains a summary of all of them. */
const maxCashOuts = 50;

/** The amount of a cash-out, when it and the others fit into the deposit. */
const fits = (
  decimal: number,
  { currency, amount: deposited, cashOuts }: CashOutContext['deposit'],
  exceptId?: string,
): Result<Minor, Refusal> =>
  toMinor('/amount', decimal, currency).andThen((amount) => {
    const others = cashOuts.filter((each) => each.id !== exceptId && takesAmount(each));
    const taken = others.reduce((sum, each) => sum + each.amount, 0);
    return taken + amount <= deposited
      ? ok(amount)
      : err({ code: 'exceeds_deposit' as const, message: 'Open and done cash-outs would be more than the deposit.' });
  });

const amountMismatch: Refusal = {
  code: 'amount_mismatch',
  message: 'The cash-out has another amount than the accepted one: read it again.',
};
const readVersion = 'the version that was read (ifVersion, or over HTTP the ETag in If-Match)';
const versionRequired = (named: string): Refusal => ({
  code: 'version_required',
  message: `The offer may have changed since it was read: name ${named}.`,
});

/** The input that creates a cash-out. @internal */
export const newCashOut = z.strictObject({
  depositId: fields.depositId,
  amount: fields.amount,
  description: fields.description.optional(),
  reference: fields.reference.optional(),
  metadata: fields.metadata.optional(),
});

/** Builds a new cash-out. @internal */
export const makeCashOut = (
  { amount, description, ...input }: z.output<typeof newCashOut>,
  deposit: SecurityDeposit,
  context: NewContext,
): Result<CashOut, Refusal> => {
  if (deposit.cashOuts.length >= maxCashOuts)
    return err({ code: 'too_many_cash_outs', message: `A deposit has at most ${maxCashOuts} cash-outs.` });
  return fits(amount, deposit).map((minor) => ({
    ...newRecord({ id: deposit.accountId, environment: deposit.environment }, 'requested', context),
    depositId: deposit.id,
    amount: minor,
    currency: deposit.currency,
    recipient: deposit.recipient,
    ...(description === undefined ? {} : { description }),
    ...identified(input),
  }));
};

/** The summary of a cash-out that its deposit stores. @internal */
export const summaryOf = ({ id, status, amount, reference, claimedAt }: CashOut): CashOutSummary => ({
  id,
  status,
  amount,
  ...(reference === undefined ? {} : { reference }),
  ...(claimedAt === undefined ? {} : { claimedAt }),
});

const does = action<CashOut, CashOutContext>();

/** The inputs and effects of the commands on a cash-out. @internal */
export const cashOutActions = {
  change: does(
    z
      .strictObject({
        description: changes.description,
        reference: changes.reference,
        metadata: changes.metadata,
      })
      .refine(notEmpty, emptyChange)
      .register(documentation, { keywords: atLeastOne }),
    changeFields,
  ),
  cancel: does(withReason),
  claim: does(z.strictObject({ claim: prose.optional() }).default({}), (cashOut, { claim }, { now }) =>
    ok({ ...cashOut, claimedAt: now, ...(claim === undefined ? {} : { claim }) }),
  ),
  offer: does(
    z.strictObject({ amount: fields.amount, description: fields.description.optional() }),
    (cashOut, { amount, description }, { deposit }) =>
      fits(amount, deposit, cashOut.id).map((minor) => ({
        ...cashOut,
        amount: minor,
        ...(description === undefined ? {} : { description }),
      })),
  ),
  deny: does(withReason),
  accept: does(
    z.strictObject({ amount: fields.amount.optional() }).default({}),
    (cashOut, { amount }, { isConditional }) => {
      if (amount === undefined)
        return isConditional ? ok(cashOut) : err(versionRequired(`the accepted amount, or ${readVersion}`));
      return toMinor('/amount', amount, cashOut.currency).andThen((minor) =>
        minor === cashOut.amount ? ok(cashOut) : err(amountMismatch),
      );
    },
  ),
  settle: does(
    z.strictObject({ amount: fields.amount, reason: fields.reason.optional() }),
    (cashOut, { amount }, { deposit }) =>
      fits(amount, deposit, cashOut.id).map((minor) => ({ ...cashOut, amount: minor })),
  ),
  escrow: does(nothing),
  complete: does(nothing, (cashOut, _input, { isConditional }) =>
    cashOut.status === 'denied' && !isConditional ? err(versionRequired(readVersion)) : ok(cashOut),
  ),
  fail: does(withReason),
};

/** The partner's view of a cash-out, as a schema. @internal */
export const cashOutView = z.object({
  ...recordView,
  depositId: z.string(),
  amount: z.number(),
  currency: z.string(),
  recipient: recipientView,
  description: z.string().optional(),
  claim: z.string().optional(),
  claimedAt: secondsView.optional(),
});

/** The partner's view of a cash-out. @internal */
export const viewCashOut = (cashOut: CashOut): z.output<typeof cashOutView> => {
  const { depositId, currency, recipient, description, claim, claimedAt } = cashOut;
  return viewRecord(cashOut, {
    depositId,
    amount: toDecimal(cashOut),
    currency,
    recipient,
    ...present({ description, claim, claimedAt: claimedAt === undefined ? undefined : toSeconds(claimedAt) }),
  });
};
