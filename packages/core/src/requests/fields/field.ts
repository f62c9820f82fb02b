import type { z } from 'zod';
import { documentation } from '#documentation';

type Schema = z.ZodType;

/**
 * A value: how it is sent, how it is changed, and how the partner sees it. {@link optional} and its neighbours make a
 * field of it.
 * @internal
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

/** One field of a kind. @internal */
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
  /** What the partner sees of a record. Absent: the stored value. */
  show?(record: object): unknown;
  /** Only a type: the stored value. */
  readonly stored?: () => S;
}

/** The fields of a kind, in the order in which inputs and views have them. @internal */
export type Fields = Readonly<Record<string, Field>>;

/** A copy of a schema that the document describes. @internal */
export const described = <S extends Schema>(schema: S, description: string): S => {
  const copy = schema.clone();
  documentation.add(copy as Schema, { ...documentation.get(schema), description });
  return copy;
};

/** Types a value. @internal */
export const value = <I extends Schema, V extends Schema, P extends Schema = I>(
  description: string,
  { input, view, patch }: { readonly input: I; readonly view: V; readonly patch?: P },
): Value<I, P, V> => ({ description, input, view, patch: (patch ?? input) as P });

/** The same value with other words. @internal */
export const saying = <T extends Value>(given: T, description: string): T => ({ ...given, description });

const removable = (description: string): string => `${description} \`null\` removes it.`;

/** A field that must be given, and cannot be removed. @internal */
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

/** A field that may be left out, and that `null` removes. @internal */
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

/** A field that every object has: its own, else that of its template. It cannot be removed. @internal */
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

/** A field that may be left out, and cannot be removed. @internal */
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

/** A field that must be given once, and never changes. @internal */
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

/** A field that may be given once, and never changes. @internal */
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

/** A field of the input of `create` alone, which is not stored. @internal */
export const givenOnce = <I extends Schema>({
  input,
  description,
}: Value<I>): Field<z.ZodOptional<I>, undefined, undefined, never> => ({
  description,
  created: described(input, description).optional(),
  changed: undefined,
  view: undefined,
});

/** A field that only commands set. The partner sees it once it is set. @internal */
export const setLater = <I extends Schema, V extends Schema>({
  view,
  description,
}: Value<I, Schema, V>): Field<undefined, undefined, z.ZodOptional<V>, z.output<I> | undefined> => ({
  description,
  created: undefined,
  changed: undefined,
  view: described(view, description).optional(),
});

/** A field that every object has, and that no input sets. @internal */
export const derived = <I extends Schema, V extends Schema>({
  view,
  description,
}: Value<I, Schema, V>): Field<undefined, undefined, V, z.output<I>> => ({
  description,
  created: undefined,
  changed: undefined,
  view: described(view, description),
});

/** A stored field that partners do not see under its name. @internal */
export const hidden = <S>(description: string): Field<undefined, undefined, undefined, S> => ({
  description,
  created: undefined,
  changed: undefined,
  view: undefined,
});

/** The same field, of which the partner sees something else than the stored value. @internal */
export const shownAs = <F extends Field>(field: F, show: (record: never) => unknown): F => ({ ...field, show });

/** The same field with another type of the stored value; `never`: it is not stored. @internal */
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
/** The schemas of one part of the fields. @internal */
export type ShapeOf<F extends Fields, P extends Part> = {
  [K in keyof F as F[K][P] extends Schema ? K : never]: Extract<F[K][P], Schema>;
};
type StoredIn<F> = F extends { readonly stored?: () => infer S } ? S : never;
type Sure<F, K extends keyof F> = [StoredIn<F[K]>] extends [never]
  ? never
  : undefined extends StoredIn<F[K]>
    ? never
    : K;
type Unsure<F, K extends keyof F> = undefined extends StoredIn<F[K]> ? K : never;
/** The stored values of the fields. @internal */
export type StoredFields<F extends Fields> = {
  readonly [K in keyof F as Sure<F, K>]: StoredIn<F[K]>;
} & {
  readonly [K in keyof F as Unsure<F, K>]?: Exclude<StoredIn<F[K]>, undefined>;
};

/** The schemas of one part of the fields. @internal */
export const shapeOf = <F extends Fields, P extends Part>(fields: F, part: P): ShapeOf<F, P> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { [part]: schema }]) => (schema ? [[name, schema]] : [])),
  ) as ShapeOf<F, P>;
