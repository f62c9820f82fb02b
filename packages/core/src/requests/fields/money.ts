import { err, ok, type Result } from '#result';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import { decimalsOf } from './currencies.ts';

/**
 * An amount in the smallest unit of its currency: cents of EUR, yen of JPY, thousandths of KWD. A whole number.
 * @public
 */
export type MinorUnits = number;

/**
 * An exact amount of money.
 * @public
 */
export interface RequestMoney {
  /** In the smallest unit of the currency. */
  readonly amount: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
}

/** The largest amount: 12 digits, which a JSON number holds exactly with any number of decimals. */
export const maxMinor: MinorUnits = 999_999_999_999;

/** The rule of {@link maxMinor}, in words. */
export const tooManyDigits = 'at most 12 digits, those after the point included.';

/** The decimal number that represents an amount in JSON. */
export const toDecimal = ({ amount, currency }: RequestMoney): number =>
  Number(`${amount}e-${decimalsOf.get(currency) ?? 0}`);

/** Reads a decimal number of JSON as an amount: above 0, with no more decimals than its currency. */
export const toMinor = (pointer: string, decimal: number, currency: string): Result<MinorUnits, CommandRefusal> => {
  const decimals = decimalsOf.get(currency);
  if (decimals === undefined) return err(wrongField('/currency', 'a currency code of ISO 4217.'));
  if (!(decimal > 0)) return err(wrongField(pointer, 'more than 0.'));
  // String() gives the shortest text of the same number, which is what the partner wrote.
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(decimal)) ?? [];
  const amount = Number(whole + fraction.padEnd(decimals, '0'));
  if (decimal >= 1 && (whole === '' || Number(whole) > maxMinor / 10 ** decimals))
    return err(wrongField(pointer, tooManyDigits));
  if (whole === '' || fraction.length > decimals)
    return err(wrongField(pointer, `at most ${decimals} decimals in ${currency}.`));
  return ok(amount);
};

/** Reads an optional amount: amount and currency go together. Without a currency, `otherwise` applies. */
export const readMoney = (
  field: string,
  decimal: number | undefined,
  currency: string | undefined,
  otherwise?: string,
): Result<RequestMoney | undefined, CommandRefusal> => {
  if (decimal === undefined && currency === undefined) return ok(undefined);
  if (decimal === undefined) return err(wrongField(`/${field}`, 'goes together with currency.'));
  const known = currency ?? otherwise;
  if (known === undefined) return err(wrongField('/currency', `goes together with ${field}.`));
  return toMinor(`/${field}`, decimal, known).map((amount) => ({ amount, currency: known }));
};
