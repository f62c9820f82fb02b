import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalsOf } from '../../../src/requests/fields/currencies.ts';
import { maxMinor, readMoney, toDecimal, toMinor } from '../../../src/requests/fields/money.ts';
import { runs } from '../../support/runs.ts';

const currency = fc.constantFrom(...decimalsOf.keys());
const amount = fc.integer({ min: 1, max: maxMinor });
const detailOf = (decimal: number, code: string): string => {
  const refused = toMinor('/amount', decimal, code)._unsafeUnwrapErr();
  return refused.code === 'invalid_input' ? `${refused.errors[0].pointer}: ${refused.errors[0].detail}` : refused.code;
};

test('an amount survives a round trip through JSON', () => {
  fc.assert(
    fc.property(amount, currency, (minor, code) => {
      const decimal: number = JSON.parse(JSON.stringify(toDecimal({ amount: minor, currency: code })));
      expect(toMinor('/amount', decimal, code)._unsafeUnwrap()).toBe(minor);
    }),
    runs,
  );
});

test('what is written with too many decimals is refused, however small', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 1, max: 9 }),
      currency,
      (whole, digit, code) => {
        const decimals = decimalsOf.get(code) ?? 0;
        const finer = Number(`${whole}.${'0'.repeat(decimals)}${digit}`);
        expect(detailOf(finer, code)).toBe(`/amount: at most ${decimals} decimals in ${code}.`);
      },
    ),
    runs,
  );
});

test.each([
  [12.34, 'EUR', 1_234],
  [0.01, 'EUR', 1],
  [1, 'JPY', 1],
  [1.234, 'KWD', 1_234],
  [9_999_999_999.99, 'EUR', maxMinor],
  [999_999_999_999, 'JPY', maxMinor],
])('%d %s is %d', (decimal, code, minor) => {
  expect(toMinor('/amount', decimal, code).unwrapOr(undefined)).toBe(minor);
});

test.each([
  [0, 'EUR', 'more than 0.'],
  [-0, 'EUR', 'more than 0.'],
  [-1, 'EUR', 'more than 0.'],
  [Number.NaN, 'EUR', 'more than 0.'],
  [0.001, 'EUR', 'at most 2 decimals in EUR.'],
  [0.1 + 0.2, 'EUR', 'at most 2 decimals in EUR.'],
  [1e-7, 'EUR', 'at most 2 decimals in EUR.'],
  [1.5e-7, 'EUR', 'at most 2 decimals in EUR.'],
  [0.5, 'JPY', 'at most 0 decimals in JPY.'],
  [10_000_000_000, 'EUR', 'at most 12 digits, those after the point included.'],
  [1e21, 'EUR', 'at most 12 digits, those after the point included.'],
  [Number.POSITIVE_INFINITY, 'EUR', 'at most 12 digits, those after the point included.'],
  [1_000_000_000_000, 'JPY', 'at most 12 digits, those after the point included.'],
])('%d %s is refused: %s', (decimal, code, detail) => {
  expect(detailOf(decimal, code)).toBe(`/amount: ${detail}`);
});

test('an unknown currency is refused', () => {
  for (const code of ['', 'eur', 'EURO', 'XXX', 'XAU', '__proto__']) expect(detailOf(1, code)).toContain('/currency');
});

test('both bolívars of Venezuela are currencies, and what ISO 4217 has withdrawn is none', () => {
  for (const code of ['VED', 'VES', 'XCG', 'ZWG', 'SLE', 'MRU', 'STN'])
    expect([code, toMinor('/amount', 12.34, code).unwrapOr(undefined)]).toEqual([code, 1_234]);
  for (const code of ['VEF', 'ANG', 'ZWL', 'SLL', 'MRO', 'STD', 'HRK', 'BGN', 'CUC', 'BYR'])
    expect(detailOf(1, code)).toBe('/currency: a currency code of ISO 4217.');
});

test('amount and currency are given together or not at all', () => {
  expect(readMoney('amount', undefined, undefined)._unsafeUnwrap()).toBeUndefined();
  expect(readMoney('amount', 5, 'EUR')._unsafeUnwrap()).toEqual({ amount: 500, currency: 'EUR' });
  expect(readMoney('amount', 5, undefined, 'JPY')._unsafeUnwrap()).toEqual({ amount: 5, currency: 'JPY' });
  expect(readMoney('amount', 5, 'EUR', 'JPY')._unsafeUnwrap()).toEqual({ amount: 500, currency: 'EUR' });
  const halves = [readMoney('amount', 5, undefined), readMoney('amount', undefined, 'EUR')];
  expect(halves.map((half) => half._unsafeUnwrapErr())).toMatchObject([
    { code: 'invalid_input', errors: [{ pointer: '/currency', detail: 'goes together with amount.' }] },
    { code: 'invalid_input', errors: [{ pointer: '/amount', detail: 'goes together with currency.' }] },
  ]);
});
