import { brand, hasBrand } from '../../../base/runtime/brand.ts';
import type { Lock } from '../port/row-store.ts';
import { nameOfKey, type RowKey } from './row-key.ts';
import type { TableRows } from './table-rows.ts';

/** A transaction that may stay open: it can hold locks. */
export interface Holder {
  readonly ended: Promise<void>;
  isOpen: boolean;
  waitsFor: Holder | undefined;
}

/** How a transaction holds a row: by a lock, or because it changed or deleted it. */
type Hold = Exclude<Lock, 'free'> | 'delete';

/** Which holds of others a lock waits for. */
const conflicts: Readonly<Record<Lock | 'delete', readonly Hold[]>> = {
  keep: ['delete'],
  share: ['update', 'delete'],
  update: ['share', 'update', 'delete'],
  free: ['keep', 'share', 'update', 'delete'],
  delete: ['keep', 'share', 'update', 'delete'],
};

/** A plan that cannot go on before another transaction ends. It is run again. */
export class Blocked extends Error {
  readonly holder: Holder;
  constructor(holder: Holder) {
    super('A row is locked.');
    this.holder = holder;
    brand(this, 'Blocked');
  }
}

export const isBlocked = (cause: unknown): cause is Blocked => hasBrand(cause, 'Blocked');

/** Waits for the end of a transaction. As in a database, a deadlock rejects. */
export const waitForEnd = async (holder: Holder, waiter: Holder): Promise<void> => {
  for (let next: Holder | undefined = holder; next; next = next.waitsFor)
    if (next === waiter) throw new Error('Deadlock: two transactions wait for each other.');
  waiter.waitsFor = holder;
  await holder.ended;
  waiter.waitsFor = undefined;
};

export interface RowLocks {
  /** Whether no transaction holds a lock. */
  isEmpty(): boolean;
  /** The transaction that has to end first. */
  blockerOf(of: TableRows, key: RowKey, lock: Lock | 'delete', own?: Holder): Holder | undefined;
  hold(of: TableRows, key: RowKey, hold: Hold, own: Holder): void;
  release(own: Holder): void;
}

/** The holds of a row. */
interface LockedRow {
  readonly of: TableRows;
  readonly name: string;
  held: { readonly holder: Holder; readonly hold: Hold }[];
}

export const createRowLocks = (): RowLocks => {
  const tables = new Map<TableRows, Map<string, LockedRow>>();
  const heldBy = new Map<Holder, LockedRow[]>();
  return {
    isEmpty: () => heldBy.size === 0,
    blockerOf: (of, key, lock, own) => {
      const row = tables.get(of)?.get(nameOfKey(key));
      if (!row) return undefined;
      for (const { holder, hold } of row.held) if (holder !== own && conflicts[lock].includes(hold)) return holder;
      return undefined;
    },
    hold: (of, key, hold, own) => {
      let rows = tables.get(of);
      if (!rows) {
        rows = new Map();
        tables.set(of, rows);
      }
      const name = nameOfKey(key);
      const known = rows.get(name);
      if (known?.held.some((each) => each.holder === own && each.hold === hold)) return;
      const row = known ?? { of, name, held: [] };
      row.held.push({ holder: own, hold });
      if (!known) rows.set(name, row);
      const mine = heldBy.get(own);
      if (mine) mine.push(row);
      else heldBy.set(own, [row]);
    },
    release: (own) => {
      for (const row of heldBy.get(own) ?? []) {
        row.held = row.held.filter(({ holder }) => holder !== own);
        if (row.held.length === 0) tables.get(row.of)?.delete(row.name);
      }
      heldBy.delete(own);
    },
  };
};
