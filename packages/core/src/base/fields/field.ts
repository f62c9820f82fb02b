import type { z } from 'zod';
import { documentation } from '#documentation';

type Schema = z.ZodType;

/**
 * A value: how it is sent, how it is changed, and how the partner sees it. {@link optional} and its neighbours make a
 * field of it.
 */
export interface Value<I extends Schema = Schema, P extends Schema = Schema, V extends Schema = Schema> {
  /** Schema of the value in an input. */
  readonly input: I;
  /** Schema of its change by RFC 7396, without the `null` that removes it. */
  readonly patch: P;
  /** Schema of the value that the partner sees. */
  readonly view: V;
  /** What it is, for the OpenAPI document and the guide. */
  readonly description: string;
}

/** One field of an object. */
export interface Field<
  N extends Schema | undefined = Schema | undefined,
  C extends Schema | undefined = Schema | undefined,
  V extends Schema | undefined = Schema | undefined,
  S = unknown,
> {
  /** Schema of the field in the input of `create`. `undefined`: not part of it. */
  readonly created: N;
  /** Schema of the field in the input of `change`. `undefined`: not part of it. */
  readonly changed: C;
  /** Schema of the field that the partner sees. `undefined`: hidden. */
  readonly view: V;
  /** What it is. */
  readonly description: string;
  /** What the partner sees of a record, under the name of the field. Absent: the stored value. */
  show?(record: object, name: string): unknown;
  /** Only a type: the stored value. */
  readonly stored?: () => S;
}

/** The fields of an object, in the order in which inputs and views have them. */
export type Fields = Readonly<Record<string, Field>>;

/** A copy of a schema that the document describes; without a description, the schema. */
export const described = <S extends Schema>(schema: S, description = ''): S => {
  if (description === '') return schema;
  const copy = schema.clone();
  // A copy has the words of its original, but not its name: the document refers to it.
  documentation.add(copy as Schema, { ...documentation.get(schema), description, name: undefined });
  return copy;
};

/** Types a value. */
export const value = <I extends Schema, V extends Schema, P extends Schema = I>(
  description: string,
  { input, view, patch }: { readonly input: I; readonly view: V; readonly patch?: P },
): Value<I, P, V> => ({ description, input, view, patch: (patch ?? input) as P });

/** The schema of a value in an input, with its words. */
export const asked = <I extends Schema>({ input, description }: Value<I>): I => described(input, description);

/** The same value with other words. */
export const saying = <T extends Value>(given: T, description: string): T => ({ ...given, description });

const removable = (description: string): string => `${description} \`null\` removes it.`;

/** A field that must be given, and cannot be removed. */
export const required = <I extends Schema, P extends Schema, V extends Schema>({
  input,
  patch,
  view,
  description,
}: Value<I, P, V>): Field<I, z.ZodOptional<P>, V, z.output<I>> => ({
  description,
  created: described(input, description),
  changed: described(patch, description).optional(),
  view: described(view, description),
});

/** A field that may be left out, and that `null` removes. */
export const optional = <I extends Schema, P extends Schema, V extends Schema>({
  input,
  patch,
  view,
  description,
}: Value<I, P, V>): Field<
  z.ZodOptional<I>,
  z.ZodOptional<z.ZodNullable<P>>,
  z.ZodOptional<V>,
  z.output<I> | undefined
> => ({
  description,
  created: described(input, description).optional(),
  changed: described(patch, removable(description)).nullable().optional(),
  view: described(view, description).optional(),
});

/** A field that has this value if it is left out, and cannot be removed. */
export const defaulted = <I extends Schema, P extends Schema, V extends Schema>(
  { input, patch, view, description }: Value<I, P, V>,
  otherwise: z.core.util.NoUndefined<z.output<I>>,
): Field<z.ZodDefault<I>, z.ZodOptional<P>, V, z.output<I>> => ({
  description,
  created: described(input, description).default(otherwise),
  changed: described(patch, description).optional(),
  view: described(view, description),
});

/** A field that every object has: its own, else that of its template. It cannot be removed. */
export const fromTemplate = <I extends Schema, P extends Schema, V extends Schema>({
  input,
  patch,
  view,
  description,
}: Value<I, P, V>): Field<z.ZodOptional<I>, z.ZodOptional<P>, V, z.output<I>> => ({
  description,
  created: described(input, `${description} Default: that of the template.`).optional(),
  changed: described(patch, description).optional(),
  view: described(view, description),
});

/** A field that may be left out, and cannot be removed. */
export const kept = <I extends Schema, P extends Schema, V extends Schema>({
  input,
  patch,
  view,
  description,
}: Value<I, P, V>): Field<z.ZodOptional<I>, z.ZodOptional<P>, z.ZodOptional<V>, z.output<I> | undefined> => ({
  description,
  created: described(input, description).optional(),
  changed: described(patch, description).optional(),
  view: described(view, description).optional(),
});

/** A field that must be given once, and never changes. */
export const fixed = <I extends Schema, V extends Schema>({
  input,
  view,
  description,
}: Value<I, Schema, V>): Field<I, undefined, V, z.output<I>> => ({
  description,
  created: described(input, description),
  changed: undefined,
  view: described(view, description),
});

