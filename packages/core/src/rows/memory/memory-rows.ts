import type { Clock } from '../../runtime/clock.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { createWakes } from '../../shards/wakes.ts';
import { noTransaction } from '../../storage/no-transaction.ts';
import { perform, performNow } from '../port/plan.ts';
import type { RowStore } from '../port/row-store.ts';
import type { Table } from '../port/table.ts';
import { accessAside, type OpenTransaction } from './aside.ts';
import { type RowAccess, rowOperations } from './operations.ts';
import { Blocked, createRowLocks } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import { createTableRows, type KeyName, type TableRows } from './table-rows.ts';

declare const memory: unique symbol;

/**
 * A transaction of `memoryRows`: its writes become visible on commit.
 * @public
 */
export interface RowTransaction {
  /** Exists only in the type: no other object is a transaction. */
  readonly [memory]: true;
}

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

/** A change that is undone when its plan throws. */
interface Change {
  readonly of: TableRows;
  readonly name: KeyName;
  readonly before: AnyRow | undefined;
  readonly row: AnyRow | undefined;
}

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

  /** What the plan that runs has changed. */
  let changed: Change[] = [];
  let woken: Wake[] = [];
  const set: RowAccess['set'] = (of, name, before, row) => {
    of.set(name, before, row);
    changed.push({ of, name, before, row });
  };
  /** Runs work in one turn: all of it, or nothing. */
  const atomically = <T>(work: () => T): T => {
    changed = [];
    woken = [];
    try {
      return work();
    } catch (cause) {
      for (const { of, name, before, row } of changed.toReversed()) of.set(name, row, before);
      throw cause;
    }
  };

  /** The committed rows. A plan that meets a lock is run again once the lock is released. */
  const committed = rowOperations({
    find,
    get: (of, name) => of.get(name),
    set,
    visit: (of, index, range, newestFirst, visit) => of.index(index).visit(range, newestFirst, visit),
    lock: (of, names, lock) => {
      if (locks.isEmpty()) return undefined;
      for (const name of names) {
        const holder = locks.blockerOf(of, name, lock);
        if (holder) throw new Blocked(holder);
      }
      return undefined;
    },
    isLocked: (of, name) => locks.blockerOf(of, name, 'free') !== undefined,
    wait: (holder) => holder.ended,
    now: () => clock.now(),
    wake: (wake) => {
      woken.push(wake);
    },
  });

  const commit = ({ changes, wakes: of }: OpenTransaction): void => {
    atomically(() => {
      // Deletions first: another row may have the values of a unique index now.
      for (const isDeletion of [true, false])
        for (const [table, rows] of changes)
          for (const [name, row] of rows)
            if ((row === undefined) === isDeletion) set(table, name, table.get(name), row);
    });
    const shards = of.flatMap((wake) => (wake.kind === 'events' ? wake.shards : []));
    const announced = of.map((wake) => (wake.kind === 'events' ? wake.announced : undefined));
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
        try {
          const value = atomically(() => performNow(plan(committed)));
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
      // In the turn in which the plan throws: in the next one, the transaction may commit.
      const undone = function* (): ReturnType<typeof plan> {
        try {
          return yield* plan(rowOperations(access));
        } catch (cause) {
          access.undo();
          throw cause;
        }
      };
      return perform(undone());
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
