import type { EpochMs } from '@partnerkit/core';
import {
  type Clock,
  column,
  noTransaction,
  type Plan,
  type RowStore,
  type RowTx,
  rowTables,
  type Table,
} from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryRows } from '@partnerkit/core/memory';

type Rows = RowStore<MemoryTransaction>;
interface Step {
  readonly plan: Parameters<Rows['join']>[1];
  readonly at: EpochMs;
  /** The positions that the primary assigned. */
  readonly positions: number[];
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

const identityOf = ({ columns }: Pick<Table, 'columns'>): string | undefined =>
  Object.keys(columns).find((name) => columns[name]?.type === 'identity');

/** The tables, with given positions. Rolled back rows use some up, and the standby has the positions of the primary. */
const tables = rowTables.map((table): Table => {
  const identity = identityOf(table);
  return identity === undefined ? table : { ...table, columns: { ...table.columns, [identity]: column.integer() } };
});

const positioned = (of: RowTx, position: () => number): RowTx => ({
  ...of,
  insert: (table, rows, onConflict) => {
    const identity = identityOf(table);
    const given = identity === undefined ? rows : rows.map((row) => ({ ...row, [identity]: position() }));
    return of.insert(table, given, onConflict);
  },
});

/** Rows in memory, and a log of the commits, from which the standby is made. */
export const rowsWithStandby = (clock: Clock): RowsWithStandby => {
  let log: Commit[] = [];
  let orders = 0;
  let lastPosition = 0;
  let primary: Rows = memoryRows(tables, clock);
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
    const standby = memoryRows(tables, { ...clock, now: () => now ?? clock.now() });
    log = log.toSorted((a, b) => a.order - b.order).slice(0, commits);
    primary = standby;
    for (const { steps } of log)
      await standby.transaction(async (tx) => {
        for (const { plan, at, positions } of steps) {
          now = at;
          let next = 0;
          await standby.join(tx, (of) => plan(positioned(of, () => positions[next++] as number)));
        }
      });
    now = undefined;
    await watch(standby);
  };

  /** A step of the primary, which notes the positions that it assigns. */
  const stepOf = <T>(plan: (of: RowTx) => Plan<T>): Step & { readonly run: (of: RowTx) => Plan<T> } => {
    const positions: number[] = [];
    const assign = (): number => {
      positions.push(++lastPosition);
      return lastPosition;
    };
    const run = (of: RowTx): Plan<T> => {
      positions.length = 0;
      return plan(positioned(of, assign));
    };
    return { plan, at: clock.now(), positions, run };
  };

  return {
    run: (mode, plan) =>
      call(async (rows) => {
        let commit: Commit | undefined;
        // It runs again after it has waited.
        const value = await rows.run(mode, (of) => {
          const step = stepOf(plan);
          commit = { order: orders++, steps: [step] };
          return step.run(of);
        });
        if (commit && mode === 'write' && rows === primary) log.push(commit);
        return value;
      }),
    join: (tx, plan) =>
      call(async (rows) => {
        const open = opened.get(tx);
        if (open?.of !== rows) throw noTransaction();
        const step = stepOf(plan);
        const value = await rows.join(tx, step.run);
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
    watchFeeds: (watcher) => primary.watchFeeds(watcher),
    commits: () => log.length,
    failOver: (commits) => {
      promoted = promote(commits);
      return promoted;
    },
  };
};
