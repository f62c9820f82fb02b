import { propertiesOf, type Resolve, type Schema, variantsOf } from './values.ts';

/** A value with one thing wrong. */
export interface Broken {
  /** What is wrong, and where (RFC 6901). */
  readonly what: string;
  readonly at: string;
  readonly value: unknown;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const otherTypes: Readonly<Record<string, readonly unknown[]>> = {
  object: [[], 'text', 7],
  array: [{}, 'text'],
  string: [7, {}, null],
  number: ['7', true, null],
  integer: ['7', 1.5, null],
  boolean: ['true', 0],
};

function* ofKeywords(schema: Schema): Generator<readonly [string, unknown]> {
  const { type, enum: values, const: constant } = schema;
  for (const value of otherTypes[String(type)] ?? []) yield [`type: ${JSON.stringify(value)}`, value];
  if (values || constant !== undefined) yield ['a value that is not listed', 'not_listed'];
  const { minLength, maxLength, pattern, format, minimum, maximum, exclusiveMinimum } = schema as Readonly<
    Record<string, number | undefined>
  >;
  if (minLength) yield ['minLength', 'x'.repeat(minLength - 1)];
  if (maxLength !== undefined) yield ['maxLength', 'x'.repeat(maxLength + 1)];
  if (pattern !== undefined) {
    yield ['pattern', ' '];
    yield ['pattern: a control character', 'Ann\u0007'];
  }
  if (format !== undefined) yield [`format ${format}`, 'no such thing'];
  if (minimum !== undefined) yield ['minimum', minimum - 1];
  if (exclusiveMinimum !== undefined) yield ['exclusiveMinimum', exclusiveMinimum];
  if (maximum !== undefined) yield ['maximum', maximum + 1];
}

function* ofObject(schema: Schema, value: Schema): Generator<Broken> {
  const {
    required = [],
    additionalProperties,
    minProperties,
    maxProperties,
    propertyNames = {},
  } = schema as {
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
    readonly minProperties?: number;
    readonly maxProperties?: number;
    readonly propertyNames?: Schema;
  };
  for (const name of required) {
    const { [name]: _left, ...rest } = value;
    yield { what: 'required', at: `/${name}`, value: rest };
  }
  if (additionalProperties === false)
    yield { what: 'a surplus field', at: '/surplus', value: { ...value, surplus: 1 } };
  if (minProperties) yield { what: 'minProperties', at: '', value: {} };
  if (maxProperties) {
    const many = Array.from({ length: maxProperties + 1 }, (_, index) => [`key${index}`, 'x']);
    yield { what: 'maxProperties', at: '', value: Object.fromEntries(many) };
  }
  const { maxLength } = propertyNames as { readonly maxLength?: number };
  if (maxLength) {
    const name = 'k'.repeat(maxLength + 1);
    yield { what: 'propertyNames', at: `/${name}`, value: { ...value, [name]: 'x' } };
  }
}

function* ofArray(schema: Schema, value: readonly unknown[], resolve: Resolve): Generator<Broken> {
  const { minItems, maxItems, items } = schema as {
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly items?: Schema;
  };
  // A variant for other values, such as null.
  if (!items) return;
  if (minItems) yield { what: 'minItems', at: '', value: value.slice(0, minItems - 1) };
  if (maxItems) yield { what: 'maxItems', at: '', value: Array.from({ length: maxItems + 1 }, () => value[0]) };
  for (const [index, item] of value.entries())
    for (const { what, at, value: wrong } of breaksOf(items, item, resolve))
      yield { what, at: `/${index}${at}`, value: value.with(index, wrong) };
}

/** Values with one thing wrong each, made from one that is right; some may be right by another variant. */
export function* breaksOf(given: Schema, value: unknown, resolve: Resolve): Generator<Broken> {
  const schema = resolve(given);
  for (const variant of variantsOf(schema)) yield* breaksOf(variant, value, resolve);
  for (const [what, wrong] of ofKeywords(schema)) yield { what, at: '', value: wrong };
  if (Array.isArray(value)) yield* ofArray(schema, value, resolve);
  if (!isObject(value)) return;
  yield* ofObject(schema, value);
  const fields = new Map(propertiesOf(schema));
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.get(name) ?? schema['additionalProperties'];
    if (!isObject(field)) continue;
    for (const { what, at, value: wrong } of breaksOf(field, inner, resolve))
      yield { what, at: `/${name}${at}`, value: { ...value, [name]: wrong } };
  }
}
