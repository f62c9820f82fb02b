/** A JSON Schema, as far as a form reads it. @internal */
export interface InputSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly InputSchema[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly default?: unknown;
}

/** A field of the form of a command. @internal */
export interface InputField {
  /** The names of the field and of those around it, such as `recipient`, `email`. */
  readonly path: readonly string[];
  readonly type: 'text' | 'number' | 'checkbox' | 'choice' | 'json';
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly value: string;
}

const types: Readonly<Record<string, InputField['type']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'checkbox',
};

/** A field that `null` removes is entered as the others are. */
const givenIn = ({ anyOf, ...schema }: InputSchema): InputSchema => ({
  ...schema,
  ...anyOf?.find(({ type }) => type !== 'null'),
});

const isPlain = (schema: InputSchema): boolean => types[givenIn(schema).type ?? ''] !== undefined;

/** The fields of an input. An object of texts and numbers has a field for each; other values are JSON. @internal */
export const inputFields = ({ properties = {}, required = [] }: InputSchema): readonly InputField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const given = givenIn(schema);
    const isRequired = required.includes(name);
    const parts = Object.entries(given.properties ?? {});
    if (parts.length > 0 && parts.every(([, part]) => isPlain(part)))
      return inputFields(given).map((field) => ({
        ...field,
        path: [name, ...field.path],
        // Without the others, the whole is left out.
        isRequired: isRequired && field.isRequired,
      }));
    const { description, enum: choices = [] } = given;
    return [
      {
        path: [name],
        type: choices.length > 0 ? 'choice' : (types[given.type ?? ''] ?? 'json'),
        choices,
        isRequired,
        description,
        value: given.default === undefined ? '' : String(given.default),
      },
    ];
  });

/** Whether a command can be given without an input. @internal */
export const needsInput = ({ required = [], minProperties = 0 }: InputSchema): boolean =>
  required.length > 0 || minProperties > 0;

/** A text of a form that is no JSON. @internal */
export class NoJson extends Error {
  override readonly name = 'NoJson';
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super('no JSON');
    this.path = path;
  }
}

/** @internal */
export const isNoJson = (cause: unknown): cause is NoJson => Object(cause).name === 'NoJson';

const readValue = ({ type, path }: InputField, text: string): unknown => {
  if (type === 'number') return Number(text);
  if (type === 'checkbox') return text === 'on';
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new NoJson(path);
  }
};

/** The input of a filled form. Empty fields are left out. @throws NoJson @internal */
export const readInput = (fields: readonly InputField[], textOf: (field: InputField) => string): object => {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const text = textOf(field).trim();
    if (text === '') continue;
    const [name = '', part] = field.path;
    if (part === undefined) input[name] = readValue(field, text);
    else input[name] = { ...(input[name] as object | undefined), [part]: readValue(field, text) };
  }
  return input;
};
