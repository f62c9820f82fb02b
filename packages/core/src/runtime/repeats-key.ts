/** The keys of all objects in a JSON value. It may be nested deeper than the stack: no recursion. */
const countKeys = (root: unknown): number => {
  let keys = 0;
  for (const left = [root]; left.length > 0; ) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const items = Object.values(value);
    if (!Array.isArray(value)) keys += items.length;
    left.push(...items);
  }
  return keys;
};

/**
 * Whether JSON names a field of an object twice: every string of valid JSON that a colon follows is a key, so more keys in the text than
 * in its value mean that one was repeated.
 * @internal
 */
export const repeatsKey = (text: string, value: unknown): boolean =>
  (text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []).filter((token) => token.endsWith(':')).length !== countKeys(value);
