import {
  type AnyRange,
  done,
  type Lock,
  later,
  type RowTx,
  type ScanOptions,
  type StoreWake,
  type Table,
} from '@partnerkit/core/adapter';
import type { SqlRow, SqlValue } from '../../src/index.ts';
import { type AnyRow, groupsOf, isStorable, scanOf, shapeOf } from './shape.ts';

export type Query = (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;
type Keys = readonly (readonly unknown[])[];

/** `keep` is shared with `update`, which changes no key; `free` is not shared with it. */
const locks = {
  keep: ' for key share of t',
  share: ' for share of t',
  update: ' for no key update of t',
  free: ' for update of t skip locked',
  delete: ' for update of t',
} as const;

const infinity = Number.POSITIVE_INFINITY;
const limitOf = (limit: number): number | null => (Number.isFinite(limit) ? limit : null);
const rowOfKey = ({ key }: Table, values: readonly unknown[]): AnyRow =>
  Object.fromEntries(key.map((name, at) => [name, values[at]]));
const nameOf = ({ key }: Table, row: AnyRow): string => JSON.stringify(key.map((name) => row[name]));

/** The operations on rows, each by the plainest statement. */
export const rowOperations = (query: Query, now: () => Promise<number>, wake: (wake: StoreWake) => void): RowTx => {
  /** Rows by key, in the order of the keys, which is also that of their locks. */
  const get = async (table: Table, keys: Keys, lock?: Lock | 'delete'): Promise<readonly (AnyRow | undefined)[]> => {
    const { get, rows, read } = shapeOf(table);
    const found: (AnyRow | undefined)[] = keys.map(() => undefined);
    const places = keys.flatMap((key, at) => (key.every(isStorable) ? [at] : []));
    const wanted = places.map((at) => rowOfKey(table, keys[at] ?? []));
    for (const row of await query(get(lock ? locks[lock] : ''), [rows(wanted, table.key)]))
      found[places[Number(row['nth'])] as number] = read(row);
    return found;
  };

  const scan = async (
    table: Table,
    name: string,
    ranges: readonly AnyRange[],
    { limit = infinity, newestFirst = false, distinct }: ScanOptions,
  ): Promise<readonly AnyRow[]> => {
    const index = table.indexes[name];
    if (!index) throw new TypeError(`${table.name}: there is no index ${name}.`);
    const found: AnyRow[] = [];
    const readGroup = async (group: readonly [AnyRange, ...AnyRange[]], most: number): Promise<readonly AnyRow[]> => {
      const { text, bind } = scanOf(table, index, group, newestFirst);
      const storable = group.filter(({ prefix }) => prefix.every(isStorable));
      const rows = await query(text, [JSON.stringify(storable.map(bind)), limitOf(most)]);
      return rows.map((row) => shapeOf(table).read(row));
    };
    if (distinct === undefined) {
      for (const group of groupsOf(ranges)) {
        if (found.length >= limit) break;
        found.push(...(await readGroup(group, limit - found.length)));
      }
      return found;
    }
    for (const range of ranges) {
      const end = Math.min(limit, found.length + (range.limit ?? infinity));
      for (let rest = range; found.length < end; ) {
        const [row] = await readGroup([{ ...rest, limit: 1 }], 1);
        if (!row) break;
        found.push(row);
        if (range.prefix.length >= distinct) break;
        const values = index.columns.slice(range.prefix.length, distinct).map((column) => row[column]);
        rest = { ...rest, [newestFirst ? 'before' : 'after']: values };
      }
    }
    return found;
  };

  const insert = async (table: Table, added: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
    const { insert, insertUnknown, rows, given, read } = shapeOf(table);
    if (onConflict === 'fail') {
      await query(insert, [rows(added, given)]);
      return added.map(() => true);
    }
    const made = await query(insertUnknown, [rows(added, given)]);
    const names = new Set(made.map((row) => nameOf(table, read(row, table.key))));
    return added.map((row) => names.delete(nameOf(table, row)));
  };

  const put = async (table: Table, changed: readonly AnyRow[]): Promise<void> => {
    const { put, rows, all } = shapeOf(table);
    // Of two rows of one key, the last one counts.
    const byKey = new Map(changed.map((row) => [nameOf(table, row), row]));
    await query(put, [rows([...byKey.values()], all)]);
  };

  const remove = async (table: Table, keys: Keys): Promise<readonly boolean[]> => {
    const found = await get(table, keys, 'delete');
    const there = found.filter((row) => row !== undefined);
    await query(shapeOf(table).delete, [shapeOf(table).rows(there, table.key)]);
    const left = new Set(there.map((row) => nameOf(table, row)));
    return found.map((row) => row !== undefined && left.delete(nameOf(table, row)));
  };

  const countEach = async (table: Table, name: string, ranges: readonly AnyRange[]): Promise<readonly number[]> => {
    const counts: number[] = [];
    for (const range of ranges) counts.push((await scan(table, name, [range], {})).length);
    return counts;
  };

  const operations = {
    now: () => later(now()),
    get: (table: Table, keys: Keys, lock?: Lock) => (keys.length === 0 ? done([]) : later(get(table, keys, lock))),
    scan: (table: Table, name: string, ranges: readonly AnyRange[], options: ScanOptions = {}) =>
      ranges.length === 0 ? done([]) : later(scan(table, name, ranges, options)),
    count: (table: Table, name: string, ranges: readonly AnyRange[]) => later(countEach(table, name, ranges)),
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') =>
      rows.length === 0 ? done([]) : later(insert(table, rows, onConflict)),
    put: (table: Table, rows: readonly AnyRow[]) => (rows.length === 0 ? done(undefined) : later(put(table, rows))),
    delete: (table: Table, keys: Keys) => (keys.length === 0 ? done([]) : later(remove(table, keys))),
    wake: (each: StoreWake) => done(wake(each)),
  };
  return operations as unknown as RowTx;
};
