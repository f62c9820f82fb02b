import { err, ok, type Result } from 'neverthrow';
import { utf8Length } from '../runtime/text.ts';
import type { ObjectKind } from '../signals/actor.ts';
import type { StoredRecord } from './record.ts';
import type { Refusal } from './refusal.ts';

/** Maximum size of a stored object as JSON: 128 KiB. What later commands add still fits into an event of 256 KiB. */
const maxBytes = 128 * 1_024;
/** 48 KiB: the events of a cash-out contain its deposit, too. Without fields of the host, at most 37 KiB are needed. */
const maxCashOutBytes = 48 * 1_024;

/**
 * Refuses a new or changed object that is too large. Other commands are never refused for the size: they add at most a
 * few texts of limited length.
 * @internal
 */
export const checkSize = (object: ObjectKind, record: StoredRecord): Result<void, Refusal> => {
  const max = object === 'CashOut' ? maxCashOutBytes : maxBytes;
  const bytes = utf8Length(JSON.stringify(record));
  if (bytes <= max) return ok(undefined);
  const message = `The object would have ${bytes} bytes as JSON; at most ${max} are stored: shorten or remove fields.`;
  return err({ code: 'object_too_large', message });
};
