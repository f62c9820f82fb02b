type Scalar = string | number | boolean | bigint | Date | null | undefined;

/** The declared fields of an object, whether or not it lets others pass. */
type FieldName<T> = T extends Scalar
  ? never
  : T extends readonly (infer Item)[]
    ? FieldName<Item>
    : string & keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: 0 };

/**
 * Dotted paths of the leaves of `T` (`recipient.email`; an array counts as its elements), at most five levels deep. An
 * object with free keys alone is one leaf.
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
