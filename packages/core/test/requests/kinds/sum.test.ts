import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Rules } from '../../../src/requests/kinds/define-kind.ts';
import { changedSum, newSum, wholeSum } from '../../../src/requests/kinds/sum.ts';

/** What the rules say of fields, one line for each. */
const problemsOf = ({ check = () => undefined }: Rules, fields: object): readonly string[] => {
  const read = z.looseObject({}).superRefine(check).safeParse(fields);
  return (read.error?.issues ?? []).map(({ path, message }) => `/${path.join('/')} ${message}`);
};
const missing = 'missing, and no template gives it.';
const [amount, currency] = [`/amount ${missing}`, '/currency goes together with amount.'];
const tooFine = '/amount at most 2 decimals in EUR.';
const tooLarge = '/amount at most 12 digits, those after the point included.';
const alone = '/amount goes together with currency.';

/** What every command checks where it has a currency. */
const sums: readonly (readonly [fields: object, problem: readonly string[]])[] = [
  [{ amount: 5, currency: 'EUR' }, []],
  [{ amount: 0.01, currency: 'EUR' }, []],
  [{ amount: 0.001, currency: 'EUR' }, [tooFine]],
  [{ amount: 1e10, currency: 'EUR' }, [tooLarge]],
  [{ currency: 'EUR' }, [alone]],
  // The schemas of the fields report these.
  [{ amount: 0, currency: 'EUR' }, []],
  [{ amount: -0.001, currency: 'EUR' }, []],
  [{ amount: '0.001', currency: 'EUR' }, []],
  [{ amount: true, currency: 'EUR' }, []],
  [{ amount: null, currency: 'EUR' }, []],
  [{ amount: 5, currency: 'XXX' }, []],
  [{ amount: 0.001, currency: 5 }, []],
];

test.each([
  ...sums,
  // The object has its currency.
  [{ amount: 0.001 }, []],
  [{}, []],
] as const)('a change with %j', (fields, problems) => {
  expect(problemsOf(changedSum('amount'), fields)).toEqual(problems);
});

test.each([...sums, [{ amount: 5 }, [currency]], [{}, []]] as const)('a template with %j', (fields, problems) => {
  expect(problemsOf(wholeSum('amount'), fields)).toEqual(problems);
});

test.each([
  ...sums.map(([fields, problems]) => [{ name: 'Stay', ...fields }, problems] as const),
  ...sums.map(([fields, problems]) => [{ templateId: 't', ...fields }, problems] as const),
  [{ name: 'Stay', amount: 5 }, [currency]],
  [{ name: 'Stay' }, [amount]],
  [{ amount: 5, currency: 'EUR' }, [`/name ${missing}`]],
  [{}, [`/name ${missing}`, amount]],
  [{ templateId: 't' }, []],
  [{ templateId: 't', amount: 0.001 }, []],
  [{ templateId: 't', name: 'Stay' }, []],
] as const)('a new request with %j', (fields, problems) => {
  expect(problemsOf(newSum('amount'), fields)).toEqual(problems);
});

test('a deposit has another field for its amount', () => {
  expect(problemsOf(newSum('depositAmount'), { name: 'Stay', currency: 'EUR', amount: 5 })).toEqual([
    '/depositAmount goes together with currency.',
  ]);
});

test('the document states what JSON Schema can', () => {
  const together = { currency: ['amount'] };
  expect(changedSum('amount').keywords).toEqual({ dependentRequired: together });
  expect(wholeSum('amount').keywords).toEqual({ dependentRequired: { ...together, amount: ['currency'] } });
  expect(JSON.parse(JSON.stringify(newSum('amount').keywords))).toEqual({
    dependentRequired: { ...together, variables: ['templateId'] },
    if: { properties: { templateId: false } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      title: 'Without a template',
      properties: { name: true, amount: true, currency: true },
      required: ['name', 'amount', 'currency'],
      additionalProperties: true,
    },
    else: { title: 'With a template' },
  });
});
