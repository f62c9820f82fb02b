import fc from 'fast-check';

/** One arbitrary for each field of `T`, the optional ones included. */
type Fields<T> = { readonly [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> };

/** Records of a domain type. Each field of `optional` may be absent; `change` overrides fields. */
export const recordOf = <T extends object>(
  fields: Fields<T>,
  change: Partial<T>,
  optional: readonly (keyof T & string)[] = [],
): fc.Arbitrary<T> => {
  const requiredKeys = Object.keys(fields).filter((key) => !optional.some((each) => each === key));
  return fc
    .record(fields as Readonly<Record<string, fc.Arbitrary<unknown>>>, { requiredKeys })
    .map((record) => ({ ...(record as T), ...change }));
};
