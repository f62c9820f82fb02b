import type { TooManyRequests } from '../../access/tokens/api-limits.ts';
import { present } from '../../base/fields/present.ts';
import type { HttpResponse } from '../../base/http/route.ts';
import { isOutcomeUnknown } from '../../base/runtime/port-limit.ts';
import { second } from '../../base/runtime/time.ts';
import { type Code, type CodeInfo, codes, type SingleErrors } from './codes.ts';
import { problemResponse } from './problem.ts';

/**
 * A failure of a host's route, answered as a problem document (RFC 9457).
 * @public
 */
export interface RouteRefusal {
  /** The route refuses the request with `status` and `problem`. */
  readonly code: 'refused';
  /** HTTP status, 400 to 499. */
  readonly status: number;
  /** Members of the problem document. */
  readonly problem: {
    /** Stable code, for programs. */
    readonly code: string;
    /** What to do, for people. */
    readonly detail: string;
    /** The single errors, one for each wrong field. */
    readonly errors?: readonly {
      /** JSON Pointer of a field of the body (RFC 6901), such as `/recipient/email`. */
      readonly pointer?: string;
      /** Name of a parameter of the query. */
      readonly parameter?: string;
      /** The rule that is broken. */
      readonly detail: string;
    }[];
  };
  /** Further headers with lower-case names, such as `accept` of a 415 or `retry-after` of a 429. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A failure that a host's handler can return in place of a response: `not_found` (404), `too_large` (413),
 * `unavailable` (503) or a refusal. It is answered as a problem document with a request id; `unavailable` is also
 * signalled.
 * @public
 */
export type RouteFailure =
  | { readonly code: 'not_found' | 'too_large' }
  | {
      readonly code: 'unavailable';
      /** The error of the infrastructure, for the signal. Partners do not see it. */
      readonly cause: unknown;
    }
  | RouteRefusal;

/**
 * Why a request is refused: a code of the table, and what its answer says beside the table. Every failure of the domain
 * has this shape.
 */
export interface CodedFailure {
  readonly code: Code;
  /** What to do, in place of the detail of the code. */
  readonly detail?: string;
  /** What a failure of the domain says to do. The answer has it if its code has no detail. */
  readonly message?: string;
  /** HTTP status, in place of that of the code. */
  readonly status?: number;
  /** Further headers with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The single errors. */
  readonly errors?: SingleErrors;
  /** The cursor with which to continue. */
  readonly resumeAfter?: string;
  /** What the infrastructure threw; `onError` receives it, and no response contains it. */
  readonly cause?: unknown;
}

/** Every failure of a request (specification §7). */
export type HttpFailure = CodedFailure | TooManyRequests | RouteRefusal;

/** The bodies of failures: problem documents (RFC 9457), or errors of the token endpoint (RFC 6749 §5.2). */
export type FailureFormat = 'problem' | 'oauth2';

const limited = {
  calls: 'calls',
  keys: 'new API keys',
  endpoints: 'new webhook endpoints',
  'test-events': 'test events',
} as const;

const tooMany = ({ code, policy, rule, wait }: TooManyRequests): CodedFailure => {
  const seconds = Math.ceil(wait / second);
  return {
    code,
    detail:
      policy === 'logins'
        ? 'Too many logins; use the access token until it expires.'
        : `Too many ${limited[policy]}; wait as Retry-After says.`,
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"${policy}";q=${rule.points};w=${Math.ceil(rule.window / second)}`,
      ratelimit: `"${policy}";r=0;t=${seconds}`,
    },
  };
};

const unknownOutcome =
  'The outcome is unknown: repeat the request with the same Idempotency-Key; without one, read before you repeat.';

const detailOf = ({ code, detail, message, cause }: CodedFailure, info: CodeInfo): string =>
  code === 'unavailable' && isOutcomeUnknown(cause) ? unknownOutcome : (detail ?? info.detail ?? message ?? '');

const headersOf = ({ headers = {} }: CodedFailure, info: CodeInfo): Readonly<Record<string, string>> => {
  const fixed = Object.entries(info.headers ?? {}).filter((header): header is [string, string] => header[1] !== null);
  return { ...Object.fromEntries(fixed), ...headers };
};

/** Turns a failure into an HTTP response. The response contains nothing of a `cause`. */
export const failureResponse = (failure: HttpFailure, format: FailureFormat = 'problem'): HttpResponse => {
  if (failure.code === 'refused') {
    const { code, detail, errors } = failure.problem;
    return problemResponse(failure.status, code, detail, {
      headers: failure.headers,
      members: errors ? { errors } : {},
    });
  }
  const coded = 'policy' in failure ? tooMany(failure) : failure;
  const { code, resumeAfter } = coded;
  const info = codes[code];
  const errors = coded.errors ?? info.errors;
  const [status, detail, headers] = [coded.status ?? info.status, detailOf(coded, info), headersOf(coded, info)];
  // A failure inside the platform is a problem document for every operation.
  if (format === 'problem' || code === 'internal')
    return problemResponse(status, code, detail, { headers, members: present({ errors, resumeAfter }) });
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
    body: JSON.stringify({ error: code, error_description: detail }),
  };
};
