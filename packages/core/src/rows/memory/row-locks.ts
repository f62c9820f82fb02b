import type { Lock } from '../port/row-store.ts';

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

/** Locks of rows, by the names of the rows. @internal */
export interface RowLocks {
  /** The transaction that has to end first. */
  blockerOf(name: string, lock: Lock | 'delete', own: Holder | undefined): Holder | undefined;
  hold(name: string, hold: Hold, own: Holder): void;
  release(own: Holder): void;
}

/** Creates the locks. @internal */
export const createRowLocks = (): RowLocks => {
  const holds = new Map<string, { readonly holder: Holder; readonly hold: Hold }[]>();
  return {
    blockerOf: (name, lock, own) =>
      holds.get(name)?.find(({ holder, hold }) => holder !== own && conflicts[lock].includes(hold))?.holder,
    hold: (name, hold, own) => {
      const known = holds.get(name) ?? [];
      holds.set(name, known);
      if (!known.some((each) => each.holder === own && each.hold === hold)) known.push({ holder: own, hold });
    },
    release: (own) => {
      for (const [name, known] of holds) {
        const left = known.filter(({ holder }) => holder !== own);
        if (left.length === 0) holds.delete(name);
        else if (left.length < known.length) holds.set(name, left);
      }
    },
  };
};
