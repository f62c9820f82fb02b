import { withExample } from '../../base/fields/example.ts';
import { changeFields } from '../fields/change-fields.ts';
import { nothing } from '../fields/fields.ts';
import { readMoney } from '../fields/money.ts';
import {
  changeOf,
  commandsOf,
  defineKind,
  type InputOf,
  type InputsOf,
  inputOf,
  type RecordOf,
} from './define-kind.ts';
import { changedSum, wholeSum } from './sum.ts';
import {
  moreTemplateFields,
  newTemplate,
  type TemplateStatus,
  templateAmount,
  templateFields,
  templateStates,
} from './template.ts';

const fields = { ...templateFields, amount: templateAmount, ...moreTemplateFields };

/**
 * A template of payment requests, as stored.
 * @public
 */
export interface PaymentTemplate extends RecordOf<typeof fields, TemplateStatus> {}

const example = { name: 'Week at the lake', amount: 120.5, currency: 'EUR' };
const { create, command } = commandsOf<PaymentTemplate, 'ModelRequestPayment'>();

/** Templates of payment requests. */
export const paymentTemplate = defineKind<PaymentTemplate>()({
  name: 'PaymentTemplate',
  object: 'ModelRequestPayment',
  objectName: 'ModelRequestPayment',
  path: 'payment-templates',
  part: 'templates',
  states: templateStates,
  filters: [],
  fields,
  example,
  create: create({
    by: 'partner',
    to: 'active',
    event: 'creation',
    description: 'Creates a template.',
    input: withExample(inputOf(fields, wholeSum('amount')), example),
    make: ({ amount, currency, ...input }) =>
      readMoney('amount', amount, currency).map((money) => newTemplate(input, money)),
  }),
  commands: {
    change: command({
      by: 'partner',
      from: ['active'],
      event: 'update',
      description: 'Changes fields (RFC 7396). Requests created before keep their values.',
      input: withExample(changeOf(fields, changedSum('amount')), { amount: 130, currency: 'EUR' }),
      apply: (template, { amount, currency, ...change }) =>
        readMoney('amount', amount, currency, template.money?.currency).andThen((money) =>
          changeFields(template, { ...change, money }),
        ),
    }),
    delete: command({
      by: 'partner',
      from: ['active'],
      to: 'deleted',
      event: 'deletion',
      description: 'Deletes the template with its history.',
      input: nothing,
    }),
  },
});

/** The fields of a new template of payment requests. @public */
export interface PaymentTemplateInput extends InputOf<typeof paymentTemplate.create.input> {}
/** The commands on a template of payment requests, each with its input. @public */
export interface PaymentTemplateCommands extends InputsOf<typeof paymentTemplate.commands> {}
/** A change of a template of payment requests by RFC 7396: at least one field. @public */
export type PaymentTemplateChange = PaymentTemplateCommands['change'];
