import type { Table, TableIndex } from '@partnerkit/core/adapter';
import type { SqlRow } from '../drivers/driver.ts';
import { named } from './names.ts';
import { indexOf, isKey, type Shape } from './shape.ts';

/** Runs a query. */
export type Query = (text: string) => Promise<readonly SqlRow[]>;

/** How many ranges or keys one statement has. More of them would exceed the memory of the optimizer. */
const maxParts = 400;

/** Pieces of a list. */
export const chunksOf = <T>(list: readonly T[], size = maxParts): readonly (readonly T[])[] =>
  list.length <= size
    ? [list]
    : Array.from({ length: Math.ceil(list.length / size) }, (_, nth) => list.slice(nth * size, (nth + 1) * size));

/** The hint that names the index: statistics of a young table would choose another one. */
export const hintOf = (table: Table, name: string): string => {
  const index = indexOf(table, name);
  const [first = ''] = index.columns;
  if (isKey(table, index)) return 'force index (primary)';
  const isIdentity = index.columns.length === 1 && table.columns[first]?.type === 'identity';
  return `force index (${named(isIdentity ? first : name)})`;
};

/**
 * The limit of a statement. Each has one: the server would take `sql_select_limit` of the session instead, and a part
 * of a union would have no order.
 */
export const limitOf = (limit: number): string => ` limit ${Math.min(limit, Number.MAX_SAFE_INTEGER)}`;

/** What one scan reads. */
export interface Scan {
  readonly shape: Shape;
  readonly name: string;
  readonly index: TableIndex;
  readonly columns: readonly string[];
  readonly newestFirst: boolean;
  /** The columns of which each row has other values. @defaultValue all rows are read */
  readonly groups?: TableIndex;
}
