import type { RouteFailure } from '../../operations/failure.ts';
import { failureOf } from '../../operations/refused.ts';
import type { InvalidCursor } from '../../pagination/cursor.ts';
import type { CommandRefusal } from '../refusal.ts';

/** Maps a refusal of a command to its response. @internal */
export const refusalOf = (refusal: CommandRefusal | InvalidCursor): RouteFailure => {
  if (refusal.code !== 'rejected') return failureOf(refusal);
  const { status, code, detail } = refusal.rejection;
  return { code: 'refused', status, problem: { code, detail } };
};
