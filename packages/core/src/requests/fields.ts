import { z } from 'zod';
import { documentation } from '#documentation';
import { hasControls, isIdentifier } from '../runtime/text.ts';
import { decimalsOf } from './currencies.ts';
import type { Recipient } from './record.ts';

const identifierRule = '1 to 256 bytes of text without control characters.';
const identifier = z
  .string(identifierRule)
  .refine(isIdentifier, identifierRule)
  .register(documentation, { keywords: { minLength: 1, maxLength: 256 } });
const proseRule = '1 to 500 characters of text, without control characters but tabs and new lines.';
const maxProse = 500;

/** Text for people: 1 to 500 characters. @internal */
export const prose = z
  .string(proseRule)
  .refine(
    (text) =>
      text.length > 0 && text.length <= maxProse && text.isWellFormed() && !hasControls(text.replace(/[\t\n\r]/g, '')),
    proseRule,
  )
  .register(documentation, { keywords: { minLength: 1, maxLength: maxProse } });

const maxPairs = 20;
const maxKey = 40;
/** The rule of `metadata`, in words. @internal */
export const metadataRule = 'an object of at most 20 texts of 1 to 500 characters, with keys of 1 to 40 characters.';
const metadataKey = z
  .string()
  .refine((key) => key.length <= maxKey && key !== '__proto__' && isIdentifier(key), metadataRule)
  .register(documentation, { keywords: { minLength: 1, maxLength: maxKey } });
/** Whether the number of pairs is within the limit. @internal */
export const fitsMetadata = (pairs: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(pairs).length <= maxPairs;

const dateRule = 'a calendar date, such as 2027-03-31.';
const date = z.iso.date(dateRule);
const stayRule = 'an object with from and to, and to is not before from.';
/** Whether a period ends no earlier than it begins. @internal */
export const isPeriod = ({ from, to }: { readonly from: string; readonly to: string }): boolean => from <= to;
const emailRule = 'an e-mail address.';
const email = z.email(emailRule).max(254, 'at most 254 characters.');
const urlRule = 'an HTTPS address of at most 2048 characters.';

/** The fields that objects share. @internal */
export const fields = {
  name: identifier,
  description: prose,
  amount: z.number('a number, no finer than its currency.').positive('more than 0.'),
  currency: z
    .string('a currency code of ISO 4217.')
    .refine((code) => decimalsOf.has(code), 'a currency code of ISO 4217.')
    .register(documentation, { keywords: { pattern: '^[A-Z]{3}$' }, examples: ['EUR'] }),
  recipient: z
    .strictObject({ email, name: identifier.optional() }, 'an object with email.')
    .transform((recipient): Recipient => present(recipient)),
  templateId: identifier,
  depositId: identifier,
  reference: identifier,
  metadata: z
    .record(metadataKey, prose, metadataRule)
    .refine(fitsMetadata, metadataRule)
    .register(documentation, { keywords: { maxProperties: maxPairs } }),
  dueDate: date,
  stay: z.strictObject({ from: date, to: date }, stayRule).refine(isPeriod, stayRule),
  paymentUrl: z
    .url({ protocol: /^https$/, error: urlRule })
    .max(2_048, urlRule)
    .register(documentation, { keywords: { pattern: '^https://' } }),
  reason: z.strictObject(
    {
      code: z.string().regex(/^[\w.-]{1,64}$/, '1 to 64 of letters, digits, _ . and -.'),
      text: prose.optional(),
    },
    'an object with code.',
  ),
};

/** The same fields in a change (RFC 7396): `null` removes a field, objects are merged. @internal */
export const changes = {
  name: fields.name.optional(),
  description: fields.description.nullable().optional(),
  currency: fields.currency.optional(),
  recipient: z
    .strictObject({ email: email.optional(), name: identifier.nullable().optional() }, 'an object with email or name.')
    .optional(),
  reference: fields.reference.nullable().optional(),
  metadata: z.record(metadataKey, prose.nullable(), metadataRule).nullable().optional(),
  dueDate: fields.dueDate.nullable().optional(),
  stay: z.strictObject({ from: date.optional(), to: date.optional() }, stayRule).nullable().optional(),
};

/** The input of commands without fields. @internal */
export const nothing = z.strictObject({}).default({});
/** The input of commands that accept a reason. @internal */
export const withReason = z.strictObject({ reason: fields.reason.optional() }).default({});

/** Whether a change has a field. @internal */
export const notEmpty = (input: object): boolean => Object.values(input).some((value) => value !== undefined);
/** The rule of `notEmpty`, in words. @internal */
export const emptyChange = 'at least one field to change.';
/** The rule of `notEmpty`, for the OpenAPI document. @internal */
export const atLeastOne = { minProperties: 1 } as const;

/** Drops fields that are `undefined`, as JSON does. @internal */
export const present = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } => {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) found[name] = value;
  return found as never;
};
