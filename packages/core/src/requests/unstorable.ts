/** Deeper values could not be published. */
const maxDepth = 32;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Where a JSON value holds what no store or receiver takes: NUL or half of a surrogate pair in a text or a key, or more than 32 levels.
 * @internal
 */
export const unstorable = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value === 'string') return isStorable(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  if (path.length > maxDepth) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    isStorable(key) ? unstorable(item, [...path, key]) : [[...path, key]],
  );
};

/** @internal */
export const storableRule = `text without NUL and halves of surrogate pairs, at most ${maxDepth} levels deep.`;
