/**
 * Whether an object in a JSON value has a field `__proto__`. Schemas drop it silently, so the request is refused.
 * Iterative, because a body may be nested deeper than the stack.
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
