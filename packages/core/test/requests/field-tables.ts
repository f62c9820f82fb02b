import { z } from 'zod';
import { readInput } from '../../src/base/runtime/read-input.ts';
import { kinds } from '../../src/requests/kinds/all.ts';
import type { RequestKind } from '../../src/requests/kinds/define-kind.ts';
import type { RequestKindName } from '../../src/requests/record/names.ts';
import { code, type Row } from './markdown.ts';

/** A body that partners send, and its fields. */
interface Body {
  readonly request: string;
  readonly schema: z.ZodType;
}

/** The bodies that create and change objects of a kind. */
const bodiesOf = ({ create, commands, parent }: RequestKind): readonly Body[] => [
  // The path names the parent.
  { request: 'POST', schema: parent ? (create.input as z.ZodObject).omit({ depositId: true }) : create.input },
  ...(commands['change'] ? [{ request: 'PATCH', schema: commands['change'].input }] : []),
];

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

const nested: Readonly<Record<string, readonly string[]>> = {
  recipient: ['email', 'name', 'phone', 'language'],
  stay: ['from', 'to'],
};
const pointersOf = (schema: z.ZodType, names: readonly string[]): readonly string[] =>
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
const rule = (schema: z.ZodType, pointer: string, names: readonly string[]): string => {
  const details = wrong.flatMap((value) => detailsOf(schema, pointer, inputAt(pointer, value)));
  const partners = pointersOf(schema, names).filter((other) =>
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

/** The fields that a command must have and may have, apart from those that create and change an object. */
export const fieldsOfCommand = (
  name: RequestKindName,
  command: string,
): Readonly<Record<'required' | 'optional', readonly string[]>> => {
  const schema = kinds[name].commands[command as never] as { readonly input: z.ZodType } | undefined;
  const input = schema?.input instanceof z.ZodDefault ? schema.input.unwrap() : schema?.input;
  const shape: Readonly<Record<string, z.ZodType>> =
    input instanceof z.ZodObject && command !== 'change' ? input.shape : {};
  const isNeeded = (field: string): boolean => shape[field]?.isOptional() === false;
  const fields = Object.keys(shape);
  return { required: fields.filter(isNeeded), optional: fields.filter((field) => !isNeeded(field)) };
};

/** The states in which a PATCH may change a field, or something below it. */
const changedWhile = (kind: RequestKind, pointer: string): string => {
  const { from = [], only = {} } = kind.commands['change'] ?? {};
  const path = pointer.slice(1).replaceAll('/', '.');
  const isWithin = (allowed: string) =>
    path === allowed || path.startsWith(`${allowed}.`) || allowed.startsWith(`${path}.`);
  const states = from.filter((state) => only[state]?.some(isWithin) ?? true);
  return states.length === kind.states.length ? 'any' : states.map(code).join(', ');
};

/** The rows of the fields of the bodies of a kind. */
export const fieldRows = (name: RequestKindName): readonly Row[] => {
  const kind: RequestKind = kinds[name];
  const given = bodiesOf(kind);
  const names = Object.keys(kind.fields);
  const pointers = unique(given.flatMap(({ schema }) => pointersOf(schema, names)));
  return pointers.map((pointer) => {
    const [post] = given;
    const change = given.find(({ request, schema }) => request === 'PATCH' && isField(schema, pointer));
    const schema = change?.schema ?? post?.schema;
    const needed = post && isField(post.schema, pointer) ? required(post.schema, pointer) : 'no';
    return [
      code(pointer.slice(1).replace('/', '.')),
      needed,
      kind.fields[pointer.slice(1)]?.description ?? (schema ? rule(schema, pointer, names) : ''),
      change ? changedWhile(kind, pointer) : 'never',
    ];
  });
};
