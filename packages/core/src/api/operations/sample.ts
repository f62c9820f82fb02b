import { isObject } from '../../base/runtime/is-object.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import { project, type Selection } from '../../webhooks/catalogue/projection.ts';
import { createSchemaWriter, type JsonSchema } from './json-schema.ts';

const texts: Readonly<Record<string, string>> = {
  email: 'guest@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f',
  date: '2027-03-31',
  time: '12:00:00',
  'date-time': '2027-03-31T12:00:00Z',
};

const numberIn = ({ minimum, exclusiveMinimum, type }: Readonly<Record<string, unknown>>): number => {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  return type === 'integer' ? 1 : 100;
};

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/**
 * A value of a JSON Schema, with every field. It may break a pattern or a rule that JSON Schema cannot state.
 */
const sampleOf = (schema: unknown): unknown => {
  if (!isObject(schema)) return null;
  const { const: constant, default: preset, format } = schema as JsonSchema;
  const chosen = constant ?? preset ?? first(schema['examples']) ?? first(schema['enum']);
  if (chosen !== undefined) return chosen;
  const variant = first(schema['anyOf']) ?? first(schema['oneOf']);
  if (variant !== undefined) return sampleOf(variant);
  if (Array.isArray(schema['allOf'])) return Object.assign({}, ...schema['allOf'].map(sampleOf));
  switch (first(schema['type']) ?? schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as JsonSchema).map(([name, field]) => [name, sampleOf(field)]),
      );
    case 'array':
      return schema['maxItems'] === 0 ? [] : [sampleOf(schema['items'])];
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return texts[String(format)] ?? 'text'.padEnd(Number(schema['minLength'] ?? 0), 'x');
  }
};

/** An object that the schema of its definition accepts; `undefined` when the sample breaks a rule. */
export const sampleObject = (
  { schema }: ObjectDefinition,
  json: JsonSchema,
): (Readonly<Record<string, unknown>> & { readonly id: string }) | undefined => {
  const sample = sampleOf(json);
  if (!isObject(sample)) return undefined;
  const named = { ...sample, id: 'example_1' };
  try {
    return schema.safeParse(named).success ? named : undefined;
  } catch {
    // A rule of the host that throws.
    return undefined;
  }
};

/** An object as the schema's input; `undefined` when none is known. */
export const sampleInput = (definition: ObjectDefinition): Readonly<Record<string, unknown>> | undefined => {
  const { write } = createSchemaWriter();
  return sampleObject(definition, write(definition.schema, 'input'));
};

/** The fields of a sample that an event type sends, without its id. */
export const sentPart = (
  sample: Readonly<Record<string, unknown>>,
  { selections }: ObjectDefinition,
  type: string,
): Readonly<Record<string, unknown>> | undefined => {
  const selection = selections.get(type);
  if (!selection) return undefined;
  try {
    const { id: _id, ...sent } = project(sample, selection) as Readonly<Record<string, unknown>>;
    return sent;
  } catch {
    // Data that cannot be sent.
    return undefined;
  }
};

const filled = (given: unknown, sample: unknown, selection: Selection): unknown => {
  if (selection.whole) return given;
  if (Array.isArray(given)) return given.map((item) => filled(item, first(sample), selection));
  if (!isObject(given) || !isObject(sample)) return given;
  const unsent = Object.entries(sample).filter(([name]) => !selection.fields.has(name));
  const kept = Object.entries(given).map(([name, value]) => {
    const selected = selection.fields.get(name);
    return [name, selected ? filled(value, sample[name], selected) : value];
  });
  return Object.fromEntries([...unsent, ...kept]);
};

/**
 * Data with a sample in place of each absent field that an event type does not send. The schema may require such a
 * field, but no partner knows it. `undefined` when no sample is known.
 */
export const fillUnsent = (data: object, definition: ObjectDefinition, type: string): object | undefined => {
  const [sample, selection] = [sampleInput(definition), definition.selections.get(type)];
  return sample && selection ? (filled(data, sample, selection) as object) : undefined;
};
