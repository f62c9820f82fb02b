/**
 * Dotted paths of the leaves of `T` (`recipient.email`; an array counts as its elements), at most five levels deep. An
 * object with free keys is one leaf.
 * @public
 */
export type LeafPath<T, Depth extends readonly 0[] = [0, 0, 0, 0, 0]> = T extends
  | string
  | number
  | boolean
  | bigint
  | Date
  | null
  | undefined
  ? never
  : T extends readonly (infer Item)[]
    ? LeafPath<Item, Depth>
    : {
        [K in keyof T & string]-?: string extends K
          ? never
          : Depth extends readonly [0, ...infer Rest extends readonly 0[]]
            ? [LeafPath<NonNullable<T[K]>, Rest>] extends [never]
              ? K
              : `${K}.${LeafPath<NonNullable<T[K]>, Rest>}`
            : never;
      }[keyof T & string];
