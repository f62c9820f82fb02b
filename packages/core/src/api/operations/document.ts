import { requiredScope } from '../../access/tokens/scope.ts';
import { present } from '../../base/fields/present.ts';
import { describeDeprecated } from '../../base/http/deprecation.ts';
import type { Route } from '../../base/http/route.ts';
import {
  anything,
  assertOptions,
  booleanOption,
  every,
  exactly,
  listOf,
  must,
  type OptionRules,
  optional,
  text as textRule,
  withMembers,
} from '../../base/runtime/option-rules.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import { profileOf, type WireProfiles } from '../../webhooks/signature/wire-profile.ts';
import { introductionOf } from './introduction.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './json-schema.ts';
import { type DescribedOperation, noInput } from './operation.ts';
import { createProblemWriter, type ProblemWriter, problemSchema } from './problems.ts';
import { bodyTypesOf, hasBody } from './refusals.ts';
import { shareParts, type WrittenOperation } from './share.ts';
import { describeTags } from './tags.ts';
import { webhookOf } from './webhooks.ts';

/**
 * Options of `kit.openApi`.
 * @public
 */
export interface OpenApiOptions {
  /** Title of the API. */
  readonly title: string;
  /** Version of the document. @defaultValue '1.0.0' */
  readonly version?: string;
  /**
   * Introduction, in Markdown: a text, or a function that gets the introduction of the kit.
   * @defaultValue the introduction of the kit: login, accounts, repeated requests, versions, lists, errors, webhooks
   * @example (introduction) => `${introduction}\n\n## Support\n\nWrite to api@platform.example.`
   */
  readonly description?: string | ((introduction: string) => string);
  /** Further members of `info`, such as `contact`, `license` and `termsOfService`. @defaultValue none */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Addresses of the API. The first one leads to the token endpoint. @defaultValue the origin of the document */
  readonly servers?: readonly {
    /** Scheme and host, such as `https://api.platform.example`. */
    readonly url: string;
    /** What the server is for. */
    readonly description?: string;
  }[];
  /** The routes to describe. @defaultValue `kit.routes` */
  readonly routes?: readonly Route[];
  /** Name of the host's session cookie, with which the management API is called. @defaultValue 'session' */
  readonly sessionCookie?: string;
  /** Whether to describe the webhooks. @defaultValue true */
  readonly webhooks?: boolean;
  /** The wire profile whose webhooks are described. @defaultValue that of endpoints without a profile */
  readonly profile?: string;
}

/**
 * An OpenAPI 3.1 document, as an object to write as JSON.
 * @public
 */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
  };
}

/** What the document is written from. */
export interface OpenApiDeps {
  readonly objects: readonly ObjectDefinition[];
  readonly basePath: string;
  readonly routes: readonly Route[];
  readonly profiles: Pick<WireProfiles, 'of'>;
}

const textOption = optional(textRule());
const server = every(
  must("must be an object: { url: 'https://api.platform.example' }.", (value) => Object(value) === value),
  withMembers({ url: textRule("must be a text, such as 'https://api.platform.example'.") }),
);
const optionsRule = exactly({
  title: textRule(),
  ...{ version: textOption, sessionCookie: textOption, profile: textOption },
  description: optional(
    must('must be a text, or a function of the introduction.', (value) =>
      ['string', 'function'].includes(typeof value),
    ),
  ),
  info: optional(withMembers({})),
  servers: optional(listOf(server, 'must be a list of objects with a url.')),
  routes: optional(listOf(anything, 'must be a list, such as kit.routes.')),
  webhooks: optional(booleanOption),
} satisfies OptionRules<keyof OpenApiOptions>);

const text = { type: 'string' } as const;
const entityTag = { ...text, examples: ['"1"'] };

const requestHeaders: Readonly<
  Record<
    'If-Match' | 'If-None-Match' | 'Idempotency-Key',
    { readonly description: string; readonly schema: JsonSchema }
  >
