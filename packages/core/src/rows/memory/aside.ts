import type { Clock } from '../../runtime/clock.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { noTransaction } from '../../storage/no-transaction.ts';
import type { Table } from '../port/table.ts';
import type { RowAccess } from './operations.ts';
import { type Holder, type RowLocks, waitForEnd } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import type { KeyName, TableRows } from './table-rows.ts';

/** Rows that are not committed, by name. `undefined`: the row is deleted. */
type Changes = Map<KeyName, AnyRow | undefined>;

/** A transaction that stays open: its changes and wakes are kept aside until it commits. @internal */
export interface OpenTransaction extends Holder {
  readonly changes: Map<TableRows, Changes>;
  readonly wakes: Wake[];
}

interface AsideDeps {
  readonly find: (table: Table) => TableRows;
  readonly locks: RowLocks;
  readonly clock: Clock;
}

/** The rows as an open transaction sees them; `undo` takes back what was changed through this access. @internal */
export const accessAside = (
  { find, locks, clock }: AsideDeps,
  tx: OpenTransaction,
): RowAccess & { readonly undo: () => void } => {
  const undo: (() => void)[] = [];
  const { changes, wakes } = tx;
  const changesOf = (of: TableRows): Changes => {
    const made = changes.get(of) ?? new Map();
    changes.set(of, made);
    return made;
  };

  return {
    find,
    get: (of, name) => {
      const own = changes.get(of);
      return own?.has(name) ? own.get(name) : of.get(name);
    },
    set: (of, name, _before, row) => {
      const own = changesOf(of);
      const wasChanged = own.has(name);
      const before = own.get(name);
      own.set(name, row);
      undo.push(() => (wasChanged ? own.set(name, before) : own.delete(name)));
    },
    visit: (of, index, range, newestFirst, visit) => {
      const rows = of.index(index);
      const own = changes.get(of);
      if (!own?.size) return rows.visit(range, newestFirst, visit);
      const found: AnyRow[] = [];
      for (const row of own.values()) if (row && rows.has(row) && rows.isIn(row, range)) found.push(row);
      rows.visit(range, false, (row) => own.has(of.nameOf(row)) || found.push(row) > 0);
      found.sort(newestFirst ? (a, b) => rows.compare(b, a) : rows.compare);
      for (const row of found) if (!visit(row)) return;
    },
    lock: (of, names, lock) => {
      // It may have ended while it waited.
      if (!tx.isOpen) throw noTransaction();
      for (const name of names) {
        const holder = locks.blockerOf(of, name, lock, tx);
        if (holder) return holder;
        locks.hold(of, name, lock === 'free' ? 'update' : lock, tx);
      }
      return undefined;
    },
    isLocked: (of, name) => locks.blockerOf(of, name, 'free', tx) !== undefined,
    wait: (holder) => waitForEnd(holder, tx),
    now: () => clock.now(),
    wake: (wake) => {
      wakes.push(wake);
    },
    undo: () => {
      for (const each of undo.toReversed()) each();
    },
  };
};
