import { err, ok, type Result } from 'neverthrow';
import { utf8Length } from '../runtime/text.ts';
import type { RequestKind } from './define-kind.ts';
import type { StoredRecord } from './record.ts';
import type { CommandRefusal } from './refusal.ts';

/**
 * Refuses a new or changed object that is too large. Other commands are never refused for the size: they add at most a
 * few texts of limited length.
 * @internal
 */
export const checkSize = ({ maxBytes }: RequestKind, record: StoredRecord): Result<void, CommandRefusal> => {
  const bytes = utf8Length(JSON.stringify(record));
  if (bytes <= maxBytes) return ok(undefined);
  const message = `The object would have ${bytes} bytes as JSON; at most ${maxBytes} are stored: shorten or remove fields.`;
  return err({ code: 'object_too_large', message });
};
