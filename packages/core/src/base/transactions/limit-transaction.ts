import { err, ok, type Result } from '#result';
import type { PortLimit } from '../runtime/port-limit.ts';
import type { TransactionOptions, Transactions } from './transactions.ts';

/**
 * `transaction` whose beginning and end are limited; the calls inside have limits of their own.
 *
 * - A transaction that begins too late is rolled back at once: `work` is never called.
 * - The outcome of a commit that does not answer is unknown. A rollback that does not answer changes nothing: the error
 *   of `work` is known.
 */
export const limitTransaction =
  <Tx extends object>({ call }: Pick<PortLimit, 'call'>, storage: Transactions<Tx>): Transactions<Tx>['transaction'] =>
  async <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T> => {
    let state: 'waiting' | 'working' | 'given up' = 'waiting';
    let begin: () => void = () => undefined;
    let end: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worked = new Promise<void>((resolve) => {
      end = resolve;
    });
    let outcome: Result<T, unknown> | undefined;

    const running = storage.transaction(async (tx) => {
      if (state === 'given up') throw new Error('storage.transaction: it began too late, and is rolled back.');
      state = 'working';
      begin();
      try {
        const value = await work(tx);
        outcome = ok(value);
        return value;
      } catch (cause) {
        outcome = err(cause);
        throw cause;
      } finally {
        end();
      }
    }, options);
    // It may reject while nothing waits for it.
    running.catch(() => undefined);

    try {
      await call('storage.transaction', 'read', () => Promise.race([begun, running]));
    } catch (cause) {
      // It may have begun in the moment of its deadline.
      if ((state as string) !== 'working') {
        state = 'given up';
        throw cause;
      }
    }
    await Promise.race([worked, running]);
    try {
      return await call('storage.transaction', 'write', () => running);
    } catch (cause) {
      throw outcome?.isErr() ? outcome.error : cause;
    }
  };
