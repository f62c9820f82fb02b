import type { RouteFailure } from '../../http/failure.ts';
import type { InvalidCursor } from '../../runtime/cursor.ts';
import type { Refusal } from '../refusal.ts';

/** A refusal as its response. @internal */
export const refused = (
  status: number,
  code: string,
  detail: string,
  errors?: readonly { readonly detail: string }[],
  headers: Readonly<Record<string, string>> = {},
): RouteFailure => ({ code: 'refused', status, problem: { code, detail, ...(errors ? { errors } : {}) }, headers });

/** The one place where a refusal of a command becomes a response. @internal */
export const failureOf = (refusal: Refusal | InvalidCursor): RouteFailure => {
  switch (refusal.code) {
    case 'not_found':
      return { code: 'not_found' };
    case 'invalid_input':
      return refused(400, refusal.code, 'Something in the body is wrong; errors says where.', refusal.errors);
    case 'invalid_cursor':
      return refused(400, refusal.code, 'after is no next of this list.');
    case 'version_mismatch':
      return refused(412, refusal.code, 'The object is not what If-Match says; read it again.');
    case 'changed_meanwhile':
      return refused(409, refusal.code, 'Another command came first; read the object again.');
    case 'rejected': {
      const { status, code, detail } = refusal.rejection;
      return refused(status, code, detail);
    }
    default:
      return refused(409, refusal.code, refusal.detail);
  }
};
