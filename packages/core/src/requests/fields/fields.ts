import { z } from 'zod';
import { documentation } from '#documentation';
import { email } from '../../base/fields/email.ts';
import { withExample } from '../../base/fields/example.ts';
import { described, optional, storedAs, value } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { identifier, text, textView, withoutControls } from '../../base/fields/values.ts';
import { hasControls, isIdentifier } from '../../base/runtime/text.ts';
import type { RequestRecipient } from '../record/record.ts';
import { decimalsOf } from './currencies.ts';
import { maxMinor, tooManyDigits } from './money.ts';

const proseRule = '1 to 500 characters of text, without control characters but tabs and new lines.';
const maxProse = 500;
const prose = z
  .string(proseRule)
  .refine(
    (text) =>
      text.length > 0 && text.length <= maxProse && text.isWellFormed() && !hasControls(text.replace(/[\t\n\r]/g, '')),
    proseRule,
  )
  .register(documentation, {
    keywords: { minLength: 1, maxLength: maxProse, pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$' },
  });

const maxPairs = 20;
const maxKey = 40;
/** The rule of `metadata`, in words. */
export const metadataRule = 'an object of at most 20 texts of 1 to 500 characters, with keys of 1 to 40 characters.';
const metadataKey = z
  .string()
  .refine((key) => key.length <= maxKey && key !== '__proto__' && isIdentifier(key), metadataRule)
  .register(documentation, { keywords: { minLength: 1, maxLength: maxKey, ...withoutControls } });
/** Whether the number of pairs is within the limit. */
export const fitsMetadata = (pairs: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(pairs).length <= maxPairs;

const variablesRule = 'an object of at most 40 texts of 1 to 500 characters, by the names of variables.';
const variableName = z.string().regex(/^[A-Za-z]\w{0,39}$/, variablesRule);
const dateRule = 'a calendar date, such as 2027-03-31.';
const date = z.iso.date(dateRule);
const dateView = z.string().register(documentation, { keywords: { format: 'date' } });
const firstDay = <S extends z.ZodType>(day: S): S => described(day, 'The first calendar date.');
const lastDay = <S extends z.ZodType>(day: S): S => described(day, 'The last calendar date.');
const stayRule = 'an object with from and to, and to is not before from.';
/** Whether a period ends no earlier than it begins. */
export const isPeriod = ({ from, to }: { readonly from: string; readonly to: string }): boolean => from <= to;
const phoneRule = 'a telephone number in E.164, such as +41441234567.';
const phone = z.string(phoneRule).regex(/^\+[1-9]\d{6,14}$/, phoneRule);
const languageRule = 'a language tag of BCP 47, such as de-CH: at most 35 characters.';
/**
 * The form of a tag (UTS 35 §3.2): language, script, region, variants, extensions, private use. The rule also refuses
 * what is there twice.
 */
const languageForm =
  '^([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*' +
  '(-[0-9A-WYZa-wyz](-[0-9A-Za-z]{2,8})+)*(-[Xx](-[0-9A-Za-z]{1,8})+)?$';
const isLanguage = (tag: string): boolean => {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};
const language = z
  .string(languageRule)
  .refine(isLanguage, languageRule)
  .register(documentation, { keywords: { minLength: 2, maxLength: 35, pattern: languageForm }, examples: ['de-CH'] });
/** No enumeration: in a generated client, a currency stays a text, and ISO 4217 gains codes. */
const currencyForm = `^(${[...decimalsOf.keys()].toSorted().join('|')})$`;
const maxUrl = 2_048;
const urlRule = `an HTTPS address of at most ${maxUrl} visible ASCII characters.`;
/**
 * Whether a text is an HTTPS address in visible ASCII characters, as RFC 3986 has them. A browser would read other
 * spellings, such as `https:/\\host`, in another way than `URL` does.
 */
export const isAddress = (url: string): boolean =>
  url.length <= maxUrl && /^https:\/\/[^/]/.test(url) && /^[!#-[\]-~]+$/.test(url) && URL.canParse(url);

/** The same rule for the document, but for what only a parser of URLs sees. */
export const addressKeywords = {
  format: 'uri',
  pattern: '^https://[!#-.0-\\[\\]-~][!#-\\[\\]-~]*$',
  maxLength: maxUrl,
} as const;

/** An address that is seen. */
export const addressView = (example: string) =>
  z.string().register(documentation, { keywords: { format: 'uri' }, examples: [example] });

/** Text for people: 1 to 500 characters. */
export const longText = (description: string, example: string) =>
  value(description, { input: prose, view: textView(example) });
const calendarDate = (description: string) => value(description, { input: date, view: dateView });
/** An amount: a decimal number in inputs and views, stored in the smallest unit of its currency. */
export const amount = (description: string) =>
  value(description, {
    input: z
      .number('a number, no finer than its currency.')
      .positive('more than 0.')
      // With decimals, the currency allows less.
      .max(maxMinor, tooManyDigits),
    view: z.number(),
  });
/** What a recipient may have beside an address. */
export const contacts = {
  name: described(identifier(), 'One line: 1 to 256 bytes.'),
  phone: described(phone, 'E.164, such as `+41441234567`.'),
  language: described(language, 'BCP 47, such as `de-CH`: the language in which to address the recipient.'),
};
const { name, phone: ownPhone, language: ownLanguage } = contacts;
/** A part that `null` removes. */
const removable = <S extends z.ZodType>(part: S) =>
  described(part, `${documentation.get(part)?.description} \`null\` removes it.`)
    .nullable()
    .optional();

const recipientView = z.object({
  email: z.string().register(documentation, { keywords: { format: 'email' } }),
  name: textView('Ann Guest').optional(),
  phone: textView('+41441234567', 'E.164.').optional(),
  language: textView('fr', 'BCP 47: the language in which to address the recipient.').optional(),
});
/** The parts of a reason that is seen. */
export const forPrograms = 'For programs.';
export const forPeople = 'For people.';

/** The values that kinds share. */
export const values = {
  name: text('Its name: 1 to 256 bytes.', 'Week at the lake'),
  description: longText('What it is for: 1 to 500 characters.', 'Seven nights for two, with breakfast.'),
  amount: amount('A decimal number above 0, with no more decimals than its currency.'),
  currency: value('ISO 4217. Goes together with the amount.', {
    input: z
      .string('a currency code of ISO 4217.')
      .refine((code) => decimalsOf.has(code), 'a currency code of ISO 4217.')
      .register(documentation, { name: 'Currency', keywords: { pattern: currencyForm }, examples: ['EUR'] }),
    view: textView('EUR'),
  }),
  recipient: value('The person who pays or deposits.', {
    input: z
      .strictObject(
        { email: email(), name: name.optional(), phone: ownPhone.optional(), language: ownLanguage.optional() },
        'an object with email.',
      )
      .transform((recipient): RequestRecipient => present(recipient))
      .register(documentation, { name: 'Recipient' }),
    patch: z
      .strictObject(
        {
          email: email().optional(),
          name: removable(name),
          phone: removable(ownPhone),
          language: removable(ownLanguage),
        },
        'an object with email, name, phone or language.',
      )
      .register(documentation, { name: 'RecipientChange' }),
    view: recipientView,
  }),
  templateId: text(
    'A template of the same account and environment; its values fill in the absent fields.',
    'template_1',
  ),
  variables: value('The values of the variables of the template, such as `{ "guest": "Ann" }`: at most 40.', {
    input: z
      .record(variableName, prose, variablesRule)
      .refine((given) => Object.keys(given).length <= 40, variablesRule)
      .register(documentation, { keywords: { maxProperties: 40 } }),
    view: z.record(z.string(), z.string()),
  }),
  dueDate: calendarDate('The calendar date by which it is due, such as `2027-03-31`.'),
  stay: value('The period that it covers: the first and the last calendar date.', {
    input: z.strictObject({ from: firstDay(date), to: lastDay(date) }, stayRule).refine(isPeriod, stayRule),
    patch: z.strictObject({ from: firstDay(date).optional(), to: lastDay(date).optional() }, stayRule),
    view: z.object({ from: firstDay(dateView), to: lastDay(dateView) }),
  }),
  paymentUrl: value('The HTTPS address where the recipient pays: at most 2,048 visible ASCII characters.', {
    input: z.string(urlRule).refine(isAddress, urlRule).register(documentation, { keywords: addressKeywords }),
    view: addressView('https://pay.example.com/p/1'),
  }),
  reason: value('Why the command is given; stored with the object and in its history.', {
    input: z
      .strictObject(
        {
          code: described(
            z.string().regex(/^[\w.-]{1,64}$/, '1 to 64 of letters, digits, _ . and -.'),
            'For programs: 1 to 64 characters of `A-Z a-z 0-9 _ . -`, such as `insufficient_funds`.',
          ),
          text: described(prose, 'For people: 1 to 500 characters.').optional(),
        },
        'an object with code.',
      )
      .register(documentation, { name: 'Reason' }),
    view: z.object({
      code: textView('on_request', forPrograms),
      text: textView('The guest asked for it by telephone.', forPeople).optional(),
    }),
  }),
  metadata: value("The partner's own data: at most 20 pairs, keys of 1 to 40 characters, values of 1 to 500.", {
    input: z
      .record(metadataKey, prose, metadataRule)
      .refine(fitsMetadata, metadataRule)
      .register(documentation, { keywords: { maxProperties: maxPairs } }),
    patch: z.record(metadataKey, prose.nullable(), metadataRule),
    view: z.record(z.string(), z.string()).register(documentation, { examples: [{ booking: 'B-1042' }] }),
  }),
};

/** The fields by which a partner identifies an object; the last fields of every kind. */
export const identifiers = {
  reference: optional(text("The partner's own number or name for the object.", 'INV-2027-0042')),
  metadata: storedAs<Readonly<Record<string, string>> | undefined>()(optional(values.metadata)),
};

/** The input of commands without fields. */
export const nothing = z.strictObject({}).default({});
const reason = described(values.reason.input, values.reason.description).optional();
/** The input of commands that accept a reason. */
export const withReason = withExample(z.strictObject({ reason }).default({}), {
  reason: { code: 'on_request', text: 'The guest asked for it by telephone.' },
});
/** A field `reason` beside others. */
export const reasonField = { reason };

/** The fields of a record that it may lack. */
type OptionalFields<F> = { readonly [K in keyof F as object extends Pick<F, K> ? K : never]?: F[K] | undefined };
/** The record with these of its optional fields; `undefined` removes one. */
export const withOptional = <F extends object, R extends F>(record: R, fields: OptionalFields<F>): R => {
  const changed: Record<string, unknown> = { ...record, ...fields };
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete changed[name];
  return changed as R;
};
