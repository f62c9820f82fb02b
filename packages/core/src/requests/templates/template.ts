import type { Result } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import { changeFields } from '../change-fields.ts';
import { action } from '../command.ts';
import { atLeastOne, changes, emptyChange, fields, notEmpty, nothing, present } from '../fields.ts';
import { type Defaults, identified } from '../fill-in.ts';
import { type Money, readMoney, toDecimal } from '../money.ts';
import { type AccountRef, type NewContext, newRecord, type StoredRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkSum, checkWhole, sumKeywords, wholeKeywords } from '../sum.ts';
import { recordView, viewRecord } from '../view.ts';

/** The states of a template. A deleted template is not stored. @public */
export type TemplateStatus = 'active' | 'deleted';

/**
 * A template of payment requests or security deposits, as stored.
 * @public
 */
export interface Template extends StoredRecord<TemplateStatus> {
  /** Its name, and the default name of requests created from it. */
  readonly name: string;
  /** The default description. */
  readonly description?: string;
  /** The default amount. Absent: each request has its own. */
  readonly money?: Money;
}

/** The name of the amount in each kind of template. */
type AmountField = 'amount' | 'depositAmount';

/** The inputs and commands of one kind of templates. */
const templatesWith = (field: AmountField) => {
  /** A computed key, which types cannot follow: {@link amountOf} reads it. */
  const sum = { [field]: fields.amount.optional() } as Readonly<Record<never, never>>;
  const amountOf = (input: object) => (input as Partial<Record<AmountField, number>>)[field];
  const created = z
    .strictObject({
      name: fields.name,
      description: fields.description.optional(),
      ...sum,
      currency: fields.currency.optional(),
      reference: fields.reference.optional(),
      metadata: fields.metadata.optional(),
    })
    .superRefine(checkWhole(field), always)
    .register(documentation, { keywords: wholeKeywords(field) });
  const changed = z
    .strictObject({
      name: changes.name,
      description: changes.description,
      ...sum,
      currency: changes.currency,
      reference: changes.reference,
      metadata: changes.metadata,
    })
    .refine(notEmpty, emptyChange)
    .superRefine(checkSum(field), always)
    .register(documentation, { keywords: { ...atLeastOne, ...sumKeywords(field) } });
  return {
    created,
    actions: {
      change: action<Template>()(changed, (template, input) => {
        const { currency, name, description, reference, metadata } = input;
        return readMoney(field, amountOf(input), currency, template.money?.currency).andThen((money) =>
          changeFields(template, { name, description, money, reference, metadata }),
        );
      }),
      delete: action<Template>()(nothing),
    },
    make: (account: AccountRef, input: z.output<typeof created>, context: NewContext): Result<Template, Refusal> =>
      readMoney(field, amountOf(input), input.currency).map((money) => ({
        ...newRecord(account, 'active', context),
        name: input.name,
        ...(input.description === undefined ? {} : { description: input.description }),
        ...(money ? { money } : {}),
        ...identified(input),
      })),
    view: (template: Template) => {
      const { name, description, money } = template;
      return viewRecord(template, {
        name,
        ...present({ description }),
        ...(money ? { [field]: toDecimal(money), currency: money.currency } : {}),
      });
    },
  };
};

/** Templates of payment requests. @internal */
export const paymentTemplates = templatesWith('amount');
/** Templates of security deposits. @internal */
export const depositTemplates = templatesWith('depositAmount');

const view = z.object({
  ...recordView,
  name: z.string(),
  description: z.string().optional(),
  currency: z.string().optional(),
});
/** The partner's view of a template of payment requests. @internal */
export const paymentTemplateView = view.extend({ amount: z.number().optional() });
/** The partner's view of a template of security deposits. @internal */
export const depositTemplateView = view.extend({ depositAmount: z.number().optional() });

/** The values that a template gives to requests. @internal */
export const defaultsOf = ({ id, name, description, money }: Template): Defaults => ({
  id,
  name,
  ...(description === undefined ? {} : { description }),
  ...(money ? { money } : {}),
});
