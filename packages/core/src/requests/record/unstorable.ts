/** Deeper values cannot be published. */
const maxDepth = 32;

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * The paths of a JSON value that no store or receiver accepts: a text or key with NUL or a lone surrogate, or more than
 * 32 levels.
 */
export const unstorable = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value === 'string') return isStorable(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  if (path.length > maxDepth) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    isStorable(key) ? unstorable(item, [...path, key]) : [[...path, key]],
  );
};

/** The rule of `unstorable`, in words. */
export const storableRule = `text without NUL and halves of surrogate pairs, at most ${maxDepth} levels deep.`;
