import type { RouteFailure } from '../../api/operations/failure.ts';
import { failureOf } from '../../api/operations/refused.ts';
import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { CommandRefusal } from '../record/refusal.ts';

/** Maps a refusal of a command to its response. */
export const refusalOf = (refusal: CommandRefusal | InvalidCursor): RouteFailure => {
  if (refusal.code !== 'rejected') return failureOf(refusal);
  const { status, code, detail } = refusal.rejection;
  return { code: 'refused', status, problem: { code, detail } };
};
