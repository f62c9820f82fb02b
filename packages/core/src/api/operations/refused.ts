import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure, InvalidInput } from '../../base/runtime/failure.ts';
import { type Code, codes } from './codes.ts';
import type { RouteFailure, RouteRefusal } from './failure.ts';

/** A refusal by a host's route. */
export const refused = (
  code: Code,
  detail: string,
  { errors }: { readonly errors?: readonly { readonly detail: string }[] } = {},
): RouteRefusal => ({
  code: 'refused',
  status: codes[code].status,
  problem: { code, detail, ...(errors ? { errors } : {}) },
});

/** Maps a failure of the domain to that of a host's route. */
export const failureOf = (failure: Failure<Code> | InvalidInput | InvalidCursor | Unavailable): RouteFailure => {
  if ('cause' in failure) return failure;
  if (failure.code === 'not_found') return { code: 'not_found' };
  return refused(failure.code, codes[failure.code].detail ?? failure.message, 'errors' in failure ? failure : {});
};
