import { z } from 'zod';
import { documentation } from '#documentation';
import { atLeastOne, emptyChange, notEmpty } from '../../base/fields/change.ts';
import { withExample } from '../../base/fields/example.ts';
import { derived, optional, required, seen, shapeOf, storedAs } from '../../base/fields/field.ts';
import { flag, seenAt, seenAtIf, text } from '../../base/fields/values.ts';
import { many, oneIf, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';

/** How a secret of a client is given, stored and seen, but for its digest and origin. */
export const secretFields = once(() => ({
  /** Public part of the secret: `<prefix>_<id>_…`. Of an imported secret, derived from its digest. */
  id: seen(z.string(), 'Public part of the secret.'),
  /** Free text, 1 to 256 bytes. @defaultValue none */
  label: optional(text('Free text: 1 to 256 bytes.', 'Before the rotation')),
  /** When it was made. */
  createdAt: seenAt('When it was made.'),
  /** Logins with it are refused from this time on; tokens issued with it stay valid. */
  expiresAt: seenAtIf('From then on, logins with it are refused.'),
  /** Its logins and the tokens issued with it are refused. */
  revoked: derived(flag('Its logins and the tokens issued with it are refused.')),
  /** Last successful login, to the minute; shows which secrets are unused. */
  lastUsedAt: seenAtIf('Last login, to the minute.'),
}));

/** Why logins are refused. */
export const loginRefusals = [
  'malformed_secret',
  'wrong_secret',
  'expired_secret',
  'revoked_secret',
  'disabled',
  'account_not_allowed',
  'too_many_logins',
] as const;

/** How a client is given, changed, stored and seen. */
export const clientFields = once(() => ({
  id: seen(z.string(), 'The `client_id`.'),
  /** Descriptive name, 1 to 256 bytes. */
  name: required(text('Name for people: 1 to 256 bytes.', 'Booking system')),
  /** When it was made. */
  createdAt: seenAt('When it was made.'),
  /** Its logins and tokens are refused. */
  disabled: derived(flag('Its logins and tokens are refused.')),
  lastRefusal: storedAs<never>()(
    oneIf(
      viewOf({ at: seenAt('When it was refused.'), reason: seen(z.enum(loginRefusals)) }),
      'The last login that was refused, to the minute. Anyone who knows the id can cause one.',
    ),
  ),
  secrets: storedAs<never>()(many(viewOf(secretFields()))),
}));

/** The inputs that create and change a client, and add a secret. */
export const clientInputs = once(() => ({
  created: withExample(z.strictObject(shapeOf(clientFields(), 'created')), { name: 'Booking system' }),
  changed: z
    .strictObject(shapeOf(clientFields(), 'changed'))
    .refine(notEmpty, emptyChange)
    .register(documentation, { keywords: atLeastOne, example: { name: 'Booking system, Zurich' } }),
  secret: withExample(z.strictObject(shapeOf(secretFields(), 'created')), { label: '2028' }),
}));
