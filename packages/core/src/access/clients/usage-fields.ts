import { z } from 'zod';
import { withExample } from '../../base/fields/example.ts';
import { derived, seen, storedAs } from '../../base/fields/field.ts';
import { flag, seenAt, seenAtIf, textView } from '../../base/fields/values.ts';
import { many, oneIf, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';

/** Why calls are refused and noted. */
export const callRefusals = ['insufficient_scope', 'too_many_requests'] as const;

const count = (description: string) => seen(withExample(z.int().min(0), 42), description);

/** How the usage of a client is seen. */
export const usageFields = once(() => ({
  /** The last call with a valid access token. Absent: none was recorded. */
  lastCallAt: seenAtIf('The last call.'),
  /** Calls of the last 30 days. */
  calls: count('Calls of the last 30 days, refused ones included.'),
  days: storedAs<never>()(
    many(
      viewOf({ date: seen(textView('2026-12-31'), 'The day in UTC.'), calls: count('Its calls.') }),
      'The days with calls, oldest first.',
    ),
  ),
  lastRefusal: storedAs<never>()(
    oneIf(
      viewOf({ at: seenAt('When it was refused.'), reason: seen(z.enum(callRefusals)) }),
      'The last of these calls that was refused for its right or a limit.',
    ),
  ),
  /** Whether the client neither logged in nor called for 90 days, and is older than that. */
  isUnused: derived(flag('No login and no call for 90 days.')),
}));
