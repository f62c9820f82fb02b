import type { NewEvent } from '../events/event.ts';
import type { EpochMs } from '../runtime/time.ts';
import { noTransaction } from '../storage/no-transaction.ts';

declare const memory: unique symbol;

/**
 * A transaction of {@link memoryStorage}: its writes become visible on commit. Only `storage.transaction` creates one.
 * @public
 */
export interface MemoryTransaction {
  /** Exists only in the type: no other object is a transaction. */
  readonly [memory]: true;
}

/** The state of a transaction. @internal */
export interface OpenTransaction extends MemoryTransaction {
  /** Events to add on commit. */
  readonly appended: { readonly event: NewEvent; readonly storedAt: EpochMs }[];
  /** Idempotency keys that it used first; other transactions wait for them. */
  readonly keys: Map<string, NewEvent>;
  /** Called on commit; must not throw. */
  readonly atCommit: (() => void)[];
  /** Resolves at its end. */
  readonly ended: Promise<void>;
  /** Whether it has not ended. */
  open: boolean;
  /** The transaction whose end it waits for. */
  waitsFor: OpenTransaction | undefined;
}

/** Begins a transaction. @internal */
export const openTransaction = (): { readonly tx: OpenTransaction; readonly end: () => void } => {
  let resolve: () => void = () => undefined;
  const ended = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  const tx = {
    appended: [],
    keys: new Map(),
    atCommit: [],
    ended,
    open: true,
    waitsFor: undefined,
  } as unknown as OpenTransaction;
  return {
    tx,
    end: () => {
      tx.open = false;
      resolve();
    },
  };
};

/** Waits for the end of a transaction. As in a database, a deadlock rejects. @internal */
export const waitFor = async (holder: OpenTransaction, tx: OpenTransaction): Promise<void> => {
  for (let next: OpenTransaction | undefined = holder; next; next = next.waitsFor) {
    if (next === tx) throw new Error('Deadlock: two transactions wait for each other.');
  }
  tx.waitsFor = holder;
  await holder.ended;
  tx.waitsFor = undefined;
};

/** @throws TypeError when the transaction has ended, or is not of {@link memoryStorage}. @internal */
export const assertOpen = (tx: OpenTransaction): void => {
  if (!tx.open) throw noTransaction();
};

/** Locks held by open transactions. @internal */
export interface Locks {
  /** Waits for the open transaction that has the lock; then holds it until the end of `tx`. */
  hold(name: string, tx: OpenTransaction): Promise<void>;
}

/** Creates locks. @internal */
export const createLocks = (): Locks => {
  const holders = new Map<string, OpenTransaction>();
  return {
    hold: async (name, tx) => {
      assertOpen(tx);
      for (let holder = holders.get(name); holder?.open && holder !== tx; holder = holders.get(name))
        await waitFor(holder, tx);
      assertOpen(tx);
      if (holders.get(name) === tx) return;
      holders.set(name, tx);
      void tx.ended.then(() => {
        if (holders.get(name) === tx) holders.delete(name);
      });
    },
  };
};
