import type { Clock } from '../../../base/runtime/clock.ts';
import { untilAborted } from '../../../base/runtime/until-aborted.ts';
import { yieldingOf } from '../../../base/runtime/yielding.ts';
import { createWakes, type StoreWake } from '../../../webhooks/shards/wakes.ts';
import { noTransaction } from '../../storage/no-transaction.ts';
import { done, later, performNow, settled, stepsOf } from '../port/plan.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import type { Table } from '../port/table.ts';
import { createAside, type OpenTransaction, openTransaction, type Undo } from './aside.ts';
import { rowOperations } from './operations.ts';
import type { RowKey } from './row-key.ts';
import { Blocked, createRowLocks, isBlocked } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import { createTableRows, type TableRows } from './table-rows.ts';

declare const memory: unique symbol;

/**
 * A transaction of `memoryRows`: its writes become visible on commit.
 * @public
 */
export interface MemoryTransaction {
  /** Exists only in the type: no other object is a transaction. */
  readonly [memory]: true;
}

/** One wake for all that a transaction published; it announces all of it, or nothing. */
const joined = (wakes: readonly StoreWake[]): readonly StoreWake[] => {
  if (wakes.length < 2) return wakes;
  const ofEvents = wakes.filter((wake) => wake.kind === 'events');
  const shards = [...new Set(ofEvents.flatMap((wake) => wake.shards))];
  const announced = ofEvents.flatMap((wake) => wake.announced ?? []);
  const isAnnounced = ofEvents.every((wake) => wake.announced !== undefined);
  return [{ kind: 'events', shards, ...(isAnnounced ? { announced } : {}) }];
};

/** A change that is undone when its plan throws. */
interface Change {
  readonly of: TableRows;
  readonly key: RowKey;
  readonly before: AnyRow | undefined;
}

/** How often a plan that yields is begun anew because rows have changed meanwhile; then it runs in one turn. */
const maxRepeats = 3;

/**
 * Rows in the memory of this process. A plan runs in one turn, so that no other sees half of it; what it changed is
 * undone when it throws. Only transactions of hosts stay open: their changes are kept aside until they commit, and
 * others wait for the rows that they have locked.
 * @internal
 */
export const memoryRows = (tables: readonly Table[], clock: Clock): RowStore<MemoryTransaction> => {
  const wakes = createWakes();
  const locks = createRowLocks();
  const all = new Map<string, TableRows>();
  /** A table is made when it is first used: most storages of tests use few of them. */
  const make = ({ name }: Table): TableRows => {
    const table = tables.find((each) => each.name === name);
    if (!table) throw new TypeError(`There is no table ${name}.`);
    const made = createTableRows(table);
    all.set(name, made);
    return made;
  };
  const find = (table: Table): TableRows => all.get(table.name) ?? make(table);
  const notify = (woken: readonly StoreWake[]): void => {
    for (const wake of woken) wakes.wake(wake);
  };

  /** What the plan that runs has changed. */
  let changed: Change[] = [];
  let woken: StoreWake[] = [];
  /** Number of plans and commits that changed rows. */
  let changes = 0;
  const put = (of: TableRows, key: RowKey, row: AnyRow): void => {
    changed.push({ of, key, before: of.put(key, row) });
  };
  const remove = (of: TableRows, key: RowKey): AnyRow | undefined => {
    const before = of.delete(key);
    if (before) changed.push({ of, key, before });
    return before;
  };
  /** Runs work in one turn: all of it, or nothing. */
  const atomically = <T>(work: () => T): T => {
    changed = [];
    woken = [];
    try {
      const value = work();
      if (changed.length > 0) changes++;
      return value;
    } catch (cause) {
      for (const { of, key, before } of changed.toReversed()) {
        if (before) of.put(key, before);
        else of.delete(key);
      }
      throw cause;
    }
  };

  /** The committed rows. A plan that meets a lock is run again once the lock is released. */
  const committed = rowOperations({
    find,
    get: (of, key) => of.get(key),
    isEmpty: (of) => of.isEmpty(),
    add: (of, key, row) => {
      const isNew = of.add(key, row);
      if (isNew) changed.push({ of, key, before: undefined });
      return isNew;
    },
    put,
    delete: remove,
    visit: (_of, index, { range, newestFirst }, visit) => index.visit(range, newestFirst, visit),
    lock: (of, keys, lock) => {
      if (locks.isEmpty()) return undefined;
      for (const key of keys) {
        const holder = locks.blockerOf(of, key, lock);
        if (holder) throw new Blocked(holder);
      }
      return undefined;
    },
    isLocked: (of, key) => !locks.isEmpty() && locks.blockerOf(of, key, 'free') !== undefined,
    wait: (holder) => holder.ended,
    now: () => clock.now(),
    wake: (wake) => {
      woken.push(wake);
    },
  });

  const yielding = yieldingOf(clock);
  const yieldingRows: RowTx = {
    ...committed,
    yield: () => {
      const due = yielding.due();
      return due ? later(due) : done(undefined);
    },
  };
  /** Runs a plan that reads. One that yields goes on if nothing has changed: all of it reads one moment. */
  const read = async <T>(plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    for (let repeats = 0; repeats < maxRepeats; repeats++) {
      const before = changes;
      const running = stepsOf(plan(yieldingRows));
      for (let step = running.next(); changes === before; step = running.next()) {
        if (step.done) return step.value;
        await step.value;
      }
    }
    return performNow(plan(committed));
  };

  const aside = createAside({ find, locks, clock });
  const commit = ({ changes, wakes: all }: OpenTransaction): void => {
    if (changes.length > 0)
      atomically(() => {
        // Deletions first: another row may have the values of a unique index now.
        for (const isDeletion of [true, false])
          for (const { of, rows } of changes)
            for (const { key, row } of rows.values()) {
              if (isDeletion && !row) remove(of, key);
              if (!isDeletion && row) put(of, key, row);
            }
      });
    notify(joined(all));
  };

  /** Runs a plan of a transaction that stays open to its end. */
  const finish = async <R>(tx: OpenTransaction, running: Plan<R>): Promise<R> => {
    const undo: Undo = [];
    let goOn = () => running.next();
    for (;;) {
      const step = aside.step(tx, undo, goOn);
      if (step.done) return step.value;
      const resume = await settled(step.value);
      goOn = () => resume(running) as ReturnType<typeof goOn>;
    }
  };

  return {
    run: async (mode, plan) => {
      if (mode !== 'write') return read(plan);
      for (;;) {
        try {
          const value = atomically(() => performNow(plan(committed)));
          notify(woken);
          return value;
        } catch (cause) {
          if (!isBlocked(cause)) throw cause;
          await cause.holder.ended;
        }
      }
    },
    join: async (transaction, plan) => {
      // Hosts see a transaction as one closed value.
      const tx = transaction as unknown as OpenTransaction;
      if (!tx.isOpen) throw noTransaction();
      return finish(tx, plan(aside.rows));
    },
    transaction: async (work, { signal } = {}) => {
      const { tx, end } = openTransaction();
      try {
        const value = await untilAborted(work(tx as unknown as MemoryTransaction), signal);
        commit(tx);
        return value;
      } finally {
        end();
        locks.release(tx);
      }
    },
    watch: wakes.watch,
    watchFeeds: wakes.watchFeeds,
  };
};
