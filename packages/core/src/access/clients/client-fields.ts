import { z } from 'zod';
import { documentation } from '#documentation';
import { maxListedChildren } from '../../base/accounts/list-children.ts';
import { isRight, type Right, rightForm } from '../../base/accounts/rights.ts';
import { atLeastOne, emptyChange, notEmpty } from '../../base/fields/change.ts';
import { withExample } from '../../base/fields/example.ts';
import { derived, optional, required, seen, shapeOf, storedAs, value } from '../../base/fields/field.ts';
import { flag, identifier, inSeconds, seenAt, seenAtIf, text, time } from '../../base/fields/values.ts';
import { many, oneIf, viewOf } from '../../base/fields/view.ts';
import { isNetwork, networkRule } from '../../base/http/networks.ts';
import { once } from '../../base/runtime/once.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import { publicKeys } from './public-keys.ts';
import { usageFields } from './usage-fields.ts';

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

/** A time in milliseconds since 1970, at most the last one of the year 9999. */
const milliseconds = once(() => {
  const rule = 'milliseconds since 1970, before the year 10000.';
  return z
    .number(rule)
    .max(253_402_300_799_999, rule)
    .superRefine((at, { addIssue }) => {
      const problem = timeProblem(at);
      if (problem !== undefined) addIssue({ code: 'custom', message: problem });
    });
});
/** The end of a client: in inputs of calls in milliseconds, in those of HTTP in seconds. */
const endBy = (by: 'call' | 'http') => {
  const ofHttp = time('From then on, its logins and tokens are refused.');
  const input = by === 'call' ? milliseconds() : ofHttp.input;
  return value(ofHttp.description, { input: input as z.ZodType<EpochMs, EpochMs>, view: ofHttp.view });
};

/** Maximum number of children of a client: as many as one list can have. */
const maxChildren = maxListedChildren;
const childrenWords =
  'The only child accounts that it reaches, by their ids. `[]`: none. Absent: all. Then `rights` has none on webhooks ' +
  'and events, which would carry those of other children.';
const children = once(() => {
  const rule = `at most ${maxChildren} ids of child accounts.`;
  const list = z.array(identifier(), rule).max(maxChildren, rule);
  const typed = list as z.ZodType as z.ZodType<readonly string[], readonly string[]>;
  return value(childrenWords, { input: typed, view: typed });
});

const networksWords =
  'The only networks that it is used from, in CIDR notation, such as `203.0.113.0/24`. Absent: any address.';
const networks = once(() => {
  const rule = '1 to 64 networks such as 203.0.113.0/24.';
  const network = z
    .string(networkRule)
    .refine(isNetwork, networkRule)
    .register(documentation, {
      examples: ['203.0.113.0/24', '2001:db8::/32'],
      keywords: { pattern: '^[0-9A-Fa-f:.]{2,45}/(?:0|[1-9][0-9]{0,2})$' },
    });
  const list = z.array(network, rule).min(1, rule).max(64, rule);
  const typed = list as z.ZodType as z.ZodType<readonly string[], readonly string[]>;
  return value(networksWords, { input: typed, view: typed });
});

/** Why logins are refused. */
export const loginRefusals = [
  'malformed_secret',
  'wrong_secret',
  'expired_secret',
  'revoked_secret',
  'disabled',
  'expired',
  'address_not_allowed',
  'account_not_allowed',
  'too_many_logins',
  'malformed_assertion',
  'wrong_assertion',
  'wrong_assertion_claims',
  'expired_assertion',
  'repeated_assertion',
] as const;

const fieldsOf = (known?: readonly Right[], by: 'call' | 'http' = 'call', verifiesAssertions = true) => ({
  id: seen(z.string(), 'The `client_id`.'),
  /** Descriptive name, 1 to 256 bytes. */
  name: required(text('Name for people: 1 to 256 bytes.', 'Booking system')),
  /** What it may do. A change takes effect within `oauth.revocationDelay`. @defaultValue everything */
  rights: optional(rights(known)),
  /**
   * The only child accounts that it reaches, by their ids: at most 200; `[]` for none. Then `rights` is given, without
   * rights on `webhooks` and `events`. A change takes effect within `oauth.revocationDelay`. @defaultValue all
   */
  children: optional(children()),
  /**
   * The only networks that it is used from, in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3): 1 to 64. Needs
   * `api.trustRemoteAddress`. A change takes effect within `oauth.revocationDelay`. @defaultValue any address
   */
  networks: optional(networks()),
  /**
   * From then on, its logins and tokens are refused; no token is issued that ends later. In milliseconds since 1970, in
   * the future. @defaultValue none: it does not end
   */
  expiresAt: inSeconds(optional(endBy(by))),
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
  usage: storedAs<never>()(oneIf(viewOf(usageFields()), 'Its calls. Only where API keys are read and listed.')),
});

/** How a client is given, changed, stored and seen. */
export const clientFields = once(() => fieldsOf());

/**
 * The inputs that create and change a client, and add a secret, with the rights of the platform. Times of calls are in
 * milliseconds, those of HTTP in seconds. `verifiesAssertions`: whether it can verify signatures of clients.
 */
export const clientInputs = (known: readonly Right[], by: 'call' | 'http', verifiesAssertions = true) => {
  const fields = fieldsOf(known, by, verifiesAssertions);
  return {
    created: withExample(z.strictObject(shapeOf(fields, 'created')), { name: 'Booking system' }),
    changed: z
      .strictObject(shapeOf(fields, 'changed'))
      .refine(notEmpty, emptyChange)
      .register(documentation, { keywords: atLeastOne, example: { name: 'Booking system, Zurich' } }),
    secret: withExample(z.strictObject(shapeOf(secretFields(), 'created')), { label: '2028' }),
  };
};
