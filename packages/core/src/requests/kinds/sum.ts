import type { z } from 'zod';
import { decimalsOf } from '../fields/currencies.ts';
import { readMoney } from '../fields/money.ts';
import type { Rules } from './define-kind.ts';

type AmountField = 'amount' | 'depositAmount';
type Fields = Readonly<Record<string, unknown>>;
type Check = (fields: Fields, context: z.core.$RefinementCtx) => void;

const isKnown = (currency: unknown): currency is string => typeof currency === 'string' && decimalsOf.has(currency);
const missing = 'missing, and no template gives it.';

/** Reports an amount that is too large or has too many decimals, and a currency without an amount. */
const checkSum =
  (field: AmountField): Check =>
  ({ [field]: decimal, currency }, context) => {
    // The template or the object may have the currency: the command checks the amount.
    if (currency === undefined) return;
    // The schema has reported a malformed amount or currency.
    if (decimal !== undefined && !(typeof decimal === 'number' && decimal > 0 && isKnown(currency))) return;
    const read = readMoney(field, decimal as number | undefined, currency as string);
    if (read.isOk() || read.error.code !== 'invalid_input') return;
    for (const { pointer, detail } of read.error.errors)
      context.addIssue({ code: 'custom', path: [pointer.slice(1)], message: detail });
  };

/** {@link checkSum} of a new request, and the fields that it needs without a template. */
const checkNew = (field: AmountField): Check => {
  const check = checkSum(field);
  return (fields, context) => {
    const { name, templateId, currency, [field]: decimal } = fields;
    const report = (path: string, message = missing): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (templateId === undefined && name === undefined) report('name');
    if (templateId === undefined && decimal === undefined && currency === undefined) report(field);
    if (templateId === undefined && decimal !== undefined && currency === undefined)
      report('currency', `goes together with ${field}.`);
    check(fields, context);
  };
};

/** {@link checkSum} of a new template, which has amount and currency, or neither. */
const checkWhole = (field: AmountField): Check => {
  const check = checkSum(field);
  return (fields, context) => {
    if (fields[field] !== undefined && fields['currency'] === undefined)
      context.addIssue({ code: 'custom', path: ['currency'], message: `goes together with ${field}.` });
    check(fields, context);
  };
};

/** The rules of a change: a currency has an amount. */
export const changedSum = (field: AmountField): Rules => ({
  check: checkSum(field),
  keywords: { dependentRequired: { currency: [field] } },
});

/** The rules of a new request: without a template, it needs a name, an amount and a currency. */
export const newSum = (field: AmountField): Rules => ({
  check: checkNew(field),
  keywords: {
    dependentRequired: { currency: [field], variables: ['templateId'] },
    if: { properties: { templateId: false } },
    // Some tools refuse further fields wherever a schema with `properties` does not allow them.
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      title: 'Without a template',
      properties: { name: true, [field]: true, currency: true },
      required: ['name', field, 'currency'],
      additionalProperties: true,
    },
    else: { title: 'With a template' },
  },
});

/** The rules of a new template: amount and currency go together. */
export const wholeSum = (field: AmountField): Rules => ({
  check: checkWhole(field),
  keywords: { dependentRequired: { currency: [field], [field]: ['currency'] } },
});
