import type { Storage } from '@partnerkit/core/adapter';

/** A transaction that stays open until it is committed or rolled back; a second end does nothing. */
export interface OpenTransaction {
  readonly tx: object;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

type Transactions = Pick<Storage<object>, 'transaction'>;

const rolledBack = new Error('Rolled back.');

const open = async (storage: Transactions): Promise<OpenTransaction> => {
  let end: (how: 'commit' | 'rollback') => void = () => {};
  const requestedEnd = new Promise<'commit' | 'rollback'>((resolve) => {
    end = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  const tx = await new Promise<object>((begun, failed) => {
    ended = storage.transaction(async (own) => {
      begun(own);
      if ((await requestedEnd) === 'rollback') throw rolledBack;
    });
    ended.catch(failed);
  });
  return {
    tx,
    commit: async () => {
      end('commit');
      await ended;
    },
    rollback: async () => {
      end('rollback');
      await ended.catch((cause: unknown) => {
        if (cause !== rolledBack) throw cause;
      });
    },
  };
};

/** Runs `act` with an open transaction; if it is still open afterwards, it is rolled back. */
export const whileOpen = async (
  storage: Transactions,
  act: (transaction: OpenTransaction) => Promise<void>,
): Promise<void> => {
  const opened = await open(storage);
  try {
    await act(opened);
  } finally {
    await opened.rollback();
  }
};

/** {@link whileOpen} with two transactions. */
export const whileBothOpen = (
  storage: Transactions,
  act: (first: OpenTransaction, second: OpenTransaction) => Promise<void>,
): Promise<void> => whileOpen(storage, (first) => whileOpen(storage, (second) => act(first, second)));
