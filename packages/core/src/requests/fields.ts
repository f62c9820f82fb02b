import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { hasControls, isIdentifier } from '../runtime/text.ts';
import { decimalsOf } from './currencies.ts';
import type { Money } from './money.ts';
import { type Asked, assertOwner, type Context, type Owner, type Recipient, type Recorded } from './record.ts';
import { type Refusal, type WrongField, wrongFields } from './refusal.ts';

const identifierRule = '1 to 256 bytes of text without control characters.';
const identifier = z.string(identifierRule).refine(isIdentifier, identifierRule);
const proseRule = '1 to 500 characters of text, without control characters but tabs and new lines.';
/** So that the events of a deposit with all its cash-outs stay below what is sent. */
const mostProse = 500;

/** Text for people. @internal */
export const prose = z
  .string(proseRule)
  .refine(
    (text) =>
      text.length > 0 && text.length <= mostProse && text.isWellFormed() && !hasControls(text.replace(/[\t\n\r]/g, '')),
    proseRule,
  );

/** The fields that objects share. @internal */
export const fields = {
  name: identifier,
  description: prose,
  amount: z.number('a number, no finer than its currency.').positive('more than 0.'),
  currency: z
    .string('a currency code of ISO 4217.')
    .refine((code) => decimalsOf.has(code), 'a currency code of ISO 4217.'),
  recipient: z
    .strictObject(
      { email: z.email('an e-mail address.').max(254, 'at most 254 characters.'), name: identifier.optional() },
      'an object with email.',
    )
    .transform((recipient): Recipient => present(recipient)),
  templateId: identifier,
};

/** The input of commands that take none. @internal */
export const nothing = z.strictObject({}).default({});

/** @internal */
export const notEmpty = (input: object): boolean => Object.values(input).some((value) => value !== undefined);
/** @internal */
export const emptyChange = 'at least one field to change.';

const mostErrors = 32;
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const fieldsOf = (issue: z.core.$ZodIssue): readonly WrongField[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: 'no such field.' }));
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
  const detail = issue.code === 'invalid_type' && issue.path.length === 0 ? 'an object.' : issue.message;
  return [{ pointer: pointerOf(issue.path), detail: missing ? `missing: ${detail}` : detail }];
};

/** Reads an input by its schema; the refusal points at each wrong field and quotes no value. @internal */
export const readInput = <S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>, Refusal> => {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = parsed.error.issues.flatMap(fieldsOf).slice(0, mostErrors) as [WrongField, ...WrongField[]];
  return err({ code: 'invalid_input', errors: [first, ...rest] });
};

/** Drops what is `undefined`, as JSON does: absent and `undefined` are one. */
const present = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // Nothing but what is said above.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** What a new object begins with. @throws TypeError when the host names no account. @internal */
export const born = <S extends string>(owner: Owner, status: S, { now, newId }: Context): Recorded<S> => {
  const { id: accountId, environment } = assertOwner(owner);
  return { id: newId(), accountId, environment, status, createdAt: now, updatedAt: now, version: 1 };
};

/** What a template gives to requests that are made from it. @internal */
export interface Defaults {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly money?: Money;
}

/** The fields of a new request: its own, else its template's. They are copied, so that the template may change. @internal */
export const fillIn = (
  amountField: string,
  input: {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly recipient: Recipient;
  },
  money: Money | undefined,
  template: Defaults | undefined,
): Result<Asked, Refusal> => {
  const name = input.name ?? template?.name;
  const sum = money ?? template?.money;
  const missing = [...(name === undefined ? ['name'] : []), ...(sum ? [] : [amountField])];
  if (name === undefined || !sum) return err(wrongFields(missing, 'missing, and no template gives it.'));
  const description = input.description ?? template?.description;
  return ok({
    name,
    ...(description === undefined ? {} : { description }),
    ...sum,
    recipient: input.recipient,
    ...(template ? { templateId: template.id } : {}),
  });
};

/** Changes what was given; `null` takes the description away. @internal */
export const changeFields = <T extends { readonly description?: string }>(
  held: T,
  change: { readonly [K in keyof T]?: T[K] | undefined } | { readonly description?: string | null | undefined },
): T => {
  const { description, ...changed } = { ...held, ...present(change) };
  return (typeof description === 'string' ? { ...changed, description } : changed) as T;
};
