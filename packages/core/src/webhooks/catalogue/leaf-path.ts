type Scalar = string | number | boolean | bigint | Date | null | undefined;

/** The declared fields of an object, without an index signature. */
type FieldName<T> = T extends Scalar
  ? never
  : T extends readonly (infer Item)[]
    ? FieldName<Item>
    : string & keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: 0 };

/**
 * Dotted paths of the leaves of `T`, such as `recipient.email`, at most five levels deep. An array counts as its
 * elements. An object without declared fields is a leaf.
 * @public
 */
export type LeafPath<T, Depth extends readonly 0[] = [0, 0, 0, 0, 0]> = T extends Scalar
  ? never
  : T extends readonly (infer Item)[]
    ? LeafPath<Item, Depth>
    : Depth extends readonly [0, ...infer Rest extends readonly 0[]]
      ? {
          [K in FieldName<T> & keyof T]-?: [FieldName<NonNullable<T[K]>>] extends [never]
            ? K
            : `${K}.${LeafPath<NonNullable<T[K]>, Rest>}`;
        }[FieldName<T> & keyof T]
      : never;
