import type { InvalidCursor } from '../pagination/cursor.ts';
import type { Unavailable } from '../runtime/call-port.ts';
import type { Failure, InvalidInput } from '../runtime/failure.ts';
import { statusOfCode } from './codes.ts';
import type { RouteFailure } from './failure.ts';

/** A refusal as a problem response. @internal */
export const refused = (
  code: string,
  detail: string,
  {
    status = statusOfCode(code),
    errors,
    headers = {},
  }: {
    readonly status?: number;
    readonly errors?: readonly { readonly detail: string }[];
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): RouteFailure => ({ code: 'refused', status, problem: { code, detail, ...(errors ? { errors } : {}) }, headers });

/** Maps a failure of the domain to its response. @internal */
export const failureOf = (failure: Failure | InvalidInput | InvalidCursor | Unavailable): RouteFailure => {
  if ('cause' in failure) return failure;
  if ('errors' in failure)
    return refused(failure.code, 'Something in the body is wrong; errors says where.', { errors: failure.errors });
  switch (failure.code) {
    case 'not_found':
      return { code: 'not_found' };
    case 'invalid_cursor':
      return refused(failure.code, 'after is no next of this list.');
    case 'version_mismatch':
      return refused(failure.code, 'The object is not what If-Match says; read it again.');
    case 'changed_meanwhile':
      return refused(failure.code, 'Another command came first; read the object again.');
    default:
      return refused(failure.code, failure.message);
  }
};
