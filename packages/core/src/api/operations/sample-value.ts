import { isObject } from '../../base/runtime/is-object.ts';

/** A JSON Schema (2020-12). @public */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The keyword of an example, which is in no written schema. */
export const exampleKeyword = 'x-partnerkit-example';

/** How a sample is made. */
interface Sampling {
  /** Whether it has every field. Otherwise it has those that are required, and those with an example. */
  readonly isWhole: boolean;
  /** The schemas that references name. */
  readonly definitions: JsonSchema;
}
const whole: Sampling = { isWhole: true, definitions: {} };

const texts: Readonly<Record<string, string>> = {
  email: 'guest@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f',
  date: '2027-03-31',
  time: '12:00:00',
  'date-time': '2027-03-31T12:00:00Z',
};

const numberIn = ({ minimum, exclusiveMinimum, type }: JsonSchema): number => {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  return type === 'integer' ? 1 : 100;
};

export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The schema that a reference names, and the others without it: a schema that contains itself has an end. */
const named = (ref: string, { definitions, ...rest }: Sampling): readonly [schema: unknown, sampling: Sampling] => {
  const { [ref.replace('#/$defs/', '')]: schema, ...others } = definitions;
  return [schema, { ...rest, definitions: others }];
};

const fieldsOf = ({ properties = {} }: JsonSchema): readonly (readonly [name: string, field: unknown])[] =>
  Object.entries(properties as JsonSchema);

const isRequired = ({ required = [] }: JsonSchema, name: string): boolean =>
  (required as readonly string[]).includes(name);

const hasExample = (schema: unknown, sampling: Sampling): boolean => {
  if (!isObject(schema)) return false;
  const { $ref } = schema;
  return exampleKeyword in schema || (typeof $ref === 'string' && hasExample(...named($ref, sampling)));
};

/** An example with samples of the fields that it lacks, such as required ones of the host. */
const completed = (given: unknown, schema: JsonSchema, sampling: Sampling): unknown => {
  if (!isObject(given)) return given;
  const lacking = fieldsOf(schema).filter(([name]) => isRequired(schema, name) && !Object.hasOwn(given, name));
  return { ...given, ...Object.fromEntries(lacking.map(([name, field]) => [name, sampleOf(field, sampling)])) };
};

/** The stand-in for a text of which nothing is known. */
const anyText = 'text';
/** An id of which nothing is known looks like one. */
const ofField = (name: string, value: unknown): unknown => (name === 'id' && value === anyText ? 'example_1' : value);

/**
 * A value of a JSON Schema, by default with every field. It may break a pattern or a rule that JSON Schema cannot
 * state.
 */
export const sampleOf = (schema: unknown, sampling = whole): unknown => {
  if (!isObject(schema)) return null;
  const { $ref, const: constant, default: preset, format, [exampleKeyword]: example } = schema as JsonSchema;
  if (typeof $ref === 'string') return sampleOf(...named($ref, sampling));
  if (example !== undefined) return completed(example, schema, sampling);
  const chosen = constant ?? preset ?? first(schema['examples']) ?? first(schema['enum']);
  if (chosen !== undefined) return chosen;
  const variant = first(schema['anyOf']) ?? first(schema['oneOf']);
  // Variants of an object with fields only say which of them are needed.
  if (variant !== undefined && !('properties' in schema)) return sampleOf(variant, sampling);
  if (Array.isArray(schema['allOf']))
    return Object.assign({}, ...schema['allOf'].map((part) => sampleOf(part, sampling)));
  switch (first(schema['type']) ?? schema['type']) {
    case 'object': {
      const isShown = ([name, field]: readonly [string, unknown]) =>
        sampling.isWhole || isRequired(schema, name) || hasExample(field, sampling);
      const shown = fieldsOf(schema).filter(isShown);
      return Object.fromEntries(shown.map(([name, field]) => [name, ofField(name, sampleOf(field, sampling))]));
    }
    case 'array':
      return schema['maxItems'] === 0 ? [] : [sampleOf(schema['items'], sampling)];
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return texts[String(format)] ?? anyText.padEnd(Number(schema['minLength'] ?? 0), 'x');
  }
};
