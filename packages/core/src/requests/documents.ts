import { z } from 'zod';
import { documentation } from '#documentation';
import { cashOutView } from './cashouts/cash-out.ts';
import { cashOutShape } from './cashouts/cash-outs.ts';
import { cashOutMachine } from './cashouts/machine.ts';
import { depositActions, depositView, newDeposit } from './deposits/deposit.ts';
import { depositMachine } from './deposits/machine.ts';
import type { RequestExtensions } from './extension.ts';
import type { ResourceDocument } from './http/describe.ts';
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

const fieldsOf = (schema: z.ZodType): z.core.$ZodLooseShape => (schema instanceof z.ZodObject ? schema.shape : {});

/** The schemas of one kind with the host's own fields, for the OpenAPI document. */
const documentOf = (
  { name, view, states, created, actions }: Kind,
  extension: z.ZodObject | undefined,
): ResourceDocument => {
  const own = extension?.shape ?? {};
  const patch = Object.fromEntries(Object.entries(own).map(([key, field]) => [key, z.nullish(field as z.ZodType)]));
  const inputs = Object.entries(actions).map(([command, { input }]) => [
    command,
    command === 'change' && extension ? z.strictObject({ ...fieldsOf(input), ...patch }) : input,
  ]);
  return {
    name,
    view: z
      .object({ ...view.shape, status: z.enum(states as [string, ...string[]]), ...own })
      .register(documentation, { id: name }),
    created: extension ? z.strictObject({ ...created.shape, ...own }) : created,
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
      created: cashOutShape.created as z.ZodObject,
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
