import { isObject } from '../runtime/is-object.ts';

/** Sorts the keys of an object by their UTF-16 code units. */
const sorted = (_key: string, value: unknown): unknown =>
  isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/**
 * The canonical text of a JSON value (RFC 8785): two texts of one value, with other white space, another order of keys
 * or `1.0` for `1`, have the same. A value nested deeper than the stack has its own `text`.
 */
export const canonicalJson = (value: unknown, text: string): string => {
  try {
    return JSON.stringify(value, sorted) ?? text;
  } catch {
    return text;
  }
};
