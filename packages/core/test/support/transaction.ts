import type { Storage } from '../../src/stores/storage/storage.ts';

/** A transaction that stays open until it is told how to end. */
export interface HeldTransaction<Tx extends object> {
  readonly tx: Tx;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export const beginTransaction = async <Tx extends object>(storage: Storage<Tx>): Promise<HeldTransaction<Tx>> => {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<Tx>();
  const ended = storage
    .transaction((tx) => {
      begun.resolve(tx);
      return end.promise;
    })
    .catch(() => undefined);
  return {
    tx: await begun.promise,
    commit: async () => {
      end.resolve();
      await ended;
    },
    rollback: async () => {
      end.reject(new Error('rolled back'));
      await ended;
    },
  };
};
