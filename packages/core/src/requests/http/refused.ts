import type { RouteFailure } from '../../http/failure.ts';
import { failureOf, refused } from '../../http/refused.ts';
import type { InvalidCursor } from '../../pagination/cursor.ts';
import type { CommandRefusal } from '../refusal.ts';

/** Maps a refusal of a command to its response. @internal */
export const refusalOf = (refusal: CommandRefusal | InvalidCursor): RouteFailure => {
  if (refusal.code !== 'rejected') return failureOf(refusal);
  const { status, code, detail } = refusal.rejection;
  return refused(code, detail, { status });
};
