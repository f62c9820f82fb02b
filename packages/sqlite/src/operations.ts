import {
  type AnyRange,
  type Clock,
  type Condition,
  conditionOf,
  done,
  groupRanges,
  later,
  orderOf,
  quoted,
  type RowTx,
  type ScanOptions,
  type StoreWake,
  type Table,
  type TableIndex,
  yieldingOf,
} from '@partnerkit/core/adapter';
import type { Connection } from './connection.ts';
import { type AnyRow, shapeOf } from './shape.ts';
import { isStorable, type SqlValue } from './values.ts';

const indexOf = (table: Table, name: string): TableIndex => {
  const found = table.indexes[name];
  if (!found) throw new TypeError(`${table.name}: there is no index ${name}.`);
  return found;
};

/** The rest of a range after the rows with the values of this row in the first columns of the index. */
const afterGroup = (
  index: TableIndex,
  range: AnyRange,
  row: AnyRow,
  { columns, newestFirst }: { readonly columns: number; readonly newestFirst: boolean },
): AnyRange => {
  const values = index.columns.slice(range.prefix.length, columns).map((name) => row[name]);
  // The row is in the range. Of two bounds on one side, SQLite may search by the farther one.
  return newestFirst ? { ...range, to: undefined, before: values } : { ...range, from: undefined, after: values };
};

/** An index of a table. */
interface Place {
  readonly table: Table;
  readonly index: TableIndex;
}

type Keys = readonly (readonly unknown[])[];

/** The operations on rows over a connection, inside its transaction. */
export const sqliteOperations = ({ prepared }: Connection, clock: Clock, wake: (wake: StoreWake) => void): RowTx => {
  const yielding = yieldingOf(clock);

  const read = (
    { table, index }: Place,
    condition: Condition,
    limit: number,
    { newestFirst = false, columns }: ScanOptions,
  ): readonly AnyRow[] => {
    const { name, list, read: rowOf } = shapeOf(table);
    const order = orderOf(index, newestFirst);
    const statement = `select ${list(columns)} from ${name}${condition.sql} order by ${order} limit ?`;
    // A negative limit is none.
    const found = prepared(statement).all(...(condition.values as SqlValue[]), Number.isFinite(limit) ? limit : -1);
    return found.map((row) => rowOf(row, columns));
  };

  const readRange = (place: Place, range: AnyRange, limit: number, options: ScanOptions): readonly AnyRow[] =>
    // No row has a text that cannot be stored; bound as it is, it could match another one.
    range.prefix.every(isStorable) ? read(place, conditionOf(place.table, place.index, range), limit, options) : [];

  /** Ranges that differ in one number, in one statement: each range alone would cost as much. */
  const readGroup = (
    { table, index }: Place,
    group: readonly AnyRange[],
    limit: number,
    options: ScanOptions,
  ): readonly AnyRow[] => {
    const [first] = group as readonly [AnyRange, ...AnyRange[]];
    const { sql, values } = conditionOf(table, index, first);
    const last = first.prefix.length - 1;
    const column = quoted(index.columns[last] ?? '');
    const numbers = JSON.stringify(group.map(({ prefix }) => prefix[last]));
    return read(
      { table, index },
      {
        sql: sql.replace(`${column} = ?`, `${column} in (select value from json_each(?))`),
        values: values.map((value, at) => (at === last ? numbers : value)),
      },
      limit,
      options,
    );
  };

  /** The first row of each group, each by a search in the index. */
  const readFirsts = (
    place: Place,
    range: AnyRange,
    limit: number,
    { newestFirst = false, distinct = 0, columns }: ScanOptions,
  ): readonly AnyRow[] => {
    const found: AnyRow[] = [];
    let rest = range;
    while (found.length < limit) {
      const [row] = readRange(place, rest, 1, { newestFirst });
      if (!row) break;
      found.push(row);
      if (range.prefix.length >= distinct) break;
      rest = afterGroup(place.index, rest, row, { columns: distinct, newestFirst });
    }
    return columns ? found.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))) : found;
  };

  const operations = {
    now: () => done(clock.now()),
    get: (table: Table, keys: Keys) => {
      const { get, read } = shapeOf(table);
      return done(
        keys.map((key) => {
          const row = key.every(isStorable) ? prepared(get).get(...(key as SqlValue[])) : undefined;
          return row && read(row);
        }),
      );
    },
    scan: (table: Table, name: string, ranges: readonly AnyRange[], options: ScanOptions = {}) => {
      const place = { table, index: indexOf(table, name) };
      const { limit = Number.POSITIVE_INFINITY } = options;
      const readAll = options.distinct === undefined ? readRange : readFirsts;
      const found: AnyRow[] = [];
      for (const group of options.distinct === undefined
        ? groupRanges(ranges, options)
        : ranges.map((range) => [range])) {
        const [range] = group as readonly [AnyRange, ...AnyRange[]];
        const left = Math.min(range.limit ?? Number.POSITIVE_INFINITY, limit - found.length);
        if (left <= 0) continue;
        const rows =
          group.length > 1
            ? readGroup(place, group, limit - found.length, options)
            : readAll(place, range, left, options);
        for (const row of rows) found.push(row);
      }
      return done(found);
    },
    count: (table: Table, name: string, ranges: readonly AnyRange[]) =>
      done(
        ranges.map((range) => {
          if (!range.prefix.every(isStorable)) return 0;
          const { sql, values } = conditionOf(table, indexOf(table, name), range);
          const statement = `select count(*) from (select 1 from ${shapeOf(table).name}${sql} limit ?)`;
          const row = prepared(statement).get(...(values as SqlValue[]), range.limit ?? -1);
          return Number(row?.[0]);
        }),
      ),
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
      const { insert, bind } = shapeOf(table);
      return done(rows.map((row) => prepared(insert[onConflict]).run(...bind(row, 'given')).changes === 1));
    },
    put: (table: Table, rows: readonly AnyRow[]) => {
      const { put, bind } = shapeOf(table);
      for (const row of rows) prepared(put).run(...bind(row, 'all'));
      return done(undefined);
    },
    delete: (table: Table, keys: Keys) => {
      const statement = shapeOf(table).delete;
      return done(
        keys.map((key) => key.every(isStorable) && prepared(statement).run(...(key as SqlValue[])).changes === 1),
      );
    },
    wake: (each: StoreWake) => done(wake(each)),
    yield: () => {
      const due = yielding.due();
      return due ? later(due) : done(undefined);
    },
  };
  return operations as RowTx;
};
