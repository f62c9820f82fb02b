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
import { checkProposal, proposingFields } from './proposed-term.ts';
import { changedSum, wholeSum } from './sum.ts';
import {
  moreTemplateFields,
  newTemplate,
  type TemplateStatus,
  templateAmount,
  templateFields,
  templateStates,
} from './template.ts';

const fields = { ...templateFields, depositAmount: templateAmount, ...proposingFields, ...moreTemplateFields };

/**
 * A template of security deposits, as stored.
 * @public
 */
export interface DepositTemplate extends RecordOf<typeof fields, TemplateStatus> {}

const example = { name: 'Week at the lake', depositAmount: 300, currency: 'EUR' };
const { create, command } = commandsOf<DepositTemplate, 'ModelRequestSecurityDeposit'>();

/** Templates of security deposits. */
export const depositTemplate = defineKind<DepositTemplate>()({
  name: 'SecurityDepositTemplate',
  object: 'ModelRequestSecurityDeposit',
  objectName: 'ModelRequestSecurityDeposit',
  path: 'security-deposit-templates',
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
    input: withExample(inputOf(fields, wholeSum('depositAmount')), example),
    make: ({ depositAmount, currency, ...input }, { policies }) =>
      checkProposal(input, policies)
        .andThen(() => readMoney('depositAmount', depositAmount, currency))
        .map((money) => newTemplate(input, money)),
  }),
  commands: {
    change: command({
      by: 'partner',
      from: ['active'],
      event: 'update',
      description: 'Changes fields (RFC 7396). Requests created before keep their values.',
      input: withExample(changeOf(fields, changedSum('depositAmount')), { depositAmount: 350, currency: 'EUR' }),
      apply: (template, { depositAmount, currency, ...change }, { policies }) =>
        checkProposal(change, policies)
          .andThen(() => readMoney('depositAmount', depositAmount, currency, template.money?.currency))
          .andThen((money) => changeFields(template, { ...change, money })),
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

/** The fields of a new template of security deposits. @public */
export interface DepositTemplateInput extends InputOf<typeof depositTemplate.create.input> {}
/** The commands on a template of security deposits, each with its input. @public */
export interface DepositTemplateCommands extends InputsOf<typeof depositTemplate.commands> {}
/** A change of a template of security deposits by RFC 7396: at least one field. @public */
export type DepositTemplateChange = DepositTemplateCommands['change'];
