/** The HTTP status of every code of a problem document that is not 409. */
const statuses = {
  bad_request: 400,
  invalid_cursor: 400,
  invalid_input: 400,
  invalid_query: 400,
  invalid_request: 400,
  invalid_token: 401,
  missing_token: 401,
  not_authenticated: 401,
  account_not_active: 403,
  cross_site: 403,
  forbidden: 403,
  insufficient_scope: 403,
  no_such_endpoint: 404,
  no_such_event: 404,
  not_found: 404,
  method_not_allowed: 405,
  version_mismatch: 412,
  too_large: 413,
  unsupported_media_type: 415,
  version_required: 428,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** The HTTP status of a code: 409, that of a rule of the domain, unless it has another. @internal */
export const statusOfCode = (code: string): number =>
  Object.hasOwn(statuses, code) ? statuses[code as keyof typeof statuses] : 409;

/** Codes by their HTTP status, each once. @internal */
export const codesByStatus = (codes: readonly string[]): Readonly<Record<number, readonly string[]>> => {
  const byStatus: Record<number, string[]> = {};
  for (const code of new Set(codes)) {
    const status = statusOfCode(code);
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return byStatus;
};
