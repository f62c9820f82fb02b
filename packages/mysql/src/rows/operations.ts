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
import type { SqlResult } from '../drivers/driver.ts';
import { numberOf } from './literals.ts';
import { keptIndex, named, touched } from './names.ts';
import { countRanges, readByKeys, scanRanges } from './scan.ts';
import { chunksOf, limitOf } from './select.ts';
import { type AnyRow, type Keys, nameOfKey, type Shape, shapeOf } from './shape.ts';

/** How many bytes of values one statement has; the server takes 16 MB and more. */
const maxBytes = 4_000_000;

/** Texts of values, in statements that a server takes. */
const batchesOf = (values: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  let bytes = 0;
  for (const value of values) {
    const batch = batches.at(-1);
    if (batch && batch.length < 500 && bytes + value.length <= maxBytes) batch.push(value);
    else {
      batches.push([value]);
      bytes = 0;
    }
    bytes += value.length;
  }
  return batches;
};

const beforeDelete = 'partnerkit_delete';

/** Marks a row as one that was known: always a change, and never back to 0. */
const toggle = `${touched} = if(${touched} = 1, 2, 1)`;

const locks = { share: ' lock in share mode', update: ' for update', free: ' for update skip locked' } as const;

/**
 * How rows are read by key and locked. A kept row is locked in an index that only its deletion changes, so that others
 * may change the row.
 */
const lockingOf = ({ name, table }: Shape, lock: Lock | undefined): Parameters<typeof readByKeys>[3] => {
  if (lock === undefined) return {};
  if (lock === 'free' && table.isKept) return { index: named(keptIndex), lock: locks.free };
  if (lock !== 'keep') return { lock: locks[lock] };
  if (!table.isKept) throw new TypeError(`${table.name}: its rows cannot be kept: set isKept in its definition.`);
  const joined = table.key.map((each) => `kept.${named(each)} = t.${named(each)}`).join(' and ');
  const kept = `select 1 from ${name} kept force index (${named(keptIndex)}) where ${joined}${locks.share}`;
  return { more: `, (${kept}) as is_kept` };
};

const isRow = <R>(row: R | undefined): row is R => row !== undefined;

/** Runs a statement in a transaction. */
export type Execute = (text: string) => Promise<SqlResult>;

