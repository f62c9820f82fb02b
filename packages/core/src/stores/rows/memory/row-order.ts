import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { Table, TableIndex } from '../port/table.ts';

/** A row, whatever its table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** The place of a row, which keeps it while its values change: indexes refer to places. */
export interface Slot {
  row: AnyRow;
}

/** Compares two values of a column: text by its UTF-8 bytes. */
const compareValues = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (typeof a === 'string') return compareBytes(a, b as string);
  return (a as number) < (b as number) ? -1 : 1;
};

/** The name of a column of an index, without its direction. */
export const bareName = (name: string): string => name.replace(/^-/, '');

/** The order of an index, from one of its columns on. Rows that agree in all columns are in the order of their keys. */
export interface RowOrder {
  /** Compares two rows. */
  compare(a: AnyRow, b: AnyRow): number;
  /** Compares columns of a row with values. */
  compareWith(row: AnyRow, values: readonly unknown[]): number;
}

/** The order of an index, without its first `skipped` columns. */
export const orderOfIndex = (table: Table, { columns }: TableIndex, skipped = 0): RowOrder => {
  const bare = columns.map(bareName);
  const names = [...bare, ...table.key.filter((name) => !bare.includes(name))].slice(skipped);
  const signs = names.map((name) => (columns.includes(`-${name}`) ? -1 : 1));
  const [first = ''] = names;
  const [sign = 1] = signs;
  return {
    compare: (a, b) => {
      const [one, two] = [a[first], b[first]];
      // Most rows differ in their first column.
      if (one !== two) return compareValues(one, two) * sign;
      for (let at = 1; at < names.length; at++) {
        const name = names[at] as string;
        const [own, other] = [a[name], b[name]];
        if (own !== other) return compareValues(own, other) * (signs[at] as number);
      }
      return 0;
    },
    compareWith: (row, values) => {
      for (let at = 0; at < values.length; at++) {
        const own = row[names[at] as string];
        if (own !== values[at]) return compareValues(own, values[at]) * (signs[at] as number);
      }
      return 0;
    },
  };
};
