import { expect, test } from 'vitest';
import { decimalsOf } from '../../../core/src/requests/fields/currencies.ts';
import { toDecimal } from '../../../core/src/requests/fields/money.ts';
import { createTexts } from '../../src/element/i18n.ts';

/** The number in a text. A symbol may have a point, too. */
const readOff = (text: string): string => (/\d+(?:[.,]\d+)?/.exec(text)?.[0] ?? '').replace(',', '.');

test.each(['en', 'de', 'fr'])(
  'one minor unit of each currency is on the screen in %s, and no other amount',
  (language) => {
    const { money } = createTexts(language);
    const shown = [...decimalsOf].map(([currency, decimals]) => [
      ...[currency, readOff(money(toDecimal({ amount: 1, currency }), currency))],
      readOff(money(toDecimal({ amount: 120, currency }), currency)),
      decimals,
    ]);
    const one = ['1', '0.1', '0.01', '0.001'];
    const hundred = ['120', '12.0', '1.20', '0.120'];
    expect(shown).toEqual(
      [...decimalsOf].map(([currency, decimals]) => [currency, one[decimals], hundred[decimals], decimals]),
    );
  },
);

test('amounts of currencies that cash rounds keep their minor units', () => {
  const { money } = createTexts('en');
  expect([money(10.5, 'HUF'), money(1_234.56, 'COP'), money(0.01, 'IDR'), money(1_000, 'JPY')]).toEqual([
    ...['HUF\u00a010.50', 'COP\u00a01,234.56', 'IDR\u00a00.01', '¥1,000'],
  ]);
});
