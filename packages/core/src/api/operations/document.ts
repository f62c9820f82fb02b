import { requiredScope } from '../../base/accounts/rights.ts';
import { present } from '../../base/fields/present.ts';
import { describeDeprecated } from '../../base/http/deprecation.ts';
import { profileOf } from '../../webhooks/signature/wire-profile.ts';
import {
  assertDocumentOptions,
  type OpenApiDeps,
  type OpenApiDocument,
  type OpenApiOptions,
} from './document-options.ts';
import { introductionOf } from './introduction.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './json-schema.ts';
import { type DescribedOperation, noInput } from './operation.ts';
import { createProblemWriter, type ProblemWriter, problemSchema } from './problems.ts';
import { bodyTypesOf, hasBody } from './refusals.ts';
import { shareParts, type WrittenOperation } from './share.ts';
import { describeTags } from './tags.ts';
import { webhookAnswers, webhookOf } from './webhooks.ts';

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

const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A written schema among the components: one without a name of its own gets this one. */
const named = ({ keep }: SchemaWriter, written: JsonSchema, name: string): JsonSchema =>
  '$ref' in written ? written : keep(name, written, `${name}Body`);

/** The content of a media type, with an example where one is known. */
const contentOf = (schema: JsonSchema, example: unknown) => ({ schema, ...(example === undefined ? {} : { example }) });

const responsesOf = (operation: DescribedOperation, writer: SchemaWriter, problems: ProblemWriter) => {
  const resultName = `${capitalised(operation.operationId)}Result`;
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
              [type ?? 'application/json']: contentOf(
                named(writer, writer.write(schema, 'output'), resultName),
                writer.example(schema, 'output'),
              ),
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

/** What the rights of operations mean. */
const scopesOf = (operations: readonly DescribedOperation[]): Readonly<Record<string, string>> => {
  const rights = new Set(operations.flatMap(({ by, right = 'none' }) => (by === 'token' ? right : [])));
  rights.delete('none');
  return Object.fromEntries(
    [...rights].sort().map((right) => {
      const [part = '', access] = right.split(':');
      return [right, `${access === 'read' ? 'Reads' : 'Reads and changes'} ${part.replaceAll('_', '-')}.`];
    }),
  );
};

/** Who may call it: an access token of everything, or one with the right. */
const securityOf = ({ by, right }: DescribedOperation) =>
  right === undefined || right === 'none' || by !== 'token'
    ? securities[by]
    : [...securities[by], { oauth2: [right] as const }];

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
  return `${made ?? capitalised(operationId)}Input`;
};

const bodyOf = (operation: DescribedOperation, writer: SchemaWriter) => {
  const { body } = operation;
  if (!body || body === noInput() || !hasBody(operation) || operation.method === 'DELETE') return {};
  const schema = named(writer, writer.write(body, 'input'), inputName(operation.operationId));
  const content = contentOf(schema, writer.example(body, 'input'));
  const types = bodyTypesOf(operation).map((type) => [type, content]);
  return { requestBody: { required: !body.safeParse(undefined).success, content: Object.fromEntries(types) } };
};

/** The text of an option, which may extend what the kit says. */
const textOf = (given: OpenApiOptions['description'], introduction: string): string =>
  typeof given === 'function' ? given(introduction) : (given ?? introduction);

const describe = (path: string, operation: DescribedOperation, writer: SchemaWriter, problems: ProblemWriter) => {
  const { operationId, summary, tag, deprecated } = operation;
  const description = deprecated ? describeDeprecated(operation.description, deprecated) : operation.description;
  const parameters = [...pathParameters(path), ...queryParameters(operation, writer), ...headersOf(operation)];
  return {
    tags: [tag],
    operationId,
    summary,
    ...(description === undefined || description === `${summary}.` ? {} : { description }),
    ...(deprecated ? { deprecated: true } : {}),
    security: securityOf(operation),
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
  { objects, basePath, profiles, routes: kitRoutes, retrySchedule }: OpenApiDeps,
  options: OpenApiOptions,
): OpenApiDocument => {
  assertDocumentOptions(options);
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
  const answers = webhookAnswers(retrySchedule);
  const hooks: (readonly [name: string, operation: WrittenOperation])[] = [];
  if (options.webhooks !== false)
    for (const definition of objects)
      for (const entry of definition.entries) {
        tags.add('Webhooks');
        hooks.push([`${entry.objectName}.${entry.type}`, webhookOf(definition, entry, writer, { profile, answers })]);
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
          scopes: { [requiredScope]: 'The account of the client and its children.', ...scopesOf(operations) },
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