/** A field that has this value if it is not given once, and never changes. */
export const fixedDefault = <I extends Schema, V extends Schema>(
  { input, view, description }: Value<I, Schema, V>,
  otherwise: z.core.util.NoUndefined<z.output<I>>,
): Field<z.ZodDefault<I>, undefined, V, z.output<I>> => ({
  description,
  created: described(input, description).default(otherwise),
  changed: undefined,
  view: described(view, description),
});

/** A field that may be given once, and never changes. */
export const fixedOptional = <I extends Schema, V extends Schema>({
  input,
  view,
  description,
}: Value<I, Schema, V>): Field<z.ZodOptional<I>, undefined, z.ZodOptional<V>, z.output<I> | undefined> => ({
  description,
  created: described(input, description).optional(),
  changed: undefined,
  view: described(view, description).optional(),
});

/** A field of the input of `create` alone, which is not stored. */
export const givenOnce = <I extends Schema>({
  input,
  description,
}: Value<I>): Field<z.ZodOptional<I>, undefined, undefined, never> => ({
  description,
  created: described(input, description).optional(),
  changed: undefined,
  view: undefined,
});

/** A field that only commands set. The partner sees it once it is set. */
export const setLater = <I extends Schema, V extends Schema>({
  view,
  description,
}: Value<I, Schema, V>): Field<undefined, undefined, z.ZodOptional<V>, z.output<I> | undefined> => ({
  description,
  created: undefined,
  changed: undefined,
  view: described(view, description).optional(),
});

/** A field that every object has, and that no input sets. */
export const derived = <I extends Schema, V extends Schema>({
  view,
  description,
}: Value<I, Schema, V>): Field<undefined, undefined, V, z.output<I>> => ({
  description,
  created: undefined,
  changed: undefined,
  view: described(view, description),
});

/** A field that is only seen. */
export const seen = <V extends Schema>(view: V, description = ''): Field<undefined, undefined, V, z.output<V>> =>
  derived(value(description, { input: view, view }));

/** A field that is only seen, and may be absent. */
export const seenIf = <V extends Schema>(
  view: V,
  description = '',
): Field<undefined, undefined, z.ZodOptional<V>, z.output<V> | undefined> =>
  setLater(value(description, { input: view, view }));

/** A field that is given, and of which other fields tell what is stored. */
export const unseen = <F extends Field>(field: F): Omit<F, 'view'> & { readonly view: undefined } => ({
  ...field,
  view: undefined,
});

/** A stored field that partners do not see under its name. */
export const hidden = <S>(description: string): Field<undefined, undefined, undefined, S> => ({
  description,
  created: undefined,
  changed: undefined,
  view: undefined,
});

/** The same field, of which the partner sees something else than the stored value. */
export const shownAs = <F extends Field>(field: F, show: (record: never, name: string) => unknown): F => ({
  ...field,
  show,
});

/** The same field with another type of the stored value; `never`: it is not stored. */
export const storedAs =
  <S>() =>
  <N extends Schema | undefined, C extends Schema | undefined, V extends Schema | undefined>({
    created,
    changed,
    view,
    description,
    show,
  }: Field<N, C, V>): Field<N, C, V, S> => ({ created, changed, view, description, ...(show ? { show } : {}) });

type Part = 'created' | 'changed' | 'view';
/** The schemas of one part of the fields. */
export type ShapeOf<F extends Fields, P extends Part> = {
  [K in keyof F as F[K][P] extends Schema ? K : never]: Extract<F[K][P], Schema>;
};
type StoredIn<F> = F extends { readonly stored?: () => infer S } ? S : never;
type Stored<F extends Fields> = { [K in keyof F]: [StoredIn<F[K]>] extends [never] ? never : K }[keyof F];
/** The keys of a type's parts that may be `undefined`. */
type Optional<T, K extends keyof T> = { [N in K]: undefined extends T[N] ? N : never }[K];
type StoredValues<F extends Fields> = { [K in keyof F]: StoredIn<F[K]> };
type Possible<F extends Fields> = Optional<StoredValues<F>, Stored<F>>;
/** The stored values of the fields; their comments are those of the fields. */
export type StoredFields<F extends Fields> = {
  readonly [K in keyof Pick<F, Exclude<Stored<F>, Possible<F>>>]: StoredIn<F[K]>;
} & {
  readonly [K in keyof Pick<F, Possible<F>>]?: Exclude<StoredIn<F[K]>, undefined>;
};

type Given<F extends Fields, P extends Part> = {
  [K in keyof F]: F[K][P] extends Schema ? z.input<F[K][P]> : never;
};
type Givable<F extends Fields, P extends Part> = { [K in keyof F]: F[K][P] extends Schema ? K : never }[keyof F];
type Omissible<F extends Fields, P extends Part> = Optional<Given<F, P>, Givable<F, P>>;
/** The fields of an input, as a caller gives them; their comments are those of the fields. */
export type GivenFields<F extends Fields, P extends Part> = {
  readonly [K in keyof Pick<F, Exclude<Givable<F, P>, Omissible<F, P>>>]: Given<F, P>[K];
} & {
  readonly [K in keyof Pick<F, Omissible<F, P>>]?: Exclude<Given<F, P>[K], undefined>;
};

/** The schemas of one part of the fields. */
export const shapeOf = <F extends Fields, P extends Part>(fields: F, part: P): ShapeOf<F, P> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { [part]: schema }]) => (schema ? [[name, schema]] : [])),
  ) as ShapeOf<F, P>;
