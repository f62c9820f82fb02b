import { z } from 'zod';
import { ok, type Result } from '#result';
import { emptyChange } from '../../base/fields/change.ts';
import { isSame, mergePatch } from '../../base/fields/merge-patch.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { ownMembers } from '../../base/runtime/own-members.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { bodyWith, patchOf } from '../fields/extension-body.ts';
import type { RequestKind } from '../kinds/define-kind.ts';
import { mayChange } from '../kinds/may-change.ts';
import type { RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { storableRule, unstorable } from '../record/unstorable.ts';

/**
 * The host's own fields, by kind of object; by default none. Each is an object schema whose output is JSON and valid
 * input of the same schema.
 * @example
 * const extend = { payments: z.object({ bookingId: z.string().max(40), guests: z.int().optional() }) };
 * const kit = createPartnerkit({ ...options, storage, objects: extendRequestObjects(extend) });
 * const requests = createRequests({ kit, extend });
 * @public
 */
export type RequestExtensions = { readonly [K in RequestKindName]?: z.ZodObject };

/** The host's own fields of one kind, as stored. @public */
export type ExtensionFields<X extends RequestExtensions, K extends keyof RequestExtensions> = X[K] extends z.ZodObject
  ? z.output<X[K]>
  : unknown;
/** The host's own fields of one kind, as input. @public */
export type ExtensionInput<X extends RequestExtensions, K extends keyof RequestExtensions> = X[K] extends z.ZodObject
  ? z.input<X[K]>
  : unknown;
/** A change of a value by RFC 7396: objects are merged, `null` removes a field. @public */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [F in keyof T]?: MergePatch<T[F]> | null | undefined }
    : T;
/**
 * A change of the host's own fields of one kind (RFC 7396). A required field that accepts `null` is set to `null`, not
 * removed.
 * @public
 */
export type ExtensionChange<X extends RequestExtensions, K extends keyof RequestExtensions> = X[K] extends z.ZodObject
  ? MergePatch<z.input<X[K]>>
  : unknown;

type Fields = Readonly<Record<string, unknown>>;
/** The key of the host's own fields in a parsed input. */
const own = Symbol('extension');
type Extended = object & { readonly [own]?: Fields };

const pick = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]));
const omit = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));

/** The fields of a record without the host's, and those of the host. */
const asRecord = (fields: object): StoredRequest => fields as StoredRequest;

/** The host's own fields of an input, and their errors. */
interface OwnRead {
  readonly fields: Fields;
  readonly issues: readonly z.core.$ZodIssue[];
}

/** Stored fields that partners do not see under the same name, and the fields that events add. */
const stored = [
  'accountId',
  'environment',
  'version',
  'createdBy',
  'updatedBy',
  'money',
  'amount',
  'cashOut',
  'transaction',
  'reminders',
  'warnedOf',
  'announced',
  'toldEndOf',
  'authorisationEnds',
  'importedAt',
];

/** Reads the host's fields by `readOwn`, the others by `base`, and reports what is wrong with either. */
const splitBy = (keys: readonly string[], base: z.ZodType, readOwn: (given: Fields) => OwnRead) =>
  z.unknown().transform((input, context): Extended => {
    const [given, rest] = isObject(input) ? [pick(input, keys), omit(input, keys)] : [{}, input];
    const readRest = base.safeParse(ownMembers(rest), { reportInput: true });
    const readGiven = readOwn(given);
    // A change of the host's own fields alone is not empty.
    const isWrong = ({ message }: z.core.$ZodIssue) => message !== emptyChange || Object.keys(given).length === 0;
    const issues = [...(readRest.error?.issues.filter(isWrong) ?? []), ...readGiven.issues];
    for (const issue of issues) context.issues.push(issue as z.core.$ZodRawIssue);
    for (const path of unstorable(given)) context.addIssue({ code: 'custom', path: [...path], message: storableRule });
    return { ...((readRest.data ?? {}) as object), [own]: readGiven.fields };
  });

/** How the host's own fields are read and changed. */
const readersOf = (schema: z.ZodObject, keys: readonly string[]) => {
  const isOptional = (key: string): boolean => z.safeParse(schema.shape[key] as z.ZodType, undefined).success;
  const isRemoved = ([key, value]: readonly [string, unknown]): boolean => value === null && isOptional(key);
  return {
    readWhole: (given: Fields): OwnRead => {
      const { data = {}, error } = schema.safeParse(ownMembers(given), { reportInput: true });
      return { fields: data, issues: error?.issues ?? [] };
    },
    /**
     * Reads each field alone. Objects are merged into the stored value first, so `merge` reads them, and all fields
     * together.
     */
    readChange: (fields: Fields): OwnRead => {
      const kept = Object.entries(fields).filter((entry) => !isRemoved(entry) && !isObject(entry[1]));
      const issues = kept.flatMap(([key, value]) =>
        (z.safeParse(schema.shape[key] as z.ZodType, value, { reportInput: true }).error?.issues ?? []).map(
          (issue) => ({ ...issue, path: [key, ...issue.path] }),
        ),
      );
      return { fields, issues };
    },
    /** Changes the host's own fields of a record by RFC 7396. */
    merge: (record: StoredRequest, given: Fields): Result<StoredRequest, CommandRefusal> => {
      const before = pick({ ...record }, keys);
      const nulls = Object.entries(given).filter((entry) => entry[1] === null && !isRemoved(entry));
      const merged = { ...mergePatch(before, given), ...Object.fromEntries(nulls) };
      return readInput(schema, merged).map((read) =>
        isSame(before, read) ? record : asRecord({ ...omit({ ...record }, keys), ...read }),
      );
    },
  };
};

/**
 * A kind with the host's own fields.
 * @throws TypeError when a field of the host has the name of a built-in field.
 */
export const extendKind = (name: RequestKindName, kind: RequestKind, schema: z.ZodObject | undefined): RequestKind => {
  if (!schema) return kind;
  const keys = Object.keys(schema.shape);
  const taken = [...Object.keys(kind.view.shape), ...stored];
  const clash = keys.find((key) => taken.includes(key));
  if (clash !== undefined) throw new TypeError(`extend.${name}: "${clash}" is a field of its own; rename it.`);
  const { readWhole, readChange, merge } = readersOf(schema, keys);
  const { create, commands } = kind;
  const { change } = commands;
  return {
    ...kind,
    isExtended: true,
    view: z.object({ ...kind.view.shape, ...schema.shape }),
    show: (record) => ({ ...kind.show(record), ...pick({ ...record }, keys) }),
    create: {
      ...create,
      input: splitBy(keys, create.input, readWhole),
      body: bodyWith(create.input, schema.shape),
      make: (input, context) => create.make(input, context).map((made) => ({ ...made, ...(input as Extended)[own] })),
    },
    commands: {
      ...commands,
      ...(change && {
        change: {
          ...change,
          input: splitBy(keys, change.input, readChange),
          body: bodyWith(change.input, patchOf(schema.shape)),
          apply: (current, input, context) => {
            const fields = (input as Extended)[own] ?? {};
            const changed = mayChange(change, current.status, fields).andThen(
              () => change.apply?.(current, input, context) ?? ok(current),
            );
            return changed.andThen((record) => merge(record, fields));
          },
        },
      }),
    },
  };
};
