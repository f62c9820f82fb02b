/** A single error of a problem document. @public */
export interface ProblemDetail {
  /** JSON Pointer of a field of the body (RFC 6901). */
  readonly pointer?: string;
  /** Name of a query parameter. */
  readonly parameter?: string;
  /** What is wrong, and what to do. */
  readonly detail: string;
}

/** A problem document (RFC 9457), as every operation but the login answers it. @public */
export interface Problem {
  /** The kind of problem, in a few words. */
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  /** Stable code, such as `version_mismatch`. */
  readonly code: string;
  /** What to do. */
  readonly detail: string;
  /** The single errors, when there are several. */
  readonly errors?: readonly ProblemDetail[];
  /** Of a cursor that is refused (`cursor_expired`, `cursor_ahead`): the one with which to continue. */
  readonly resumeAfter?: string;
}

/**
 * A refused request. `unwrap`, `items` and the login throw it. It contains no secret and no token.
 * @example
 * try {
 *   const path = '/api/v1/partner/organisations/{organisationId}/me';
 *   await unwrap(client.GET(path, { params: { path: { organisationId } } }));
 * } catch (cause) {
 *   if (cause instanceof PartnerApiError && cause.code === 'not_found') console.error(cause.status, cause.message);
 * }
 * @public
 */
export class PartnerApiError extends Error {
  override readonly name = 'PartnerApiError';
  /** HTTP status. */
  readonly status: number;
  /** Code of the problem document, `error` of the token endpoint, or `unexpected_answer`. */
  readonly code: string;
  /** The problem document. Absent: the answer had none. */
  readonly problem?: Problem;
  /** The id of the request, for the platform's support. */
  readonly requestId?: string;

  /** Describes an answer and its body. */
  constructor({ status, headers }: Response, body: unknown) {
    const problem = isProblem(body) ? body : undefined;
    const login = (body ?? {}) as { readonly error?: unknown; readonly error_description?: unknown };
    const code = problem?.code ?? (typeof login.error === 'string' ? login.error : 'unexpected_answer');
    const detail = problem?.detail ?? login.error_description;
    super(`${status} ${code}${typeof detail === 'string' ? `: ${detail}` : ''}`);
    this.status = status;
    this.code = code;
    if (problem) this.problem = problem;
    const requestId = headers.get('x-request-id');
    if (requestId !== null) this.requestId = requestId;
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';

/**
 * Returns the data of a call, or throws its problem.
 * @throws PartnerApiError when the request was refused.
 * @example
 * const account = await unwrap(client.GET('/api/v1/partner/organisations/{organisationId}/me', {
 *   params: { path: { organisationId } },
 * }));
 * @public
 */
export const unwrap = async <Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> => {
  const { data, error, response } = await call;
  if (!response.ok) throw new PartnerApiError(response, error);
  return data as Data;
};
