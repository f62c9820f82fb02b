import { err, ok, type Result } from '#result';
import { dotSegmentRule, isDotSegment } from '../http/path-segment.ts';
import { type InvalidInput, invalidField } from '../runtime/failure.ts';
import { isIdentifier } from '../runtime/text.ts';

/**
 * Checks the acting account of a call. Without it, a text that the database cannot store would make it fail, and the
 * caller would get `unavailable`. Paths name accounts.
 */
export const checkAccountId = (accountId: unknown): Result<void, InvalidInput> =>
  isIdentifier(accountId)
    ? isDotSegment(accountId)
      ? err(invalidField('accountId', dotSegmentRule))
      : ok(undefined)
    : err(invalidField('accountId', '1 to 256 bytes of text without control characters.'));
