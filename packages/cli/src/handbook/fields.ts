import { type DocumentReader, endingOf, type Schema } from './document.ts';

/** The sentences of a description. */
export const sentencesOf = (text: string): readonly string[] => text.split(/(?<=\.)\s+(?=[A-Z0-9`])/);

/** What a field contains. */
export type FieldKind =
  | { readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'object' | 'date' | 'any' }
  | { readonly kind: 'list'; readonly of: FieldKind }
  | { readonly kind: 'values'; readonly values: readonly string[] };

/** A field of an object or of a body. */
export interface Field {
  /** Its path, such as `recipient.email` or `cashOuts[].amount`. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** What the document says of its end. `undefined`: it does not end. */
  readonly ending: string | undefined;
  readonly description: string | undefined;
  /** What its values mean, by value. */
  readonly meanings: Readonly<Record<string, string>>;
}

const variantsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** The fields of all parts. One that parts describe in several ways is any of them. */
const propertiesOf = (parts: readonly Schema[]): Readonly<Record<string, Schema>> => {
  const found = new Map<string, readonly Schema[]>();
  for (const [name, schema] of parts.flatMap(({ properties = {} }) => Object.entries(properties))) {
    const known = found.get(name) ?? [];
    const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
    found.set(name, isKnown ? known : [...known, schema]);
  }
  const fields = [...found].map(([name, [first = {}, ...others]]) => {
    const schema: Schema = others.length === 0 ? first : { anyOf: [first, ...others] };
    return [name, schema] as const;
  });
  return Object.fromEntries(fields);
};

/** A schema without its reference, without `null`, and with the fields of all its parts. */
const wholeOf = (given: Schema, reader: DocumentReader, depth: number): Schema => {
  const schema = { ...reader.schema(given), ...(given.description ? { description: given.description } : {}) };
  if (depth > 6) return schema;
  const parts = [...(schema.allOf ?? []), ...variantsOf(schema)]
    .map((part) => wholeOf(part, reader, depth + 1))
    .filter(({ type }) => type !== 'null');
  if (parts.length === 0) return schema;
  const properties = { ...propertiesOf(parts), ...schema.properties };
  const [first] = parts;
  const rest = schema.type === undefined && first ? first : schema;
  const values = parts.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]));
  return {
    ...rest,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(values.length === parts.length || (values.length > 0 && first?.enum) ? { enum: values } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    required: [...(schema.required ?? []), ...(schema.allOf ? parts.flatMap((part) => part.required ?? []) : [])],
  };
};

const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'object' ? type.find((each) => each !== 'null') : type;

const kindOf = (schema: Schema, reader: DocumentReader, depth: number): FieldKind => {
  if (schema.enum) return { kind: 'values', values: schema.enum.filter((each) => each !== null).map(String) };
  if (schema.const !== undefined) return { kind: 'values', values: [String(schema.const)] };
  switch (typeOf(schema)) {
    case 'string':
      return { kind: schema.format === 'date' ? 'date' : 'text' };
    case 'number':
      return { kind: 'number' };
    case 'integer':
      return { kind: 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return { kind: 'list', of: kindOf(wholeOf(schema.items ?? {}, reader, depth + 1), reader, depth + 1) };
    case 'object':
      return { kind: 'object' };
    default:
      return { kind: schema.properties ? 'object' : 'any' };
  }
};

/** The sentences of a description that begin with a value: `held`: it waits. */
const valueSentence = /^`([\w.]+)`: (.+)$/;

/** What the values of a field mean: the description of each constant, or sentences about values. */
const meaningsOf = (given: Schema, description = ''): Field['meanings'] => {
  const constants = variantsOf(given).flatMap((each): readonly (readonly [string, string])[] =>
    each.const === undefined || each.description === undefined ? [] : [[String(each.const), each.description]],
  );
  const said = sentencesOf(description).flatMap((sentence): readonly (readonly [string, string])[] => {
    const [, value, meaning] = valueSentence.exec(sentence) ?? [];
    return value === undefined || meaning === undefined ? [] : [[value, meaning]];
  });
  return Object.fromEntries(constants.length > 0 ? constants : said);
};

/** Each field of a schema, those of nested objects and lists included. */
export const fieldsOf = (
  given: Schema,
  reader: DocumentReader,
  { prefix = '', depth = 0 }: { readonly prefix?: string; readonly depth?: number } = {},
): readonly Field[] => {
  const { properties = {}, required = [] } = wholeOf(given, reader, depth);
  if (depth > 5) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const schema = wholeOf(value, reader, depth + 1);
    const path = `${prefix}${name}`;
    const isOfConstants = variantsOf(value).some((each) => each.const !== undefined);
    const description = isOfConstants ? value.description : schema.description;
    const field: Field = {
      path,
      kind: kindOf(schema, reader, depth),
      isRequired: required.includes(name),
      ending: endingOf(schema),
      description,
      meanings: meaningsOf(value, description),
    };
    const below =
      typeOf(schema) === 'array'
        ? fieldsOf(schema.items ?? {}, reader, { prefix: `${path}[].`, depth: depth + 1 })
        : fieldsOf(schema, reader, { prefix: `${path}.`, depth: depth + 1 });
    return [field, ...below];
  });
};
