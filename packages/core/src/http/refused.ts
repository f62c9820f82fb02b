import type { InvalidCursor } from '../pagination/cursor.ts';
import type { Unavailable } from '../runtime/call-port.ts';
import type { Failure, InvalidInput } from '../runtime/failure.ts';
import type { RouteFailure } from './failure.ts';

/** A refusal as a problem response. @internal */
export const refused = (
  status: number,
  code: string,
  detail: string,
  {
    errors,
    headers = {},
  }: {
    readonly errors?: readonly { readonly detail: string }[];
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): RouteFailure => ({ code: 'refused', status, problem: { code, detail, ...(errors ? { errors } : {}) }, headers });

const statuses: Readonly<Record<string, number>> = {
  bad_request: 400,
  invalid_input: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  not_found: 404,
  no_such_event: 404,
  no_such_endpoint: 404,
  version_mismatch: 412,
  version_required: 428,
};

/** The HTTP status of a refusal, by its code: 409 unless it has another. @internal */
export const statusOfCode = (code: string): number => (Object.hasOwn(statuses, code) ? statuses[code] : 409) as number;

/** Maps a failure of the domain to its response: 409, unless its code has a status of its own. @internal */
export const failureOf = (failure: Failure | InvalidInput | InvalidCursor | Unavailable): RouteFailure => {
  if ('cause' in failure) return failure;
  if ('errors' in failure)
    return refused(400, failure.code, 'Something in the body is wrong; errors says where.', { errors: failure.errors });
  switch (failure.code) {
    case 'not_found':
      return { code: 'not_found' };
    case 'invalid_cursor':
      return refused(400, failure.code, 'after is no next of this list.');
    case 'version_mismatch':
      return refused(412, failure.code, 'The object is not what If-Match says; read it again.');
    case 'changed_meanwhile':
      return refused(409, failure.code, 'Another command came first; read the object again.');
    default:
      return refused(statusOfCode(failure.code), failure.code, failure.message);
  }
};
