import type { Result } from 'neverthrow';
import { z } from 'zod';
import { changeFields } from '../change-fields.ts';
import { action } from '../command.ts';
import { changes, emptyChange, fields, notEmpty, nothing, present } from '../fields.ts';
import { type Defaults, identified } from '../fill-in.ts';
import { type Money, readMoney, toDecimal } from '../money.ts';
import { type AccountRef, type NewContext, newRecord, type StoredRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkSum, checkWhole } from '../sum.ts';
import { recordView, viewRecord } from '../view.ts';

/** The states of a template. One that is deleted is stored no more. @public */
export type TemplateStatus = 'active' | 'deleted';

/**
 * A template, as it is stored: of payment requests or of security deposits.
 * @public
 */
export interface Template extends StoredRecord<TemplateStatus> {
  /** The default name of what is made from it, too. */
  readonly name: string;
  readonly description?: string;
  /** Absent: each request brings its own. */
  readonly money?: Money;
}

/** What the two kinds of templates call their sum. */
type AmountField = 'amount' | 'depositAmount';

/** The inputs and commands of one kind of templates. */
const templatesWith = (field: AmountField) => {
  /** Under a name that types cannot follow: {@link amountOf} reads it. */
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
    .superRefine(checkWhole(field), always);
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
    .superRefine(checkSum(field), always);
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

/** @internal */
export const paymentTemplates = templatesWith('amount');
/** @internal */
export const depositTemplates = templatesWith('depositAmount');

const view = z.object({
  ...recordView,
  name: z.string(),
  description: z.string().optional(),
  currency: z.string().optional(),
});
/** What partners see of a template of payment requests. @internal */
export const paymentTemplateView = view.extend({ amount: z.number().optional() });
/** What partners see of a template of security deposits. @internal */
export const depositTemplateView = view.extend({ depositAmount: z.number().optional() });

/** @internal */
export const defaultsOf = ({ id, name, description, money }: Template): Defaults => ({
  id,
  name,
  ...(description === undefined ? {} : { description }),
  ...(money ? { money } : {}),
});
