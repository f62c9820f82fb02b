import type { Clock } from '../../../base/runtime/clock.ts';
import type { StoreWake } from '../../../webhooks/shards/wakes.ts';
import { noTransaction } from '../../storage/no-transaction.ts';
import type { RowTx } from '../port/row-store.ts';
import type { Table } from '../port/table.ts';
import { rowOperations } from './operations.ts';
import { nameOfKey, type RowKey } from './row-key.ts';
import { type Holder, type RowLocks, waitForEnd } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import type { TableRows } from './table-rows.ts';

/** A row that is not committed; `undefined`: it is deleted. */
interface Change {
  readonly key: RowKey;
  readonly row: AnyRow | undefined;
}

interface TableChanges {
  readonly of: TableRows;
  /** By the names of their keys. */
  readonly rows: Map<string, Change>;
}

/** A transaction that stays open: its changes and wakes are kept aside until it commits. */
export interface OpenTransaction extends Holder {
  /** Few tables: looked through one by one. */
  readonly changes: TableChanges[];
  readonly wakes: StoreWake[];
}

/** What a plan changed, with what was there before. */
export type Undo = { readonly in: Map<string, Change>; readonly name: string; readonly before: Change | undefined }[];

/** Begins a transaction. */
export const openTransaction = (): { readonly tx: OpenTransaction; readonly end: () => void } => {
  let resolve: () => void = () => undefined;
  const ended = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  const tx: OpenTransaction = { ended, isOpen: true, waitsFor: undefined, changes: [], wakes: [] };
  return {
    tx,
    end: () => {
      tx.isOpen = false;
      resolve();
    },
  };
};

const changesIn = ({ changes }: OpenTransaction, of: TableRows): Map<string, Change> | undefined => {
  for (const each of changes) if (each.of === of) return each.rows;
  return undefined;
};

/** The rows as open transactions see them. */
export interface AsideRows {
  readonly rows: RowTx;
  /**
   * Runs a part of a plan of a transaction, up to its end or the next promise. When it throws, what the plan changed is
   * taken back in this turn: in the next one, the transaction may commit.
   */
  step<R>(tx: OpenTransaction, undo: Undo, part: () => R): R;
}

/** Creates them: once for all transactions, since only one plan runs at a time. */
export const createAside = ({
  find,
  locks,
  clock,
}: {
  readonly find: (table: Table) => TableRows;
  readonly locks: RowLocks;
  readonly clock: Clock;
}): AsideRows => {
  /** The transaction of the plan that runs. */
  let tx = openTransaction().tx;
  let changed: Undo = [];

  const get = (of: TableRows, key: RowKey): AnyRow | undefined => {
    const change = changesIn(tx, of)?.get(nameOfKey(key));
    return change ? change.row : of.get(key);
  };
  const set = (of: TableRows, key: RowKey, row: AnyRow | undefined): void => {
    let own = changesIn(tx, of);
    if (!own) {
      own = new Map();
      tx.changes.push({ of, rows: own });
    }
    const name = nameOfKey(key);
    changed.push({ in: own, name, before: own.get(name) });
    own.set(name, { key, row });
  };

  const rows = rowOperations({
    find,
    get,
    isEmpty: (of) => of.isEmpty() && changesIn(tx, of) === undefined,
    add: (of, key, row) => {
      if (get(of, key)) return false;
      set(of, key, row);
      return true;
    },
    put: set,
    delete: (of, key) => {
      const row = get(of, key);
      if (row) set(of, key, undefined);
      return row;
    },
    visit: (of, index, { range, newestFirst }, visit) => {
      const own = changesIn(tx, of);
      if (!own?.size) return index.visit(range, newestFirst, visit);
      const found: AnyRow[] = [];
      for (const { row } of own.values()) if (row && index.has(row) && index.isIn(row, range)) found.push(row);
      index.visit(range, false, (row) => own.has(nameOfKey(of.keyOf(row))) || found.push(row) > 0);
      found.sort(newestFirst ? (a, b) => index.compare(b, a) : index.compare);
      for (const row of found) if (!visit(row)) return;
    },
    lock: (of, keys, lock) => {
      // It may have ended while it waited.
      if (!tx.isOpen) throw noTransaction();
      for (const key of keys) {
        const holder = locks.blockerOf(of, key, lock, tx);
        if (holder) return holder;
        locks.hold(of, key, lock === 'free' ? 'update' : lock, tx);
      }
      return undefined;
    },
    isLocked: (of, key) => locks.blockerOf(of, key, 'free', tx) !== undefined,
    wait: (holder) => waitForEnd(holder, tx),
    now: () => clock.now(),
    wake: (wake) => {
      tx.wakes.push(wake);
    },
  });

  return {
    rows,
    step: (of, undo, part) => {
      tx = of;
      changed = undo;
      try {
        return part();
      } catch (cause) {
        for (const { in: own, name, before } of undo.toReversed())
          if (before) own.set(name, before);
          else own.delete(name);
        throw cause;
      }
    },
  };
};
