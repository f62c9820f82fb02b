/** Whether a host's code has added a name to `Object.prototype` that `for … in` finds in every object. */
const isExtended = (): boolean => {
  // biome-ignore lint/suspicious/useGuardForIn: inherited names are what it looks for.
  for (const _name in {}) return true;
  return false;
};

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);

/**
 * A value to read by a schema. zod reads inherited names, too, and refuses them: where `Object.prototype` has one, this
 * returns a copy whose objects inherit nothing. Iterative, because a body may be nested deeper than the stack.
 */
export const ownMembers = (root: unknown): unknown => {
  if (!isPlain(root) || !isExtended()) return root;
  const copies = new Map<object, object>();
  const left: object[] = [];
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const known = copies.get(value);
    if (known) return known;
    const copy = Array.isArray(value) ? [] : Object.create(null);
    copies.set(value, copy);
    left.push(value);
    return copy;
  };
  const whole = copyOf(root);
  for (let value = left.pop(); value; value = left.pop())
    for (const name of Reflect.ownKeys(value))
      Reflect.set(copies.get(value) as object, name, copyOf(Reflect.get(value, name)));
  return whole;
};
