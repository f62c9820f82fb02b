import { codesByStatus } from '../http/codes.ts';
import type { Operation } from '../http/operation.ts';
import type { JsonSchema } from './json-schema.ts';

/** A problem document (RFC 9457). @internal */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457). `code` is stable; `detail` says what to do.',
  properties: {
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      description: 'The single errors: `pointer` names a field of the body, `parameter` one of the query.',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string' },
          parameter: { type: 'string' },
          detail: { type: 'string' },
        },
        required: ['detail'],
      },
    },
  },
  required: ['title', 'status', 'code', 'detail'],
};

type Codes = Readonly<Record<number, readonly string[]>>;

/** Problems of every operation, by who may call it. */
const common: Readonly<Record<Operation['security'], Codes>> = {
  oauth2: codesByStatus([
    'bad_request',
    'invalid_request',
    'missing_token',
    'invalid_token',
    'insufficient_scope',
    'account_not_active',
    'too_many_requests',
    'internal',
    'unavailable',
  ]),
  session: codesByStatus(['bad_request', 'not_authenticated', 'internal', 'unavailable']),
  client: codesByStatus(['internal']),
  none: codesByStatus(['method_not_allowed', 'internal', 'unavailable']),
};

const meanings: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong.',
  401: 'The caller is not authenticated.',
  403: 'The caller may not do this.',
  404: 'There is nothing here that the caller can access.',
  405: 'The path does not serve this method.',
  409: 'The state of the object, or a rule, refuses this.',
  412: 'The object has another version than `If-Match` names.',
  413: 'The body is too large.',
  415: 'The body has another type.',
  428: 'The request must name the version that it is meant for (`If-Match`).',
  429: 'Too many requests.',
  500: 'The platform failed.',
  503: 'Nothing was decided; try again.',
};

type Format = 'oauth2' | 'open' | 'closed';

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({
  description,
  required: true,
  schema,
});

const headersOf = (status: number, format: Format) => ({
  // Only problem documents and failures of the platform have one.
  ...(format === 'oauth2' && status < 500
    ? {}
    : { 'x-request-id': header('The id of the request, for the platform’s support.') }),
  ...(status === 401 ? { 'www-authenticate': header('The challenge (RFC 6750 §3).') } : {}),
  ...(status === 429 || status === 503
    ? { 'retry-after': header('Seconds to wait.', { type: 'integer', minimum: 0 }) }
    : {}),
});

const problem: JsonSchema = { $ref: '#/components/schemas/Problem' };
const problemDocument = (codes: readonly string[]): JsonSchema => ({
  allOf: [problem, { type: 'object', properties: { code: { enum: codes } } }],
});

const oauthError = (codes: readonly string[]): JsonSchema => ({
  type: 'object',
  description: 'An error of RFC 6749 §5.2.',
  properties: { error: { enum: codes }, error_description: { type: 'string' } },
  required: ['error', 'error_description'],
});

/** Collects the problem responses of all operations, each of them once. @internal */
export const createProblemWriter = () => {
  const responses = new Map<string, object>();

  const keep = (name: string, response: object): { readonly $ref: string } => {
    responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  };

  const write = (status: number, codes: readonly string[], format: Format) =>
    keep([status, ...codes, ...(format === 'closed' ? [] : [format])].join('-'), {
      description: `${meanings[status] ?? 'Refused.'} \`${codes.join('`, `')}\`.`,
      headers: headersOf(status, format),
      content:
        format === 'oauth2'
          ? { 'application/json': { schema: oauthError(codes) } }
          : { 'application/problem+json': { schema: format === 'open' ? problem : problemDocument(codes) } },
    });

  /** The problem responses of an operation, by status. A path with ids may name what does not exist. */
  const ofOperation = (
    { security, problems = {}, problemFormat, hasOwnProblems = false }: Operation,
    hasIds: boolean,
  ) => {
    const codes = new Map<number, Set<string>>();
    const ofPath: Codes = codesByStatus(hasIds ? ['not_found'] : []);
    for (const [status, all] of [common[security], ofPath, problems].flatMap((each) => Object.entries(each))) {
      const known = codes.get(Number(status)) ?? new Set<string>();
      for (const code of all) known.add(code);
      codes.set(Number(status), known);
    }
    const formatOf = (status: number) => {
      if (status < 500 && hasOwnProblems) return 'open';
      // A failure inside the platform is a problem document for every operation.
      return problemFormat === 'oauth2' && status !== 500 ? 'oauth2' : 'closed';
    };
    const own = {
      description: 'A rule of the platform refuses this; `code` is its own.',
      headers: headersOf(400, 'open'),
      content: { 'application/problem+json': { schema: problem } },
    };
    const listed = [...codes]
      .sort(([a], [b]) => a - b)
      .map(([status, all]) => [String(status), write(status, [...all].sort(), formatOf(status))]);
    return { ...Object.fromEntries(listed), ...(hasOwnProblems ? { '4XX': keep('4XX', own) } : {}) };
  };

  return { ofOperation, responses };
};

/** @internal */
export type ProblemWriter = ReturnType<typeof createProblemWriter>;
