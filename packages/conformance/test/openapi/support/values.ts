import fc from 'fast-check';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;
/** Follows a `$ref`. */
export type Resolve = (schema: Schema) => Schema;

/** Values of formats that no pattern describes. */
const formats: Readonly<Record<string, readonly string[]>> = {
  email: ['guest@example.com', 'a.b+c@mail.example'],
  date: ['2027-03-31', '2028-02-29'],
  uri: ['https://pay.example/p/1', 'https://pay.example'],
};

const listOf = (schema: Schema, key: string): readonly unknown[] => (schema[key] as unknown[] | undefined) ?? [];
export const propertiesOf = (schema: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);

const textsOf = (given: Schema): fc.Arbitrary<string> => {
  const { minLength = 0, maxLength = 40, format, pattern, examples } = given;
  if (Array.isArray(examples)) return fc.constantFrom(...examples);
  if (typeof format === 'string' && formats[format]) return fc.constantFrom(...formats[format]);
  if (typeof pattern === 'string' && !('maxLength' in given))
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length > 0);
  const [least, most] = [Number(minLength), Number(maxLength)];
  return fc.constantFrom(least, least + 1, most).map((length) => 'x'.repeat(length));
};

/** The variants of a schema. Those of a typed schema only add to it. */
export const variantsOf = ({ anyOf = [], oneOf = [], ...rest }: Schema): readonly Schema[] =>
  [...(anyOf as Schema[]), ...(oneOf as Schema[])].map((each) =>
    'type' in rest ? { ...rest, ...each, required: [...listOf(rest, 'required'), ...listOf(each, 'required')] } : each,
  );

const objectsOf = (schema: Schema, resolve: Resolve): fc.Arbitrary<object> => {
  const fields = propertiesOf(schema).map(([name, field]) => [name, valuesOf(field, resolve)]);
  const own = fc.record(Object.fromEntries(fields), {
    requiredKeys: listOf(schema, 'required').filter((name) => fields.some(([field]) => field === name)) as never[],
  }) as fc.Arbitrary<object>;
  const more = schema['additionalProperties'];
  if (typeof more !== 'object') return own;
  const { maxProperties = 3, propertyNames = {} } = schema;
  return fc.dictionary(textsOf({ minLength: 1, ...(propertyNames as Schema) }), valuesOf(more as Schema, resolve), {
    maxKeys: Number(maxProperties),
  });
};

/** Values that a schema allows, as far as single keywords say; the caller asks a validator about the whole. */
export const valuesOf = (given: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  const schema = resolve(given);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const variants = variantsOf(schema);
  if (variants.length > 0) return fc.oneof(...variants.map((each) => valuesOf(each, resolve)));
  const { minimum = 0, exclusiveMinimum, maximum = 1_000 } = schema as Readonly<Record<string, number | undefined>>;
  switch (schema['type']) {
    case 'object':
      return objectsOf(schema, resolve);
    case 'array':
      return fc.uniqueArray(valuesOf(schema['items'] as Schema, resolve), { minLength: 1, maxLength: 3 });
    case 'integer':
      return fc.constantFrom(minimum, maximum);
    case 'number':
      return fc.constantFrom(...(exclusiveMinimum === 0 ? [0.01, 1, 20.5] : [minimum, maximum]));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textsOf(schema);
  }
};
