import type { EpochMs } from '@partnerkit/core';
import { type Clock, noTransaction, type RowStore, rowTables } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryRows } from '@partnerkit/core/memory';

type Rows = RowStore<MemoryTransaction>;
interface Step {
  readonly plan: Parameters<Rows['join']>[1];
  readonly at: EpochMs;
}
interface Commit {
  readonly order: number;
  readonly steps: readonly Step[];
}
interface Open {
  readonly of: Rows;
  readonly steps: Step[];
}

/** Rows with a standby that gets every commit late. */
interface RowsWithStandby extends Rows {
  /** Number of commits. */
  commits(): number;
  /** The primary dies, with its open transactions. The standby takes its place, with this number of first commits. */
  failOver(commits: number): Promise<void>;
}

/** Rows in memory, and a log of the commits, from which the standby is made. */
export const rowsWithStandby = (clock: Clock): RowsWithStandby => {
  let log: Commit[] = [];
  let orders = 0;
  let primary: Rows = memoryRows(rowTables, clock);
  let promoted: Promise<void> = Promise.resolve();
  const opened = new WeakMap<object, Open>();
  const watchers = new Set<Parameters<Rows['watch']>[0]>();
  const watch = (rows: Rows) =>
    rows.watch((wake) => {
      for (const watcher of watchers) watcher(wake);
    });
  void watch(primary);

  /** Calls the primary. What it still answers when it has died does not arrive. */
  const call = async <T>(make: (rows: Rows) => Promise<T>): Promise<T> => {
    await promoted;
    const rows = primary;
    const value = await make(rows);
    if (rows !== primary) throw new Error('The primary died.');
    return value;
  };

  const promote = async (commits: number): Promise<void> => {
    let now: EpochMs | undefined;
    const standby = memoryRows(rowTables, { ...clock, now: () => now ?? clock.now() });
    log = log.toSorted((a, b) => a.order - b.order).slice(0, commits);
    primary = standby;
    for (const { steps } of log)
      await standby.transaction(async (tx) => {
        for (const { plan, at } of steps) {
          now = at;
          await standby.join(tx, plan);
        }
      });
    now = undefined;
    await watch(standby);
  };

  return {
    run: (mode, plan) =>
      call(async (rows) => {
        let commit: Commit | undefined;
        // It runs again after it has waited.
        const value = await rows.run(mode, (of) => {
          commit = { order: orders++, steps: [{ plan, at: clock.now() }] };
          return plan(of);
        });
        if (commit && mode === 'write' && rows === primary) log.push(commit);
        return value;
      }),
    join: (tx, plan) =>
      call(async (rows) => {
        const open = opened.get(tx);
        if (open?.of !== rows) throw noTransaction();
        const step = { plan, at: clock.now() };
        const value = await rows.join(tx, plan);
        open.steps.push(step);
        return value;
      }),
    transaction: (work, options) =>
      call(async (rows) => {
        let commit: Commit | undefined;
        const value = await rows.transaction(async (tx) => {
          const steps: Step[] = [];
          opened.set(tx, { of: rows, steps });
          const result = await work(tx);
          commit = { order: orders++, steps };
          return result;
        }, options);
        if (commit && rows === primary) log.push(commit);
        return value;
      }),
    watch: async (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    commits: () => log.length,
    failOver: (commits) => {
      promoted = promote(commits);
      return promoted;
    },
  };
};
