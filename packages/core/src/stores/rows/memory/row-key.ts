/** The values of the key columns of a row. */
export type RowKey = readonly unknown[];

/** A name of the first values that no others have: text has no NUL. */
export const nameOfKey = (key: RowKey, length = key.length): string => {
  // Faster than `join`.
  let name = '';
  for (let at = 0; at < length; at++) name += `\0${key[at]}`;
  return name;
};
