import { type Code, type CodeInfo, codes, nounOf, titleOf } from './codes.ts';
import type { JsonSchema } from './json-schema.ts';
import type { DescribedOperation } from './operation.ts';

/** A problem document (RFC 9457). */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  properties: {
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', description: 'What is wrong, for programs.' },
    detail: { type: 'string', description: 'What to do, for people.' },
    resumeAfter: { type: 'string', description: 'Of a cursor that is refused: the one with which to continue.' },
    errors: {
      type: 'array',
      description: 'Each wrong field or parameter, at most 32.',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) of a field of the body.' },
          parameter: { type: 'string', description: 'Name of a parameter of the query.' },
          detail: { type: 'string', description: 'The rule that is broken.' },
        },
        required: ['detail'],
      },
    },
  },
  required: ['title', 'status', 'code', 'detail'],
};

/** What a status means; no part of a problem document. */
const meanings: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong.',
  401: 'The caller is not authenticated.',
  403: 'The caller may not do this.',
  404: 'There is nothing here that the caller can access.',
  405: 'The path does not serve this method.',
  409: 'The state of the object, or a rule, refuses this.',
  410: 'What the cursor is for is deleted.',
  412: 'The object has another version than `If-Match` or `If-None-Match` allows.',
  413: 'The body is too large.',
  415: 'The body has another type.',
  422: 'The `Idempotency-Key` belongs to another request.',
  428: 'The request must name the version that it is meant for (`If-Match`).',
  429: 'Too many requests.',
  500: 'The platform failed.',
  503: 'Try again; a change may have taken effect.',
};

type Format = 'oauth2' | 'open' | 'closed';

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({
  description,
  required: true,
  schema,
});

const documented: Readonly<Record<string, ReturnType<typeof header>>> = {
  allow: header('The methods that the path serves.'),
  'retry-after': header('Seconds to wait.', { type: 'integer', minimum: 0 }),
  'www-authenticate': header('The challenge (RFC 6750 §3).'),
};

/** The headers that a code always has; those of a host's own code are unknown. */
const headersOf = (code: string): readonly string[] => {
  const info: CodeInfo | undefined = Object.hasOwn(codes, code) ? codes[code as keyof typeof codes] : undefined;
  return Object.keys(info?.headers ?? {});
};

/** The headers that every answer has, whichever of the codes it is. */
const commonHeaders = (status: number, all: readonly string[], format: Format) => {
  const common = Object.keys(documented).filter(
    (name) => all.length > 0 && all.every((code) => headersOf(code).includes(name)),
  );
  return {
    // Only problem documents and failures of the platform have one.
    ...(format === 'oauth2' && status < 500
      ? {}
      : { 'x-request-id': header('The id of the request, for the platform’s support.') }),
    ...Object.fromEntries(common.map((name) => [name, documented[name]])),
  };
};

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

/** What failures say whose code has no text of its own, as examples. */
const samples: Readonly<Record<number, string>> = {
  400: 'The body is no JSON object.',
  404: 'There is nothing here that this client may access.',
  409: 'Its state does not allow this; read the object again.',
  410: 'What the cursor is for is deleted; begin with the oldest event.',
  413: 'The body is larger than this path takes.',
  415: 'Send a body of a type that this path takes, in UTF-8.',
  422: 'This Idempotency-Key belongs to a request with another body; take a new one.',
  428: 'Send If-Match with the ETag of the object as you read it.',
  429: 'Too many requests; wait as Retry-After says.',
};
const wrongField = [{ pointer: '/amount', detail: 'more than 0.' }];

/** The code that an example shows, and its text: one that says where or what to do, or any. */
const shownCode = (status: number, all: readonly string[]) => {
  const known = all.filter((code): code is Code => Object.hasOwn(codes, code));
  const code = known.find((each) => each === 'invalid_input') ?? known.find((each) => codes[each].detail !== undefined);
  return code ? { code, ...codes[code] } : { code: all[0], detail: samples[status], errors: undefined };
};

/** A body of a response. Without one: the texts of a host's own codes are unknown. */
const exampleOf = (status: number, all: readonly string[], format: Format) => {
  const { code, detail, errors = code === 'invalid_input' ? wrongField : undefined } = shownCode(status, all);
  if (code === undefined || detail === undefined) return {};
  return {
    example:
      format === 'oauth2'
        ? { error: code, error_description: detail }
        : { title: titleOf(status), status, code, detail, ...(errors ? { errors } : {}) },
  };
};

/** A response that several operations have. */
interface SharedProblem {
  readonly status: number;
  readonly format: Format;
  /** Every code that one of them refuses with this status. */
  readonly all: Set<string>;
}

/** What the name of a response begins with: a new code never changes it. */
const prefixes: Readonly<Record<Format, string>> = { oauth2: 'Login', open: 'Command', closed: '' };
const meaningOf = (status: number): string => meanings[status] ?? 'Refused.';

/** Each status once for operations of a kind. */
const responseOf = ({ status, format, all }: SharedProblem) => {
  const sorted = [...all].toSorted();
  return {
    description: meaningOf(status),
    headers: commonHeaders(status, sorted, format),
    content:
      format === 'oauth2'
        ? { 'application/json': { schema: oauthError(sorted), ...exampleOf(status, sorted, format) } }
        : {
            'application/problem+json': {
              schema: format === 'open' ? problem : problemDocument(sorted),
              ...exampleOf(status, sorted, format),
            },
          },
  };
};

/**
 * Collects the problem responses of all operations. Those with one status share a response, whose name is that of the
 * status. The codes of an operation are in the description of its reference.
 */
export const createProblemWriter = () => {
  const shared = new Map<string, SharedProblem>();
  const more = {
    description: 'A rule of the platform refuses this with another status, 400 to 499. `code` is its own.',
    headers: commonHeaders(400, [], 'open'),
    content: { 'application/problem+json': { schema: problem } },
  };
  let hasMore = false;

  const write = (status: number, own: readonly string[], format: Format) => {
    const name = `${prefixes[format]}${nounOf(status)}`;
    const kept = shared.get(name) ?? { status, format, all: new Set<string>() };
    shared.set(name, kept);
    for (const code of own) kept.all.add(code);
    return { $ref: `#/components/responses/${name}`, description: `${meaningOf(status)} \`${own.join('`, `')}\`.` };
  };

  /** The problem responses of an operation, by status. */
  const ofOperation = ({ by, refuses, refusesMore = false }: DescribedOperation) => {
    const byStatus = new Map<number, string[]>();
    for (const { code, status } of refuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    const formatOf = (status: number): Format => {
      if (status < 500 && refusesMore) return 'open';
      // A failure inside the platform is a problem document for every operation.
      return by === 'client' && status !== codes.internal.status ? 'oauth2' : 'closed';
    };
    const listed = [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, all]) => [String(status), write(status, all.toSorted(), formatOf(status))]);
    hasMore ||= refusesMore;
    // Some generators write the range 4XX as a number.
    const rest = { default: { $ref: '#/components/responses/CommandRefused' } };
    return { ...Object.fromEntries(listed), ...(refusesMore ? rest : {}) };
  };

  return {
    ofOperation,
    /** The responses by name, after all operations. */
    responses: (): readonly (readonly [string, object])[] => [
      ...[...shared].map(([name, each]) => [name, responseOf(each)] as const),
      ...(hasMore ? [['CommandRefused', more] as const] : []),
    ],
  };
};

export type ProblemWriter = ReturnType<typeof createProblemWriter>;