/** The operations on rows in a transaction. `now`: the time in SQL, in microseconds since 1970. */
export const mysqlOperations = (execute: Execute, now: string, wake: (wake: StoreWake) => void): RowTx => {
  const query = async (text: string): Promise<SqlResult['rows']> => (await execute(text)).rows;

  const get = async (table: Table, keys: Keys, lock?: Lock): Promise<readonly (AnyRow | undefined)[]> => {
    const shape = shapeOf(table);
    const locking = lockingOf(shape, lock);
    // A row that was deleted between the two reads of the statement is not kept.
    const kept = async (text: string) => (await query(text)).filter((row) => row['is_kept'] !== null);
    return readByKeys(lock === 'keep' ? kept : query, shape, keys, locking);
  };

  const add = async (shape: Shape, values: readonly string[], end = ''): Promise<number> => {
    let affected = 0;
    for (const batch of batchesOf(values)) {
      const text = `insert into ${shape.name} (${shape.list(shape.given)}) values ${batch.join(', ')}${end}`;
      affected += (await execute(text)).affectedRows;
    }
    return affected;
  };

  /** Rows whose keys were known, by the mark that only an insert of a known key changes. */
  const addUnknown = async (shape: Shape, rows: readonly AnyRow[]): Promise<ReadonlySet<AnyRow>> => {
    const byKey = new Map<string, AnyRow>();
    for (const row of rows) {
      const key = shape.keyOf(row);
      if (!byKey.has(key)) byKey.set(key, row);
    }
    const wanted = [...byKey.values()];
    // An update that changes its row counts twice, whatever the flags of the connection.
    const affected = await add(
      shape,
      wanted.map((row) => shape.values(row, shape.given)),
      ` on duplicate key update ${toggle}`,
    );
    if (affected === wanted.length) return new Set(wanted);
    const { key } = shape.table;
    const added = new Set<AnyRow>();
    for (const part of chunksOf(wanted)) {
      const from = `${shape.ofKeys(part.map((row) => key.map((name) => row[name])))}${limitOf(part.length)}`;
      const stored = new Map<string, number>();
      // A locking read: the snapshot of a host's transaction may be older than what others committed.
      for (const row of await query(`select ${shape.list(key)}, ${touched} from ${from}${locks.update}`))
        stored.set(shape.keyOf(shape.read(row, key)), numberOf(row, 'touched'));
      for (const row of part) {
        const mark = stored.get(shape.keyOf(row));
        if (mark === undefined)
          throw new Error(`partnerkit: ${shape.table.name}: another row has these values of a unique index.`);
        if (mark === 0) added.add(row);
      }
    }
    return added;
  };

  const insert = async (
    table: Table,
    rows: readonly AnyRow[],
    onConflict: 'fail' | 'ignore',
  ): Promise<readonly boolean[]> => {
    const shape = shapeOf(table);
    if (onConflict === 'ignore') {
      const added = await addUnknown(shape, rows);
      return rows.map((row) => added.has(row));
    }
    await add(
      shape,
      rows.map((row) => shape.values(row, shape.given)),
    );
    return rows.map(() => true);
  };

  /** Returns how many rows there were. */
  const removeKeys = async (shape: Shape, keys: Keys): Promise<number> => {
    let affected = 0;
    for (const part of chunksOf(keys)) {
      const from = shape.ofKeys(part);
      if (from !== undefined) affected += (await execute(`delete t from ${from}`)).affectedRows;
    }
    return affected;
  };

  /**
   * Replaces rows of a table with a unique index one by one: on a conflict in that index, `on duplicate key update`
   * would change a row of another key, and a delete with an insert would lock the neighbours in it.
   */
  const putEach = async (shape: Shape, rows: readonly AnyRow[]): Promise<void> => {
    const { table, given, name } = shape;
    const changed = given.filter((each) => !table.key.includes(each));
    for (const row of rows) {
      const sets = changed.map((each) => `${named(each)} = ${shape.values(row, [each])}`);
      const condition = shape.byKey(table.key.map((each) => row[each]));
      // An update that changes its row counts, whatever the flags of the connection.
      const { affectedRows } = await execute(`update ${name} set ${[...sets, toggle].join(', ')} where ${condition}`);
      if (affectedRows === 0)
        await execute(`insert into ${name} (${shape.list(shape.all)}) values ${shape.values(row, shape.all)}`);
    }
  };

  const put = async (table: Table, rows: readonly AnyRow[]): Promise<void> => {
    const shape = shapeOf(table);
    if (shape.hasUniqueIndex) return putEach(shape, rows);
    const values = rows.map((row) => shape.values(row, shape.all));
    const changed = shape.given.filter((name) => !table.key.includes(name)).map(named);
    const updates = changed.map((name) => `${name} = values(${name})`).join(', ');
    for (const batch of batchesOf(values))
      await execute(
        `insert into ${shape.name} (${shape.list(shape.all)}) values ${batch.join(', ')} ` +
          `on duplicate key update ${updates === '' ? toggle : updates}`,
      );
  };

  /** Locks rows, and returns which there are. */
  const lockKeys = async (shape: Shape, keys: Keys): Promise<ReadonlySet<string>> => {
    const { key } = shape.table;
    const found = await readByKeys(query, shape, keys, { columns: key, lock: locks.update });
    return new Set(found.filter(isRow).map((row) => shape.keyOf(row)));
  };

  /** Deletes all of these rows, or none because one is missing. */
  const removeAll = async (shape: Shape, keys: Keys, count: number): Promise<boolean> => {
    await execute(`savepoint ${beforeDelete}`);
    if ((await removeKeys(shape, keys)) === count) return true;
    await execute(`rollback to savepoint ${beforeDelete}`);
    return false;
  };

  const remove = async (table: Table, keys: Keys): Promise<readonly boolean[]> => {
    const shape = shapeOf(table);
    if (keys.length === 1) return [(await removeKeys(shape, keys)) > 0];
    const names = keys.map(nameOfKey);
    const left = new Set(names);
    // Most often every row is there. Else the rows are locked first, to know them.
    if (await removeAll(shape, keys, left.size)) return names.map((name) => left.delete(name));
    const there = await lockKeys(shape, keys);
    await removeKeys(
      shape,
      keys.filter((_, at) => there.has(names[at] ?? '')),
    );
    return names.map((name) => there.has(name) && left.delete(name));
  };

  const operations = {
    now: () => later(query(`select ${now} as micros`).then(([row]) => numberOf(row, 'micros') / 1000)),
    get: (table: Table, keys: Keys, lock?: Lock) => (keys.length === 0 ? done([]) : later(get(table, keys, lock))),
    scan: (table: Table, name: string, ranges: readonly AnyRange[], options: ScanOptions = {}) =>
      ranges.length === 0 ? done([]) : later(scanRanges(query, { table, name }, ranges, options)),
    count: (table: Table, name: string, ranges: readonly AnyRange[]) =>
      ranges.length === 0 ? done([]) : later(countRanges(query, table, name, ranges)),
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') =>
      rows.length === 0 ? done([]) : later(insert(table, rows, onConflict)),
    put: (table: Table, rows: readonly AnyRow[]) => (rows.length === 0 ? done(undefined) : later(put(table, rows))),
    delete: (table: Table, keys: Keys) => (keys.length === 0 ? done([]) : later(remove(table, keys))),
    wake: (each: StoreWake) => done(wake(each)),
  };
  return operations as RowTx;
};
