import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure, InvalidInput } from '../../base/runtime/failure.ts';
import { type Code, codes, type SingleErrors } from './codes.ts';
import type { RouteFailure, RouteRefusal } from './failure.ts';

/** A refusal by a host's route. */
export const refused = (
  code: Code,
  detail: string,
  { errors }: { readonly errors?: SingleErrors } = {},
): RouteRefusal => ({
  code: 'refused',
  status: codes[code].status,
  problem: { code, detail, ...(errors ? { errors } : {}) },
});

/** Maps a failure of the domain to that of a host's route. */
export const failureOf = (failure: Failure<Code> | InvalidInput | InvalidCursor | Unavailable): RouteFailure => {
  if ('cause' in failure) return failure;
  if (failure.code === 'not_found') return { code: 'not_found' };
  const { detail = failure.message, errors } = codes[failure.code];
  const placed = 'errors' in failure ? failure : errors && { errors };
  return refused(failure.code, detail, placed);
};
