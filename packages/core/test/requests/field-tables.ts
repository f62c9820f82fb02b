import type { z } from 'zod';
import { cashOutActions, newCashOut } from '../../src/requests/cashouts/cash-out.ts';
import { depositActions, newDeposit } from '../../src/requests/deposits/deposit.ts';
import { newPayment, paymentActions } from '../../src/requests/payments/payment.ts';
import { depositTemplates, paymentTemplates } from '../../src/requests/templates/template.ts';
import { readInput } from '../../src/runtime/read-input.ts';

/** A body that partners send, and its fields. */
interface Body {
  readonly request: string;
  readonly schema: z.ZodType;
}

/** The bodies of each path. */
const bodies: Readonly<Record<string, readonly Body[]>> = {
  'payment-requests': [
    { request: 'POST', schema: newPayment },
    { request: 'PATCH', schema: paymentActions.change.input },
  ],
  'security-deposits': [
    { request: 'POST', schema: newDeposit },
    { request: 'PATCH', schema: depositActions.change.input },
  ],
  'security-deposits/{depositId}/cash-outs': [
    // The deposit is that of the path.
    { request: 'POST', schema: newCashOut.omit({ depositId: true }) },
    { request: 'PATCH', schema: cashOutActions.change.input },
  ],
  'payment-templates': [
    { request: 'POST', schema: paymentTemplates.created },
    { request: 'PATCH', schema: paymentTemplates.actions.change.input },
  ],
  'security-deposit-templates': [
    { request: 'POST', schema: depositTemplates.created },
    { request: 'PATCH', schema: depositTemplates.actions.change.input },
  ],
};

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;
const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The input that has one value at a pointer. */
const inputAt = (pointer: string, value: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight((inner, key) => ({ [key]: inner }), value);

/** What an answer says of a field when the input is this. */
const detailsOf = (schema: z.ZodType, pointer: string, input: unknown): readonly string[] => {
  const read = readInput(schema, input);
  if (read.isOk() || read.error.code !== 'invalid_input') return [];
  return read.error.errors.filter((each) => each.pointer === pointer).map(({ detail }) => detail);
};

/** Values that break the rule of every kind of field. */
const wrong: readonly unknown[] = [
  true,
  '',
  0,
  { from: '2027-02-01', to: '2027-01-01' },
  `${'x'.repeat(600)}@example.com`,
];

const isField = (schema: z.ZodType, pointer: string): boolean => {
  const [, field] = pointer.split('/');
  return !detailsOf(schema, `/${field}`, inputAt(`/${field}`, '')).includes('no such field.');
};

const names = [
  'name',
  'description',
  'amount',
  'depositAmount',
  'currency',
  'recipient',
  'templateId',
  'dueDate',
  'stay',
  'reference',
  'metadata',
  'paymentUrl',
  'claim',
  'reason',
];
const nested: Readonly<Record<string, readonly string[]>> = { recipient: ['email', 'name'], stay: ['from', 'to'] };
const pointersOf = (schema: z.ZodType): readonly string[] =>
  names
    .flatMap((name) => [`/${name}`, ...(nested[name] ?? []).map((inner) => `/${name}/${inner}`)])
    .filter((pointer) => isField(schema, pointer));

const required = (schema: z.ZodType, pointer: string): string => {
  const [, parent = '', child] = pointer.split('/');
  const details = detailsOf(schema, pointer, child === undefined ? {} : { [parent]: {} });
  if (details.length === 0) return 'no';
  if (child !== undefined) return `with ${code(parent)}`;
  return details.some((detail) => detail.includes('no template')) ? 'unless the template has it' : 'yes';
};

/** What a value must be, in the words of the answers, and which field goes with it. */
const rule = (schema: z.ZodType, pointer: string): string => {
  const details = wrong.flatMap((value) => detailsOf(schema, pointer, inputAt(pointer, value)));
  const partners = pointersOf(schema).filter((other) =>
    detailsOf(schema, other, inputAt(pointer, 1)).some((detail) => detail.startsWith('goes together')),
  );
  const clears = detailsOf(schema, pointer, inputAt(pointer, null)).length === 0;
  return [
    ...unique(details).filter((detail) => !detail.startsWith('goes together')),
    ...partners.map((other) => `goes together with ${code(other.slice(1))}.`),
    ...(clears ? ['`null` removes it.'] : []),
  ]
    .map(sentence)
    .join(' ');
};

const actions: Readonly<Record<string, Readonly<Record<string, { readonly input: z.ZodType }>>>> = {
  'payment-requests': paymentActions,
  'security-deposits': depositActions,
  'security-deposits/{depositId}/cash-outs': cashOutActions,
  'payment-templates': paymentTemplates.actions,
  'security-deposit-templates': depositTemplates.actions,
};

/** The fields that a command takes, apart from those that create and change an object. */
export const fieldsOfCommand = (path: string, command: string): readonly string[] => {
  const schema = actions[path]?.[command]?.input;
  if (!schema || command === 'change') return [];
  return names
    .filter((name) => isField(schema, `/${name}`))
    .map((name) => code(name) + (required(schema, `/${name}`) === 'yes' ? '' : ' (optional)'));
};

/** The fields of the bodies that one path takes. */
export const fieldTable = (path: string): string => {
  const given = bodies[path] ?? [];
  const pointers = unique(given.flatMap(({ schema }) => pointersOf(schema)));
  return [
    row('field', ...given.map(({ request }) => `required in ${code(request)}`), 'rule'),
    row('---', ...given.map(() => '---'), '---'),
    ...pointers.map((pointer) =>
      row(
        code(pointer.slice(1).replace('/', '.')),
        ...given.map(({ schema }) => (isField(schema, pointer) ? required(schema, pointer) : 'refused')),
        unique(given.flatMap(({ schema }) => (isField(schema, pointer) ? [rule(schema, pointer)] : []))).at(-1) ?? '',
      ),
    ),
  ].join('\n');
};
