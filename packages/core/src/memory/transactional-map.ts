import type { OpenTransaction } from './transaction.ts';

/** A map in which a transaction sees its own writes; others see them once it commits. @internal */
export interface TransactionalMap<V> {
  /** A value as `tx` sees it; without `tx`, as committed. */
  get(key: string, tx?: OpenTransaction): V | undefined;
  /** Writes a value; `undefined` deletes. Two open transactions must not write one key: hold a lock. */
  set(tx: OpenTransaction, key: string, value: V | undefined): void;
  /** Committed values. */
  values(): Iterable<V>;
}

/** Creates a map. @internal */
export const createTransactionalMap = <V>(): TransactionalMap<V> => {
  const committed = new Map<string, V>();
  const written = new WeakMap<OpenTransaction, Map<string, V | undefined>>();

  const begin = (tx: OpenTransaction): Map<string, V | undefined> => {
    const own = new Map<string, V | undefined>();
    written.set(tx, own);
    tx.atCommit.push(() => {
      for (const [key, value] of own) value === undefined ? committed.delete(key) : committed.set(key, value);
    });
    return own;
  };

  return {
    get: (key, tx) => {
      const own = tx && written.get(tx);
      return own?.has(key) ? own.get(key) : committed.get(key);
    },
    set: (tx, key, value) => void (written.get(tx) ?? begin(tx)).set(key, value),
    values: () => committed.values(),
  };
};
