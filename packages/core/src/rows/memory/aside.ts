import type { Clock } from '../../runtime/clock.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { later } from '../port/plan.ts';
import type { Plan } from '../port/row-store.ts';
import type { AnyRange } from '../port/sql.ts';
import type { Table } from '../port/table.ts';
import type { RowAccess } from './operations.ts';
import { type Holder, type RowLocks, waitForEnd } from './row-locks.ts';
import { type AnyRow, placeOf, type TableRows } from './table-rows.ts';

/** A change that is not committed. `undefined`: a deletion. @internal */
interface Change {
  readonly of: TableRows;
  readonly name: string;
  readonly row: AnyRow | undefined;
}

/** A transaction that stays open: its changes and wakes are kept aside until it commits. @internal */
export interface OpenTransaction extends Holder {
  readonly changes: Map<string, Change>;
  readonly wakes: Wake[];
}

interface AsideDeps {
  readonly find: (table: Table) => TableRows;
  readonly locks: RowLocks;
  readonly clock: Clock;
}

/** The name of a row among all tables. @internal */
export const fullNameOf = ({ table }: TableRows, name: string): string => `${table.name}\0${name}`;

/** The rows as an open transaction sees them; `undo` takes back what was changed through this access. @internal */
export const accessAside = (
  { find, locks, clock }: AsideDeps,
  tx: OpenTransaction,
): RowAccess & { readonly undo: () => void } => {
  const undo: (() => void)[] = [];
  const { changes, wakes } = tx;

  const waitForLock = function* (name: string, lock: Parameters<RowLocks['blockerOf']>[1]): Plan<void> {
    for (let holder = locks.blockerOf(name, lock, tx); holder; holder = locks.blockerOf(name, lock, tx))
      yield* later(waitForEnd(holder, tx));
  };

  return {
    find,
    get: (of, name) => {
      const change = changes.get(fullNameOf(of, name));
      return change ? change.row : of.get(name);
    },
    set: (of, name, row) => {
      const full = fullNameOf(of, name);
      const before = changes.get(full);
      changes.set(full, { of, name, row });
      undo.push(() => (before ? changes.set(full, before) : changes.delete(full)));
    },
    range: (of, index, range: AnyRange) => {
      const order = of.orderOf(index);
      const own = [...changes.values()].filter((change) => change.of === of);
      if (own.length === 0) return of.range(index, range);
      const changed = new Set(own.map(({ name }) => name));
      const made = own.flatMap(({ row }) => (row && order.has(row) && placeOf(order, row, range) === 0 ? [row] : []));
      const kept = of.range(index, range).filter((row) => !changed.has(of.nameOf(row)));
      return [...kept, ...made].sort(order.compare);
    },
    lock: function* (of, name, lock) {
      const full = fullNameOf(of, name);
      yield* waitForLock(full, lock);
      locks.hold(full, lock === 'free' ? 'update' : lock, tx);
    },
    isLocked: (of, name) => locks.blockerOf(fullNameOf(of, name), 'free', tx) !== undefined,
    now: () => clock.now(),
    wake: (wake) => {
      wakes.push(wake);
    },
    undo: () => {
      for (const each of undo.toReversed()) each();
    },
  };
};
