import { z } from 'zod';
import { documentation } from '#documentation';
import { isRight, type Right, rightForm } from '../../base/accounts/rights.ts';
import { atLeastOne, emptyChange, notEmpty } from '../../base/fields/change.ts';
import { withExample } from '../../base/fields/example.ts';
import { derived, optional, required, seen, shapeOf, storedAs, value } from '../../base/fields/field.ts';
import { flag, seenAt, seenAtIf, text } from '../../base/fields/values.ts';
import { many, oneIf, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import { publicKeys } from './public-keys.ts';

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

/** Rights of a client. `known`: those of the platform. `undefined`: any. */
const rights = (known: readonly Right[] | undefined) => {
  const rule = known ? `one of ${known.join(', ')}.` : 'a right such as requests:read.';
  const listRule = '1 to 32 rights such as requests:read.';
  const right = z
    .string(rule)
    .refine((text) => (known ? known.includes(text as Right) : isRight(text)), rule)
    .register(documentation, { keywords: known ? { enum: known } : { pattern: rightForm.source } });
  const list = z.array(right, listRule).min(1, listRule).max(32, listRule);
  const typed = list as z.ZodType as z.ZodType<readonly Right[], readonly Right[]>;
  const description = 'What it may do, such as `requests:read`; `write` includes `read`. Absent: everything.';
  return value(description, { input: typed, view: typed });
};

/** Why logins are refused. */
export const loginRefusals = [
  'malformed_secret',
  'wrong_secret',
  'expired_secret',
  'revoked_secret',
  'disabled',
  'account_not_allowed',
  'too_many_logins',
  'malformed_assertion',
  'wrong_assertion',
  'wrong_assertion_claims',
  'expired_assertion',
  'repeated_assertion',
] as const;

const fieldsOf = (known?: readonly Right[], verifiesAssertions = true) => ({
  id: seen(z.string(), 'The `client_id`.'),
  /** Descriptive name, 1 to 256 bytes. */
  name: required(text('Name for people: 1 to 256 bytes.', 'Booking system')),
  /** What it may do. A change takes effect within `oauth.revocationDelay`. @defaultValue everything */
  rights: optional(rights(known)),
  /** Public keys for logins by `private_key_jwt`. Removing one ends its tokens. @defaultValue none */
  jwks: optional(publicKeys(verifiesAssertions)),
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
});

/** How a client is given, changed, stored and seen. */
export const clientFields = once(() => fieldsOf());

/**
 * The inputs that create and change a client, and add a secret, with the rights of the platform.
 * `verifiesAssertions`: whether it can verify signatures of clients.
 */
export const clientInputs = (known: readonly Right[], verifiesAssertions = true) => {
  const fields = fieldsOf(known, verifiesAssertions);
  return {
    created: withExample(z.strictObject(shapeOf(fields, 'created')), { name: 'Booking system' }),
    changed: z
      .strictObject(shapeOf(fields, 'changed'))
      .refine(notEmpty, emptyChange)
      .register(documentation, { keywords: atLeastOne, example: { name: 'Booking system, Zurich' } }),
    secret: withExample(z.strictObject(shapeOf(secretFields(), 'created')), { label: '2028' }),
  };
};
