/** Counts the keys of all objects in a JSON value. Without recursion: the nesting may exceed the stack. */
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

/** A string, and the colon after a key. */
// linear: in valid JSON, every string ends.
const strings = /"(?:[^"\\]|\\.)*"(?:\s*:)?/g;

/**
 * Whether an object in a JSON text has a duplicate key. In valid JSON, a string before a colon is a key; a text with
 * more keys than its parsed value repeats one.
 */
export const hasDuplicateKeys = (text: string, value: unknown): boolean =>
  (text.match(strings) ?? []).filter((token) => token.endsWith(':')).length !== countKeys(value);
