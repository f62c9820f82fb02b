import { AssertionError } from 'node:assert';
import type { AnyRange, Lock, Plan, RowStore, RowTx, RunMode, ScanOptions, Table } from '@partnerkit/core/adapter';

/** The order in which a transaction locks rows; those of all other tables come last. */
const order = ['workers', 'shards', 'endpoint_versions', 'endpoints'];
/** What a transaction locks after all others. */
const last = 'endpoint_changes';
const rankOf = ({ name }: Table): number =>
  name === last ? order.length + 1 : order.includes(name) ? order.indexOf(name) : order.length;

type Key = readonly (string | number)[];
type AnyRow = Readonly<Record<string, unknown>>;

const fail = (message: string): never => {
  throw new AssertionError({ message });
};

const compare = (a: Key, b: Key): number => {
  for (const [at, value] of a.entries()) {
    const other = b[at] as typeof value;
    if (value === other) continue;
    if (typeof value === 'number') return value - Number(other);
    return Buffer.compare(Buffer.from(value), Buffer.from(String(other)));
  }
  return 0;
};

/** Notes the locks of one transaction. */
const createWatch = (mode: RunMode) => {
  const locked = new Set<string>();
  const lastOf = new Map<string, Key>();
  let rank = 0;
  return {
    lock: (table: Table, keys: readonly Key[], what: string, mayWait = true): void => {
      if (mode === 'read') fail(`${what} of ${table.name} in a plan that reads`);
      for (const key of keys) {
        const name = JSON.stringify([table.name, ...key]);
        if (locked.has(name)) continue;
        locked.add(name);
        if (!mayWait) continue;
        if (rankOf(table) < rank) fail(`${what} of ${table.name} after rows of later tables were locked`);
        const last = lastOf.get(table.name);
        if (last && compare(last, key) > 0) fail(`${what} of ${name} after ${JSON.stringify(last)}`);
        rank = rankOf(table);
        lastOf.set(table.name, key);
      }
    },
  };
};

/** The operations of a plan of one: it reads one key or one range, once. */
const single = (rows: RowTx): RowTx => {
  let isUsed = false;
  const use = (table: Table, asked: readonly unknown[]): void => {
    if (isUsed || asked.length !== 1) fail(`a plan of one operation reads more of ${table.name}`);
    isUsed = true;
  };
  return {
    get: (table: Table, keys: readonly Key[]) => {
      use(table, keys);
      return rows.get(table, keys as never);
    },
    scan: (table: Table, index: string, ranges: readonly AnyRange[], options?: ScanOptions) => {
      use(table, ranges);
      return rows.scan(table, index as never, ranges as never, options as never);
    },
  } as unknown as RowTx;
};

const watched = (rows: RowTx, mode: RunMode): RowTx => {
  if (mode === 'one') return single(rows);
  const watch = createWatch(mode);
  const keysOf = (table: Table, given: readonly AnyRow[]): readonly Key[] =>
    given.map((row) => table.key.map((name) => row[name] as string | number));
  return {
    ...rows,
    get: (table: Table, keys: readonly Key[], lock?: Lock) => {
      if (lock) watch.lock(table, keys, `the lock "${lock}"`, lock !== 'free');
      return rows.get(table, keys as never, lock);
    },
    insert: (table: Table, given: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
      const keys = keysOf(table, given);
      watch.lock(table, keys, 'an insert', false);
      // Only an insert that ignores conflicts waits. The order of rows with a position is that of their positions.
      const hasPosition = Object.values(table.columns).some(({ type }) => type === 'identity');
      const unordered = keys.find((key, at) => at > 0 && compare(keys[at - 1] as Key, key) > 0);
      if (onConflict === 'ignore' && !hasPosition && unordered) fail(`an insert of ${table.name} in another order`);
      return rows.insert(table, given as never, onConflict);
    },
    put: (table: Table, given: readonly AnyRow[]) => {
      watch.lock(table, keysOf(table, given), 'a put', rankOf(table) < order.length);
      return rows.put(table, given as never);
    },
    delete: (table: Table, keys: readonly Key[]) => {
      watch.lock(table, keys, 'a delete', rankOf(table) < order.length);
      return rows.delete(table, keys as never);
    },
  } as unknown as RowTx;
};

/** The store, in which a plan fails that locks rows in another order than that of `RowStore.run`. */
export const inLockOrder = <Tx extends object>(store: RowStore<Tx>): RowStore<Tx> => ({
  ...store,
  run: <T>(mode: RunMode, plan: (rows: RowTx) => Plan<T>) => store.run(mode, (rows) => plan(watched(rows, mode))),
  join: <T>(tx: Tx, plan: (rows: RowTx) => Plan<T>) => store.join(tx, (rows) => plan(watched(rows, 'write'))),
});
