import type { Clock } from '../../runtime/clock.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { createWakes } from '../../shards/wakes.ts';
import { noTransaction } from '../../storage/no-transaction.ts';
import { done, perform, performNow } from '../port/plan.ts';
import type { RowStore } from '../port/row-store.ts';
import type { Table } from '../port/table.ts';
import { accessAside, fullNameOf, type OpenTransaction } from './aside.ts';
import { type RowAccess, rowOperations } from './operations.ts';
import { Blocked, createRowLocks } from './row-locks.ts';
import { type AnyRow, createTableRows, type TableRows } from './table-rows.ts';

declare const ofRows: unique symbol;

/** A transaction of {@link memoryRows}. @internal */
export interface RowTransaction {
  /** Exists only in the type: no other object is a transaction. */
  readonly [ofRows]: true;
}

type Undo = (() => void)[];

const openTransaction = (): { readonly tx: OpenTransaction; readonly end: () => void } => {
  let resolve: () => void = () => undefined;
  const ended = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  const tx: OpenTransaction = { ended, isOpen: true, waitsFor: undefined, changes: new Map(), wakes: [] };
  return {
    tx,
    end: () => {
      tx.isOpen = false;
      resolve();
    },
  };
};

/** Runs work in one turn: all of it, or nothing. */
const atomically = <T>(work: (undo: Undo) => T): T => {
  const undo: Undo = [];
  try {
    return work(undo);
  } catch (cause) {
    for (const each of undo.toReversed()) each();
    throw cause;
  }
};

const change = (of: TableRows, name: string, row: AnyRow | undefined, undo: Undo): void => {
  if (row && of.clashes(name, row)) throw new Error(`${of.table.name}: another row has these values of an index.`);
  const before = of.get(name);
  of.set(name, row);
  undo.push(() => of.set(name, before));
};

/**
 * Rows in the memory of this process. A plan runs in one turn, so that no other sees half of it; what it changed is
 * undone when it throws. Only transactions of hosts stay open: their changes are kept aside until they commit, and
 * others wait for the rows that they have locked.
 * @internal
 */
export const memoryRows = (tables: readonly Table[], clock: Clock): RowStore<RowTransaction> => {
  const wakes = createWakes();
  const locks = createRowLocks();
  const all = new Map(tables.map((table): [string, TableRows] => [table.name, createTableRows(table)]));
  const find = (table: Table): TableRows => {
    const found = all.get(table.name);
    if (!found) throw new TypeError(`There is no table ${table.name}.`);
    return found;
  };
  const notify = (woken: readonly Wake[]): void => {
    for (const wake of woken)
      if (wake.kind === 'members') wakes.wakeMembers();
      else wakes.wakeEvents(wake.shards, wake.announced);
  };

  /** The committed rows. A plan that meets a lock is run again once the lock is released. */
  const accessCommitted = (undo: Undo, woken: Wake[]): RowAccess => {
    const assertFree: RowAccess['lock'] = (of, name, lock) => {
      const holder = locks.blockerOf(fullNameOf(of, name), lock, undefined);
      if (holder) throw new Blocked(holder);
      return done(undefined);
    };
    return {
      find,
      get: (of, name) => of.get(name),
      set: (of, name, row) => change(of, name, row, undo),
      range: (of, index, range) => of.range(index, range),
      lock: assertFree,
      isLocked: (of, name) => locks.blockerOf(fullNameOf(of, name), 'free', undefined) !== undefined,
      now: () => clock.now(),
      wake: (wake) => {
        woken.push(wake);
      },
    };
  };

  const commit = ({ changes, wakes: woken }: OpenTransaction): void => {
    const deletedFirst = [...changes.values()].sort((a, b) => Number(Boolean(a.row)) - Number(Boolean(b.row)));
    atomically((undo) => {
      for (const { of, name, row } of deletedFirst) change(of, name, row, undo);
    });
    const shards = woken.flatMap((wake) => (wake.kind === 'events' ? wake.shards : []));
    const announced = woken.map((wake) => (wake.kind === 'events' ? wake.announced : undefined));
    const isAnnounced = announced.every((each) => each !== undefined);
    if (shards.length > 0)
      wakes.wakeEvents(
        [...new Set(shards)],
        isAnnounced ? announced.flat().filter((each) => each !== undefined) : undefined,
      );
  };

  return {
    run: async (_mode, plan) => {
      for (;;) {
        const woken: Wake[] = [];
        try {
          const value = atomically((undo) => performNow(plan(rowOperations(accessCommitted(undo, woken)))));
          notify(woken);
          return value;
        } catch (cause) {
          if (!(cause instanceof Blocked)) throw cause;
          await cause.holder.ended;
        }
      }
    },
    join: async (transaction, plan) => {
      const tx = transaction as unknown as OpenTransaction;
      if (!tx.isOpen) throw noTransaction();
      const access = accessAside({ find, locks, clock }, tx);
      try {
        const value = await perform(plan(rowOperations(access)));
        if (!tx.isOpen) throw noTransaction();
        return value;
      } catch (cause) {
        access.undo();
        throw cause;
      }
    },
    transaction: async (work, { signal } = {}) => {
      const { tx, end } = openTransaction();
      try {
        const value = await untilAborted(work(tx as unknown as RowTransaction), signal);
        commit(tx);
        return value;
      } finally {
        end();
        locks.release(tx);
      }
    },
    watch: wakes.watch,
  };
};
