import type { Lock } from '../port/row-store.ts';
import type { TableRows } from './table-rows.ts';

/** A transaction that may stay open: it can hold locks. @internal */
export interface Holder {
  readonly ended: Promise<void>;
  isOpen: boolean;
  waitsFor: Holder | undefined;
}

/** How a transaction holds a row: by a lock, or because it changed or deleted it. @internal */
type Hold = Exclude<Lock, 'free'> | 'delete';

/** Which holds of others a lock waits for. */
const conflicts: Readonly<Record<Lock | 'delete', readonly Hold[]>> = {
  keep: ['delete'],
  share: ['update', 'delete'],
  update: ['share', 'update', 'delete'],
  free: ['keep', 'share', 'update', 'delete'],
  delete: ['keep', 'share', 'update', 'delete'],
};

/** A plan that cannot go on before another transaction ends. It is run again. @internal */
export class Blocked extends Error {
  readonly holder: Holder;
  constructor(holder: Holder) {
    super('A row is locked.');
    this.holder = holder;
  }
}

/** Waits for the end of a transaction. As in a database, a deadlock rejects. @internal */
export const waitForEnd = async (holder: Holder, waiter: Holder): Promise<void> => {
  for (let next: Holder | undefined = holder; next; next = next.waitsFor)
    if (next === waiter) throw new Error('Deadlock: two transactions wait for each other.');
  waiter.waitsFor = holder;
  await holder.ended;
  waiter.waitsFor = undefined;
};

/** Locks of rows. @internal */
export interface RowLocks {
  /** Whether no transaction holds a lock. */
  isEmpty(): boolean;
  /** The transaction that has to end first. */
  blockerOf(of: TableRows, name: unknown, lock: Lock | 'delete', own?: Holder): Holder | undefined;
  hold(of: TableRows, name: unknown, hold: Hold, own: Holder): void;
  release(own: Holder): void;
}

/** Creates the locks. @internal */
export const createRowLocks = (): RowLocks => {
  interface Held {
    readonly holder: Holder;
    readonly hold: Hold;
  }
  const tables = new Map<TableRows, Map<unknown, Held[]>>();
  const heldBy = new Map<Holder, [of: TableRows, name: unknown][]>();
  return {
    isEmpty: () => heldBy.size === 0,
    blockerOf: (of, name, lock, own) =>
      tables
        .get(of)
        ?.get(name)
        ?.find(({ holder, hold }) => holder !== own && conflicts[lock].includes(hold))?.holder,
    hold: (of, name, hold, own) => {
      const rows = tables.get(of) ?? new Map<unknown, Held[]>();
      tables.set(of, rows);
      const known = rows.get(name);
      if (known?.some((each) => each.holder === own && each.hold === hold)) return;
      if (known) known.push({ holder: own, hold });
      else rows.set(name, [{ holder: own, hold }]);
      const mine = heldBy.get(own);
      if (mine) mine.push([of, name]);
      else heldBy.set(own, [[of, name]]);
    },
    release: (own) => {
      for (const [of, name] of heldBy.get(own) ?? []) {
        const rows = tables.get(of);
        const left = rows?.get(name)?.filter(({ holder }) => holder !== own) ?? [];
        if (left.length > 0) rows?.set(name, left);
        else rows?.delete(name);
      }
      heldBy.delete(own);
    },
  };
};
