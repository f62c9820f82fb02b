import { err, ok, type Result } from '#result';
import { utf8Length } from '../../base/runtime/text.ts';
import type { RequestKind } from '../kinds/define-kind.ts';
import type { StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';

/**
 * Lists that commands add to, each with a limit of its own. They do not count, so that they never make a change
 * impossible.
 */
const lists = ['cashOuts', 'transactions', 'evidence'];

/**
 * Refuses a new or changed object that is too large. Other commands are never refused for the size: they add at most a
 * few texts of limited length, and to lists.
 */
export const checkSize = ({ maxBytes, fields }: RequestKind, record: StoredRequest): Result<void, CommandRefusal> => {
  // The most bytes of one character of the text: nearly every object is small, and is not counted.
  if (JSON.stringify(record).length * 3 <= maxBytes) return ok(undefined);
  // The host's own fields are not among those of the kind: they count by any name.
  const counted = Object.entries(record).filter(([name]) => !(lists.includes(name) && name in fields));
  const bytes = utf8Length(JSON.stringify(Object.fromEntries(counted)));
  if (bytes <= maxBytes) return ok(undefined);
  const message = `The object would have ${bytes} bytes as JSON; at most ${maxBytes} are stored: shorten or remove fields.`;
  return err({ code: 'object_too_large', message });
};
