import type { Plan, RowTx } from './row-store.ts';
import type { Table } from './table.ts';

type AnyRow = Readonly<Record<string, unknown>>;
interface AnyTx {
  get(table: Table, keys: readonly (readonly unknown[])[], lock: 'update'): ReturnType<RowTx['get']>;
  delete: (table: Table, keys: readonly (readonly unknown[])[]) => ReturnType<RowTx['delete']>;
  insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail') => ReturnType<RowTx['insert']>;
}

/** Makes the rows of a move: the columns that both tables have, and the given ones. */
export const movedRows = (from: Table, to: Table): ((row: AnyRow, given: AnyRow) => AnyRow) => {
  const names = Object.keys(to.columns);
  const kept = names.filter((name) => name in from.columns);
  // All rows of a table get their columns in one order: objects of one shape are read faster.
  const blank = Object.fromEntries(names.map((name) => [name, undefined]));
  return (row, given) => {
    const made: Record<string, unknown> = { ...blank };
    for (const name of kept) made[name] = row[name];
    return Object.assign(made, given);
  };
};

/** `RowTx.move` by the other operations, for a store that has no better way. @public */
export const moveBy = (rows: Pick<RowTx, 'get' | 'delete' | 'insert'>): RowTx['move'] => {
  const tx = rows as AnyTx;
  const move = function* (from: Table, to: Table, moved: readonly AnyRow[]): Plan<readonly boolean[]> {
    const keys = moved.map((row) => from.key.map((name) => row[name]));
    const found = (yield* tx.get(from, keys, 'update')) as readonly (AnyRow | undefined)[];
    const make = movedRows(from, to);
    const made = found.flatMap((row, index) => (row ? [make(row, moved[index] as AnyRow)] : []));
    if (made.length > 0) {
      yield* tx.delete(
        from,
        keys.filter((_, index) => found[index]),
      );
      yield* tx.insert(to, made, 'fail');
    }
    return found.map((row) => row !== undefined);
  };
  return move as RowTx['move'];
};
