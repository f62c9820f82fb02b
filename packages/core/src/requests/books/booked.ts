import { err, ok, type Result } from '#result';
import { type RequestMoney, toDecimal } from '../fields/money.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { type Books, filled } from './books.ts';

const refuse = (message: string): Result<never, CommandRefusal> => err({ code: 'money_booked', message });

/** What is taken and was not given back, and what is reserved and was neither taken nor released. */
const bookedOf = ({ sums }: Books): number => {
  const { charged, captured, secured, released, ...back } = filled(sums);
  const givenBack = back.refunded + back.returned + back.chargedBack - back.chargebackReversed;
  return Math.max(0, charged + captured - givenBack) + Math.max(0, secured - captured - released);
};

/** Refuses to end an object while money is booked for it. */
export const withoutMoney = (books: Books): Result<void, CommandRefusal> =>
  bookedOf(books) > 0 ? refuse('Money is booked for it: release or refund it first.') : ok();

/**
 * Refuses a change of what gives the booked numbers their meaning: another currency after the first of them, and an
 * amount below what is booked.
 */
export const mayBecome = (
  books: Books,
  { currency }: Pick<RequestMoney, 'currency'>,
  to: RequestMoney | undefined,
): Result<RequestMoney | undefined, CommandRefusal> => {
  if (!to) return ok(to);
  if (to.currency !== currency && Object.values(books.sums).some((sum) => sum > 0))
    return refuse(`Money was booked in ${currency}: its currency stays.`);
  const amount = bookedOf(books);
  return to.amount < amount
    ? refuse(`${toDecimal({ amount, currency })} ${currency} are booked: its amount cannot be less.`)
    : ok(to);
};
