import type { NewEvent } from '../events/event.ts';
import type { EpochMs } from '../runtime/time.ts';

declare const memory: unique symbol;

/**
 * A transaction of {@link memoryStorage}: nothing of it is seen until it commits. Only `storage.transaction` makes one.
 * @public
 */
export interface MemoryTransaction {
  readonly [memory]: true;
}

/** What a transaction holds until its end. @internal */
export interface OpenTransaction extends MemoryTransaction {
  readonly appended: { readonly event: NewEvent; readonly storedAt: EpochMs }[];
  /** Idempotency keys that it used first, and others wait for. */
  readonly keys: Map<string, NewEvent>;
  /** What others that share its end do when it commits. They cannot fail. */
  readonly atCommit: (() => void)[];
  readonly ended: Promise<void>;
  open: boolean;
  /** The transaction whose end it waits for. */
  waitsFor: OpenTransaction | undefined;
}

/** @internal */
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

/** As a database does: the one who would close a circle of waiting is refused. @internal */
export const waitFor = async (holder: OpenTransaction, tx: OpenTransaction): Promise<void> => {
  for (let next: OpenTransaction | undefined = holder; next; next = next.waitsFor) {
    if (next === tx) throw new Error('Deadlock: two transactions wait for each other.');
  }
  tx.waitsFor = holder;
  await holder.ended;
  tx.waitsFor = undefined;
};

/** As storage on a database says it. */
const noTransaction =
  "tx: this is no open transaction: hand over the one that you began, and await its begin; or 'new' when there is none.";

/** @throws TypeError when the transaction has ended, or is none of memoryStorage. @internal */
export const assertOpen = (tx: OpenTransaction): void => {
  if (!tx.open) throw Object.assign(new TypeError(noTransaction), { code: 'no_transaction' });
};

/** What one open transaction has, others wait for. @internal */
export interface Locks {
  /** Waits for whoever has it and has not ended; then has it until the end of `tx`. */
  hold(name: string, tx: OpenTransaction): Promise<void>;
}

/** @internal */
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