> = {
  'If-Match': {
    description: 'The `ETag` of the object as it was read. With another version, the request is refused with 412.',
    schema: entityTag,
  },
  'If-None-Match': {
    description:
      'An `ETag`. While the object has this version, a read returns 304 without a body, and a change is refused with 412.',
    schema: entityTag,
  },
  'Idempotency-Key': {
    description:
      'A repeated request with the same key returns the first answer, for 24 hours. With or without double quotes, it is the same key.',
    schema: { ...text, pattern: '^("[\\x20-\\x7e]{1,255}"|[\\x21\\x23-\\x7e][\\x21-\\x7e]{0,254})$' },
  },
};

/** What the parts of paths identify. The name of any other part says it. */
const pathWords: Readonly<Record<string, string>> = {
  organisationId: 'The account: that of the client, or one of its children.',
  id: 'The object: the `id` that it was created with.',
  depositId: 'The security deposit that the cash-out belongs to.',
  keyId: 'The API key.',
  secretId: 'The secret of the API key.',
  endpointId: 'The webhook endpoint.',
  eventId: 'The event: the `webhook-id` of its deliveries begins with it.',
  deliveryId: 'The delivery of an event to an endpoint.',
};

const pathParameters = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(pathWords[name] ? { description: pathWords[name] } : {}),
    schema: { ...text, minLength: 1, maxLength: 256 },
  }));

const queryParameters = ({ query }: DescribedOperation, { write }: SchemaWriter) => {
  if (!query) return [];
  const { properties = {}, required = [] } = write(query, 'input') as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...present({ description, deprecated }),
    // Lists are written with commas.
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
};

/** The content of a media type, with an example where one is known. */
const contentOf = (schema: JsonSchema, example: unknown) => ({ schema, ...(example === undefined ? {} : { example }) });

const responsesOf = (operation: DescribedOperation, { write, example }: SchemaWriter, problems: ProblemWriter) => {
  const successes = Object.entries(operation.answers).map(([status, { description, schema, headers = {}, type }]) => [
    status,
    {
      description,
      ...(Object.keys(headers).length === 0
        ? {}
        : {
            headers: Object.fromEntries(
              Object.entries(headers).map(([name, meaning]) => [
                name,
                // The last page of a list has none.
                { description: meaning, required: name !== 'Link', schema: text },
              ]),
            ),
          }),
      ...(schema
        ? {
            content: {
              [type ?? 'application/json']: contentOf(write(schema, 'output'), example(schema, 'output')),
            },
          }
        : {}),
    },
  ]);
  return { ...Object.fromEntries(successes), ...problems.ofOperation(operation) };
};

const securities: Readonly<Record<DescribedOperation['by'], readonly Readonly<Record<string, readonly string[]>>[]>> = {
  token: [{ oauth2: [requiredScope] }],
  session: [{ session: [] }],
  // Without HTTP Basic, the body has the credentials.
  client: [{ client: [] }, {}],
  none: [],
};

const headersOf = ({ conditional, idempotent }: DescribedOperation) =>
  [
    ...(conditional ? (['If-Match', 'If-None-Match'] as const) : []),
    ...(idempotent ? (['Idempotency-Key'] as const) : []),
  ].map((name) => ({
    name,
    in: 'header',
    required: name === 'Idempotency-Key' && idempotent === 'required',
    ...requestHeaders[name],
  }));

/**
 * The name of an input that has none: `createPaymentRequest` reads a `PaymentRequestInput`, `changePaymentRequest` a
 * `PaymentRequestChange`, `cancelPaymentRequest` a `CancelPaymentRequestInput`.
 */
const inputName = (operationId: string): string => {
  const [, made, changed] = /^(?:create(.+)|(?:change|update)(.+))$/.exec(operationId) ?? [];
  if (changed !== undefined) return `${changed}Change`;
  return `${made ?? `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`}Input`;
};

const bodyOf = (operation: DescribedOperation, { write, keep, example }: SchemaWriter) => {
  const { body } = operation;
  if (!body || body === noInput() || !hasBody(operation) || operation.method === 'DELETE') return {};
  const written = write(body, 'input');
  const name = inputName(operation.operationId);
  const schema = '$ref' in written ? written : keep(name, written, `${name}Body`);
  const content = contentOf(schema, example(body, 'input'));
  const types = bodyTypesOf(operation).map((type) => [type, content]);
  return { requestBody: { required: !body.safeParse(undefined).success, content: Object.fromEntries(types) } };
};

