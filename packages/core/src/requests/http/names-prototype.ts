/**
 * Whether an object in a JSON value has a field called `__proto__`: schemas leave it out without a word, so that the partner would not
 * learn that it was not stored. The value may be nested deeper than the stack: no recursion.
 * @internal
 */
export const namesPrototype = (root: unknown): boolean => {
  for (const left = [root]; left.length > 0; ) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const item of Object.values(value)) left.push(item);
  }
  return false;
};
