/** A JSON Schema of the document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** The content of a media type. */
interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Schema;
}

/** An operation of the document, or a webhook. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** Who may call it: an access token of everything, or one with a right. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The members of an OpenAPI document from which the pages are written. */
export interface HandbookDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The first paragraph of the description of something that is deprecated: since when, until when, what replaces it. */
export const endingOf = ({ deprecated, description = '' }: Pick<Operation, 'deprecated' | 'description'>) =>
  deprecated ? (/^Deprecated since [^\n]*/.exec(description)?.[0] ?? '') : undefined;

/** An operation with its place. */
export interface PlacedOperation extends Operation {
  /** In capitals. */
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
}

/** The right that an API key needs. `undefined`: none. */
export const rightOf = ({ security = [] }: Operation): string | undefined =>
  security.flatMap(({ oauth2 = [] }) => oauth2).find((scope) => scope.includes(':'));

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Follows the references of a document. */
export const readerOf = ({ paths, components }: HandbookDocument) => {
  const schema = (given: Schema): Schema => {
    const named = given.$ref === undefined ? undefined : components.schemas[nameOf(given.$ref)];
    return named ?? given;
  };
  const answer = (given: Answer): Answer =>
    given.$ref === undefined ? given : (components.responses[nameOf(given.$ref)] ?? given);
  const parameter = (given: Parameter): Parameter =>
    given.$ref === undefined ? given : (components.parameters[nameOf(given.$ref)] ?? given);
  const operations: readonly PlacedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return { schema, answer, parameter, operations };
};

export type DocumentReader = ReturnType<typeof readerOf>;

/** The JSON content of a body or an answer. */
export const jsonOf = (content: Readonly<Record<string, Content>> | undefined): Content | undefined =>
  content?.['application/json'];

/** An answer of success. */
interface Success {
  readonly status: number;
  readonly schema: Schema | undefined;
  readonly example: unknown;
  /** The names of its headers, in lower case. */
  readonly headers: readonly string[];
}

/** The first answer of success, with its status. */
export const successOf = ({ responses }: Operation, reader: DocumentReader): Success | undefined => {
  const found = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status));
  if (!found) return undefined;
  const { content, headers = {} } = reader.answer(found[1]);
  const json = jsonOf(content);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return { status: Number(found[0]), schema: json?.schema, example: json?.example, headers: names };
};

/** The headers that an operation requires. */
export const takesHeader = (operation: Operation, name: string, reader: DocumentReader): boolean =>
  (operation.parameters ?? []).some((each) => {
    const { in: place, name: own } = reader.parameter(each);
    return place === 'header' && own === name;
  });

/** The codes that the description of an answer lists, in backticks in its last sentence. */
export const codesOf = ({ responses }: Operation): readonly (readonly [status: string, code: string])[] =>
  Object.entries(responses).flatMap(([status, answer]) => {
    const { description = '' } = answer as { readonly description?: string };
    if (!('$ref' in answer) || !/^[45]\d\d$/.test(status)) return [];
    const listed = description.split('. ').at(-1) ?? '';
    return [...listed.matchAll(/`(\w+)`/g)].map(([, name = '']) => [status, name] as const);
  });
