import type { Plan, RowTx } from './row-store.ts';
import type { Table } from './table.ts';

type AnyRow = Readonly<Record<string, unknown>>;
interface AnyTx {
  get(table: Table, keys: readonly (readonly unknown[])[], lock: 'update'): ReturnType<RowTx['get']>;
  delete: (table: Table, keys: readonly (readonly unknown[])[]) => ReturnType<RowTx['delete']>;
  insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail') => ReturnType<RowTx['insert']>;
}

/** `RowTx.move` by the other operations, for a store that has no better way. @public */
export const moveBy = (rows: Pick<RowTx, 'get' | 'delete' | 'insert'>): RowTx['move'] => {
  const tx = rows as unknown as AnyTx;
  const move = function* (from: Table, to: Table, moved: readonly AnyRow[]): Plan<readonly boolean[]> {
    const keys = moved.map((row) => from.key.map((name) => row[name]));
    const found = (yield* tx.get(from, keys, 'update')) as readonly (AnyRow | undefined)[];
    const kept = Object.keys(to.columns).filter((name) => name in from.columns);
    const made: AnyRow[] = [];
    for (const [index, row] of found.entries()) {
      if (!row) continue;
      const copy: Record<string, unknown> = {};
      for (const name of kept) copy[name] = row[name];
      made.push(Object.assign(copy, moved[index]));
    }
    if (made.length > 0) {
      yield* tx.delete(
        from,
        keys.filter((_, index) => found[index]),
      );
      yield* tx.insert(to, made, 'fail');
    }
    return found.map((row) => row !== undefined);
  };
  return move as unknown as RowTx['move'];
};
