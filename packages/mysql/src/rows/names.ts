import { quoted } from '@partnerkit/core/adapter';

/** Before the name of each table. */
export const prefix = 'partnerkit_';

/** The column of each table that marks its row as known to `insert … 'ignore'`. */
export const touched = '`touched`';

/** The index that a lock of the kind `keep` is on. */
export const keptIndex = 'kept';

/** The name of a column in SQL. */
const names = new Map<string, string>();

/** A column's name in SQL, quoted in the way of MySQL. */
export const named = (column: string): string => {
  const known = names.get(column) ?? quoted(column).replaceAll('"', '`');
  names.set(column, known);
  return known;
};

const namesInResults = new Map<string, string>();

/** A column's name in results. */
export const nameInResult = (column: string): string => {
  const known = namesInResults.get(column) ?? named(column).slice(1, -1);
  namesInResults.set(column, known);
  return known;
};

/** A column of an index, without its direction. */
export const bare = (name: string): string => (name.startsWith('-') ? name.slice(1) : name);

/** Whether a column of an index is in descending order. */
export const isDescending = (name: string): boolean => name.startsWith('-');
