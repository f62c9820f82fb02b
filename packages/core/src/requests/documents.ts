import { z } from 'zod';
import { documentation } from '#documentation';
import { cashOutView } from './cashouts/cash-out.ts';
import { cashOutShape } from './cashouts/cash-outs.ts';
import { cashOutMachine } from './cashouts/machine.ts';
import { depositActions, depositView, newDeposit } from './deposits/deposit.ts';
import { depositMachine } from './deposits/machine.ts';
import type { RequestExtensions } from './extension.ts';
import type { ResourceDocument } from './http/resource.ts';
import { paymentMachine } from './payments/machine.ts';
import { newPayment, paymentActions, paymentView } from './payments/payment.ts';
import { depositTemplateMachine, paymentTemplateMachine } from './templates/machine.ts';
import { depositTemplates, depositTemplateView, paymentTemplates, paymentTemplateView } from './templates/template.ts';

interface Kind {
  readonly name: string;
  readonly view: z.ZodObject;
  readonly states: readonly string[];
  readonly created: z.ZodObject;
  readonly actions: Readonly<Record<string, { readonly input: z.ZodType }>>;
}

/** A schema without its wrappers that accept absence and `null`. */
const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

const fieldsOf = (schema: z.ZodType): z.core.$ZodLooseShape => (schema instanceof z.ZodObject ? schema.shape : {});

/** The fields of a change by RFC 7396: objects are merged, `null` removes what may be absent. */
const patchOf = (shape: z.core.$ZodLooseShape): z.core.$ZodLooseShape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, given]) => {
      const field = given as z.ZodType;
      const mayBeNull = [undefined, null].some((value) => z.safeParse(field, value).success);
      const change = changeOf(unwrapped(field));
      return [key, mayBeNull ? change.nullish() : change.optional()];
    }),
  );

const changeOf = (field: z.ZodType): z.ZodType => {
  if (field instanceof z.ZodObject) return z.object(patchOf(field.shape));
  return field instanceof z.ZodRecord ? z.record(field.keyType, z.nullable(field.valueType)) : field;
};

/** The schemas of one kind with the host's own fields, for the OpenAPI document. */
const documentOf = (
  { name, view, states, created, actions }: Kind,
  extension: z.ZodObject | undefined,
): ResourceDocument => {
  const own = extension?.shape ?? {};
  const patch = patchOf(own);
  /** A schema with the host's fields, and what the document says of the one without. */
  const extended = (schema: z.ZodType, fields: z.core.$ZodLooseShape): z.ZodType =>
    z.strictObject({ ...fieldsOf(schema), ...fields }).register(documentation, documentation.get(schema) ?? {});
  const inputs = Object.entries(actions).map(([command, { input }]) => [
    command,
    command === 'change' && extension ? extended(input, patch) : input,
  ]);
  return {
    name,
    view: z
      .object({ ...view.shape, status: z.enum(states as [string, ...string[]]), ...own })
      .register(documentation, { id: name }),
    created: extension ? extended(created, own) : created,
    inputs: Object.fromEntries(inputs),
  };
};

/** The documents of all kinds. @internal */
export const createDocuments = (extend: RequestExtensions = {}) => ({
  payments: documentOf(
    {
      name: 'PaymentRequest',
      view: paymentView,
      states: paymentMachine.states,
      created: newPayment,
      actions: paymentActions,
    },
    extend.payments,
  ),
  deposits: documentOf(
    {
      name: 'SecurityDeposit',
      view: depositView,
      states: depositMachine.states,
      created: newDeposit,
      actions: depositActions,
    },
    extend.deposits,
  ),
  cashOuts: documentOf(
    {
      name: 'CashOut',
      view: cashOutView,
      states: cashOutMachine.states,
      // The path names the deposit.
      created: cashOutShape.created.omit({ depositId: true }),
      actions: cashOutShape.actions,
    },
    extend.cashOuts,
  ),
  paymentTemplates: documentOf(
    {
      name: 'PaymentTemplate',
      view: paymentTemplateView,
      states: paymentTemplateMachine.states,
      created: paymentTemplates.created,
      actions: paymentTemplates.actions,
    },
    extend.paymentTemplates,
  ),
  depositTemplates: documentOf(
    {
      name: 'SecurityDepositTemplate',
      view: depositTemplateView,
      states: depositTemplateMachine.states,
      created: depositTemplates.created,
      actions: depositTemplates.actions,
    },
    extend.depositTemplates,
  ),
});

/** @internal */
export type RequestDocuments = ReturnType<typeof createDocuments>;
