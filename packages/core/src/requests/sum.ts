import type { z } from 'zod';
import { decimalsOf } from './currencies.ts';
import { readMoney } from './money.ts';

type AmountField = 'amount' | 'depositAmount';
type Fields = Readonly<Record<string, unknown>>;
type Check = (fields: Fields, context: z.core.$RefinementCtx) => void;

const isKnown = (currency: unknown): currency is string => typeof currency === 'string' && decimalsOf.has(currency);
const missing = 'missing, and no template gives it.';

/** Names what is wrong with a sum beside its single fields: half of it is missing, or it is too large or too fine for its currency. @internal */
export const checkSum =
  (field: AmountField): Check =>
  ({ [field]: decimal, currency }, context) => {
    const half = decimal === undefined || currency === undefined;
    // The schema has named an amount that is none, and a currency that is none.
    if (!half && !(typeof decimal === 'number' && decimal > 0 && isKnown(currency))) return;
    const read = readMoney(field, decimal as number | undefined, currency as string | undefined);
    if (read.isOk() || read.error.code !== 'invalid_input') return;
    for (const { pointer, detail } of read.error.errors)
      context.addIssue({ code: 'custom', path: [pointer.slice(1)], message: detail });
  };

/** {@link checkSum} of a new request, and what it must bring when no template is named. @internal */
export const checkNew = (field: AmountField): Check => {
  const check = checkSum(field);
  return (fields, context) => {
    const { name, templateId, currency, [field]: decimal } = fields;
    const report = (path: string): void => context.addIssue({ code: 'custom', path: [path], message: missing });
    if (templateId === undefined && name === undefined) report('name');
    if (templateId === undefined && decimal === undefined && currency === undefined) report(field);
    check(fields, context);
  };
};

/** For checks that run whatever else is wrong, so that an answer names every wrong field at once. @internal */
export const always = { when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null };
