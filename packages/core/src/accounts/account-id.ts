import { err, ok, type Result } from 'neverthrow';
import { isIdentifier } from '../runtime/text.ts';

/** The refusal of an id that no account can have. @internal */
export interface InvalidAccountId {
  readonly code: 'invalid_input';
  readonly detail: string;
}

/**
 * Checks the acting account of a call: a database that is asked for a text that it cannot store would fail, and the caller would be told
 * `unavailable`.
 * @internal
 */
export const checkAccountId = (accountId: unknown): Result<void, InvalidAccountId> =>
  isIdentifier(accountId)
    ? ok(undefined)
    : err({ code: 'invalid_input', detail: 'accountId: 1 to 256 bytes of text without control characters.' });
