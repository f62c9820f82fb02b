import type { Result } from 'neverthrow';
import { z } from 'zod';
import { toSeconds } from '../../runtime/time.ts';
import { action } from '../decide.ts';
import { born, changeFields, type Defaults, emptyChange, fields, notEmpty, nothing } from '../fields.ts';
import { type Money, readMoney, toDecimal } from '../money.ts';
import type { Context, Owner, Recorded } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { always, checkSum } from '../sum.ts';

/** The states of a template. One that is deleted is stored no more. @public */
export type TemplateStatus = 'active' | 'deleted';

/**
 * A template, as it is stored: of payment requests or of security deposits.
 * @public
 */
export interface Template extends Recorded<TemplateStatus> {
  /** Its own, and that of what is made from it. */
  readonly name: string;
  readonly description?: string;
  /** Absent: each request brings its own. */
  readonly money?: Money;
}

/** What the two kinds of templates call their sum. */
type AmountField = 'amount' | 'depositAmount';

/** The inputs and commands of one kind of templates. */
const templatesWith = (field: AmountField) => {
  const sum = { [field]: fields.amount.optional(), currency: fields.currency.optional() };
  const moneyOf = (input: { readonly currency?: string | undefined }) =>
    readMoney(field, (input as Partial<Record<AmountField, number>>)[field], input.currency);
  const created = z
    .strictObject({
      name: fields.name,
      description: fields.description.optional(),
      ...sum,
    })
    .superRefine(checkSum(field), always);
  const changed = z
    .strictObject({
      name: fields.name.optional(),
      description: fields.description.nullable().optional(),
      ...sum,
    })
    .refine(notEmpty, emptyChange)
    .superRefine(checkSum(field), always);
  return {
    created,
    actions: {
      change: action<Template>()(changed, (template, { name, description, ...rest }) =>
        moneyOf(rest).map((money) => changeFields(template, { name, description, money })),
      ),
      delete: action<Template>()(nothing),
    },
    make: (owner: Owner, input: z.output<typeof created>, context: Context): Result<Template, Refusal> =>
      moneyOf(input).map((money) => ({
        ...born(owner, 'active', context),
        name: input.name,
        ...(input.description === undefined ? {} : { description: input.description }),
        ...(money ? { money } : {}),
      })),
    view: ({ id, name, status, description, money, createdAt, updatedAt }: Template) => ({
      id,
      name,
      status,
      ...(description === undefined ? {} : { description }),
      ...(money ? { [field]: toDecimal(money), currency: money.currency } : {}),
      createdAt: toSeconds(createdAt),
      updatedAt: toSeconds(updatedAt),
    }),
  };
};

/** @internal */
export const paymentTemplates = templatesWith('amount');
/** @internal */
export const depositTemplates = templatesWith('depositAmount');

const view = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  description: z.string().optional(),
  currency: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
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
