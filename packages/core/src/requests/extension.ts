import { ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { isObject } from '../runtime/is-object.ts';
import { readInput } from '../runtime/read-input.ts';
import { isSame, mergePatch } from './change-fields.ts';
import type { Action } from './command.ts';
import { emptyChange } from './fields.ts';
import type { Refusal } from './refusal.ts';
import { storableRule, unstorable } from './unstorable.ts';

/**
 * The host's own fields, by kind of object. Each is an object schema whose output is JSON and valid input of the same
 * schema.
 * @example
 * const extend = { payments: z.object({ bookingId: z.string().max(40), guests: z.int().optional() }) };
 * const kit = createPartnerkit({ ...options, storage, objects: extendRequestObjects(extend) });
 * const requests = createRequests({ kit, extend });
 * @public
 */
export interface RequestExtensions {
  /** Fields of payment requests. @defaultValue none */
  readonly payments?: z.ZodObject;
  /** Fields of security deposits. @defaultValue none */
  readonly deposits?: z.ZodObject;
  /** Fields of cash-outs. @defaultValue none */
  readonly cashOuts?: z.ZodObject;
  /** Fields of templates of payment requests. @defaultValue none */
  readonly paymentTemplates?: z.ZodObject;
  /** Fields of templates of security deposits. @defaultValue none */
  readonly depositTemplates?: z.ZodObject;
}

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

/** The host's own fields of an input, and their errors. */
interface OwnRead {
  readonly fields: Fields;
  readonly issues: readonly z.core.$ZodIssue[];
}

/** How one kind reads, changes and shows the host's own fields. @internal */
export interface Extension {
  /** Adds the fields to the schema of a new object. */
  created<S extends z.ZodType>(schema: S): S;
  /** Adds the fields of a parsed input to a new record. */
  add<R extends object>(record: R, input: object): R;
  /** Adds the fields to the command `change`. */
  change<R extends object, X>(action: Action<R, z.ZodType, X>): Action<R, z.ZodType, X>;
  /** Adds the fields to the partner's view. */
  view<R extends object, V extends object>(show: (record: R) => V): (record: R) => V;
}

/** For a kind without fields of the host. */
const noExtension: Extension = {
  created: (schema) => schema,
  add: (record) => record,
  change: (action) => action,
  view: (show) => show,
};

/** @throws TypeError when a field of the host has the name of a built-in field. @internal */
export const createExtension = (
  kind: keyof RequestExtensions,
  schema: z.ZodObject | undefined,
  taken: readonly string[],
): Extension => {
  if (!schema) return noExtension;
  const keys = Object.keys(schema.shape);
  const clash = keys.find((key) => taken.includes(key));
  if (clash !== undefined) throw new TypeError(`extend.${kind}: "${clash}" is a field of its own; rename it.`);

  /** Reads the host's fields by `readOwn`, the others by `base`, and reports what is wrong with either. */
  const splitBy = (base: z.ZodType, readOwn: (given: Fields) => OwnRead) =>
    z.unknown().transform((input, context): Extended => {
      const [given, rest] = isObject(input) ? [pick(input, keys), omit(input, keys)] : [{}, input];
      const readRest = base.safeParse(rest, { reportInput: true });
      const readGiven = readOwn(given);
      // A change of the host's own fields alone is not empty.
      const isWrong = ({ message }: z.core.$ZodIssue) => message !== emptyChange || Object.keys(given).length === 0;
      const issues = [...(readRest.error?.issues.filter(isWrong) ?? []), ...readGiven.issues];
      for (const issue of issues) context.issues.push(issue as z.core.$ZodRawIssue);
      for (const path of unstorable(given))
        context.addIssue({ code: 'custom', path: [...path], message: storableRule });
      return { ...((readRest.data ?? {}) as object), [own]: readGiven.fields };
    });

  const isOptional = (key: string): boolean => z.safeParse(schema.shape[key] as z.ZodType, undefined).success;
  const isRemoved = ([key, value]: readonly [string, unknown]): boolean => value === null && isOptional(key);
  const readWhole = (given: Fields): OwnRead => {
    const { data = {}, error } = schema.safeParse(given, { reportInput: true });
    return { fields: data, issues: error?.issues ?? [] };
  };
  /**
   * Reads each field alone. Objects are merged into the stored value first, so `apply` reads them, and all fields
   * together.
   */
  const readChange = (fields: Fields): OwnRead => {
    const kept = Object.entries(fields).filter((entry) => !isRemoved(entry) && !isObject(entry[1]));
    const issues = kept.flatMap(([key, value]) =>
      (z.safeParse(schema.shape[key] as z.ZodType, value, { reportInput: true }).error?.issues ?? []).map((issue) => ({
        ...issue,
        path: [key, ...issue.path],
      })),
    );
    return { fields, issues };
  };

  return {
    created: (base) => splitBy(base, readWhole) as never,
    add: (record, input) => ({ ...record, ...(input as Extended)[own] }),
    change: ({ input, apply }) => ({
      input: splitBy(input, readChange),
      apply: (current, change, context) => {
        const changed = apply ? apply(current, change, context) : ok<typeof current, Refusal>(current);
        return changed.andThen((record): Result<typeof current, Refusal> => {
          const given = (change as Extended)[own] ?? {};
          const stored = pick(record as Fields, keys);
          const nulls = Object.entries(given).filter((entry) => entry[1] === null && !isRemoved(entry));
          const merged = { ...mergePatch(stored, given), ...Object.fromEntries(nulls) };
          return readInput(schema, merged).map((read) =>
            isSame(stored, read) ? record : ({ ...omit(record as Fields, keys), ...read } as typeof record),
          );
        });
      },
    }),
    view: (show) => (record) => ({ ...show(record), ...pick(record as Fields, keys) }),
  };
};
