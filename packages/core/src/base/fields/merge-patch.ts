import { isObject } from '../runtime/is-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/** JSON Merge Patch (RFC 7396). `undefined` counts as absent. */
export const mergePatch = (target: Fields, patch: Fields): Fields => {
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const before = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value;
  }
  return merged;
};

/** Whether two values are the same JSON; the order of fields does not count. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
};
