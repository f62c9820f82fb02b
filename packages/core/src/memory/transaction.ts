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
  const tx = { appended: [], keys: new Map(), ended, open: true, waitsFor: undefined } as unknown as OpenTransaction;
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
    if (next === tx) throw new Error('Deadlock: two transactions wait for each other’s idempotency keys.');
  }
  tx.waitsFor = holder;
  await holder.ended;
  tx.waitsFor = undefined;
};
