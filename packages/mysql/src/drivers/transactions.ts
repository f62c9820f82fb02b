import { noTransaction, untilAborted } from '@partnerkit/core/adapter';
import type { SqlDriver, SqlResult, SqlTransactionOptions } from './driver.ts';

/** A library that opens transactions. */
export interface TransactionLibrary<Tx extends object> {
  /** Commits when `work` resolves; rolls back and releases the connection when it rejects. */
  begin<T>(isolation: SqlTransactionOptions['isolation'], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Whether an object is a transaction of the library that has not ended, as far as the library tells. */
  isOpen(tx: Tx): boolean;
  /** Runs a statement in a transaction. */
  run(tx: Tx, text: string): Promise<SqlResult>;
}

/**
 * `queryIn` and `transaction` of a driver. After an abort `work` may go on using its transaction, so its session is
 * ended on the server, behind the statements that were sent before.
 */
export const openTransactions = <Tx extends object>({
  begin,
  isOpen,
  run,
}: TransactionLibrary<Tx>): Pick<SqlDriver<Tx>, 'queryIn' | 'transaction'> => {
  /** Ended transactions that storage opened. */
  const ended = new WeakSet<object>();
  return {
    queryIn: async (tx, text) => {
      if (ended.has(tx) || !isOpen(tx)) throw noTransaction();
      return run(tx, text);
    },
    transaction: (work, { isolation, signal }) =>
      new Promise((resolve, reject) => {
        const perform = async (tx: Tx) => {
          const working = (async () => work(tx))();
          try {
            return await untilAborted(working, signal);
          } catch (cause) {
            if (!signal?.aborted) throw cause;
            reject(signal.reason);
            await run(tx, 'kill connection_id()').catch(() => undefined);
            throw cause;
          } finally {
            ended.add(tx);
          }
        };
        begin(isolation, perform).then(resolve, reject);
      }),
  };
};
