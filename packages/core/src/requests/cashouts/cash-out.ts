import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { EpochMs } from '../../runtime/time.ts';
import { action } from '../decide.ts';
import { fields, nothing, prose } from '../fields.ts';
import { type Minor, type Money, toMinor } from '../money.ts';
import type { Context } from '../record.ts';
import type { Refusal } from '../refusal.ts';

/** The states of a cash-out. @public */
export type CashOutStatus =
  | 'requested'
  | 'claimed'
  | 'denied'
  | 'accepted'
  | 'escrowed'
  | 'done'
  | 'cancelled'
  | 'failed';

/**
 * A cash-out, as it is stored in its deposit, in the currency of that.
 * @public
 */
export interface CashOut {
  readonly id: string;
  readonly status: CashOutStatus;
  readonly amount: Minor;
  readonly reason?: string;
  /** What the recipient said against it. */
  readonly claim?: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** The deposit, as far as its cash-outs look at it. */
interface Deposited extends Money {
  readonly cashOuts: readonly CashOut[];
}

/** What a command on a cash-out is given beside its input. @internal */
export interface CashOutContext extends Context {
  readonly deposit: Deposited;
}

/** So many cash-outs, ended ones included, fit into the events of a deposit. */
const mostCashOuts = 50;

/** Whether something is still to become of it. @internal */
export const isOpen = ({ status }: CashOut): boolean => !['done', 'cancelled', 'failed'].includes(status);
const takes = ({ status }: CashOut): boolean => status !== 'cancelled' && status !== 'failed';

/** The amount of a cash-out, if it and the others fit into the deposit. */
const fits = (
  decimal: number,
  { currency, amount: most, cashOuts }: Deposited,
  except?: string,
): Result<Minor, Refusal> =>
  toMinor('/amount', decimal, currency).andThen((amount) => {
    const others = cashOuts.filter((each) => each.id !== except && takes(each));
    const taken = others.reduce((sum, each) => sum + each.amount, 0);
    return taken + amount <= most
      ? ok(amount)
      : err({ code: 'exceeds_deposit' as const, detail: 'Open and done cash-outs would be more than the deposit.' });
  });

/** What makes a cash-out. @internal */
export const newCashOut = z.strictObject({ amount: fields.amount, reason: prose.optional() });

/** @internal */
export const makeCashOut = (
  { amount, reason }: z.output<typeof newCashOut>,
  { deposit, now, newId }: CashOutContext,
): Result<CashOut, Refusal> => {
  if (deposit.cashOuts.length >= mostCashOuts)
    return err({ code: 'too_many_cash_outs', detail: `A deposit has at most ${mostCashOuts} cash-outs.` });
  return fits(amount, deposit).map((minor) => ({
    id: newId(),
    status: 'requested',
    amount: minor,
    ...(reason === undefined ? {} : { reason }),
    createdAt: now,
    updatedAt: now,
  }));
};

const does = action<CashOut, CashOutContext>();

/** What the commands of a cash-out take and change. @internal */
export const cashOutActions = {
  cancel: does(nothing),
  claim: does(z.strictObject({ claim: prose.optional() }).default({}), (cashOut, { claim }) =>
    ok(claim === undefined ? cashOut : { ...cashOut, claim }),
  ),
  offer: does(
    z.strictObject({ amount: fields.amount, reason: prose.optional() }),
    (cashOut, { amount, reason }, { deposit }) =>
      fits(amount, deposit, cashOut.id).map((minor) => ({
        ...cashOut,
        amount: minor,
        ...(reason === undefined ? {} : { reason }),
      })),
  ),
  deny: does(nothing),
  accept: does(nothing),
  escrow: does(nothing),
  complete: does(nothing),
  fail: does(nothing),
};
