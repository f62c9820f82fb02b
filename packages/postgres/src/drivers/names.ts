import type { SqlRow } from '../driver.ts';

/**
 * Our columns are single lower-case words: that is how they are found again, whatever the host makes of names.
 * @internal
 */
export const lowerCased = (rows: readonly SqlRow[]): readonly SqlRow[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])));