/** The text of an option, which may extend what the kit says. */
const textOf = (given: OpenApiOptions['description'], introduction: string): string =>
  typeof given === 'function' ? given(introduction) : (given ?? introduction);

const describe = (path: string, operation: DescribedOperation, writer: SchemaWriter, problems: ProblemWriter) => {
  const { operationId, summary, tag, by, deprecated } = operation;
  const description = deprecated ? describeDeprecated(operation.description, deprecated) : operation.description;
  const parameters = [...pathParameters(path), ...queryParameters(operation, writer), ...headersOf(operation)];
  return {
    tags: [tag],
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated ? { deprecated: true } : {}),
    security: securities[by],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, writer),
    responses: responsesOf(operation, writer, problems),
  };
};

/**
 * Writes the OpenAPI document of routes and webhooks.
 * @throws TypeError that names each wrong option; also when two operations have the same id, two schemas the same
 * name, or the kit lacks the profile.
 */
export const createOpenApi = (
  { objects, basePath, profiles, routes: kitRoutes }: OpenApiDeps,
  options: OpenApiOptions,
): OpenApiDocument => {
  assertOptions('openApi', optionsRule, options);
  const { title, version = '1.0.0', info = {}, servers = [{ url: '/' }], routes = kitRoutes } = options;
  const profile = profileOf('openApi', profiles, options.profile);
  const [writer, problems] = [createSchemaWriter(), createProblemWriter()];
  writer.keep('Problem', problemSchema);
  const places: (readonly [path: string, method: string])[] = [];
  const [described, operations]: [WrittenOperation[], DescribedOperation[]] = [[], []];
  const [ids, tags, schemeNames] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { path, operation: words } of routes) {
    if (!words) continue;
    // Only a kit gives routes an operation.
    const operation = words as DescribedOperation;
    if (ids.has(operation.operationId))
      throw new TypeError(`openApi: two operations have the id "${operation.operationId}".`);
    ids.add(operation.operationId);
    tags.add(operation.tag);
    for (const name of Object.keys(securities[operation.by][0] ?? {})) schemeNames.add(name);
    places.push([path.replace(/:(\w+)/g, '{$1}'), operation.method.toLowerCase()]);
    operations.push(operation);
    described.push(describe(path, operation, writer, problems));
  }
  const introduction = introductionOf({ basePath, operations, hasWebhooks: options.webhooks !== false });
  const hooks: (readonly [name: string, operation: WrittenOperation])[] = [];
  if (options.webhooks !== false)
    for (const definition of objects)
      for (const entry of definition.entries) {
        tags.add('Webhooks');
        hooks.push([`${entry.objectName}.${entry.type}`, webhookOf(definition, entry, writer, profile)]);
      }

  const shared = shareParts(
    described,
    hooks.map(([, operation]) => operation),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [index, [path, method]] of places.entries())
    paths[path] = { ...paths[path], [method]: shared.operations[index] };
  const webhooks = Object.fromEntries(hooks.map(([name], index) => [name, { post: shared.webhooks[index] ?? {} }]));

  const schemes: Readonly<Record<string, unknown>> = {
    oauth2: {
      type: 'oauth2',
      description: 'The id and secret of an API key.',
      flows: {
        clientCredentials: {
          tokenUrl: `${servers[0]?.url.replace(/\/$/, '') ?? ''}${basePath}/login`,
          scopes: { [requiredScope]: 'The account of the client and its children.' },
        },
      },
    },
    client: { type: 'http', scheme: 'basic', description: 'The id and secret of an API key, each form-encoded.' },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: options.sessionCookie ?? 'session',
      description: "The session of the platform's web interface.",
    },
  };
  return {
    openapi: '3.1.1',
    info: { title, version, description: textOf(options.description, introduction), ...info },
    servers,
    tags: describeTags(tags),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: {
      securitySchemes: Object.fromEntries([...schemeNames].map((name) => [name, schemes[name]])),
      schemas: inOrder(writer.components),
      parameters: inOrder(shared.parameters),
      responses: inOrder([...problems.responses(), ...shared.responses]),
    },
  };
};

const inOrder = <T>(components: Iterable<readonly [string, T]>): Readonly<Record<string, T>> =>
  Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
