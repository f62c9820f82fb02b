import type { SqlRow } from './driver.ts';

/**
 * Rows with lower-case column names. All columns are single lower-case words, so they are found whatever naming the
 * host configures.
 */
export const lowerCased = (rows: readonly SqlRow[]): readonly SqlRow[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])));
