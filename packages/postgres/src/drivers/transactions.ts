import type { SqlDriver } from './driver.ts';
import { swallowedError } from './swallowed-error.ts';
import { untilAborted } from './until-aborted.ts';

/** A transaction that a library has begun. */
interface BegunTransaction<Tx extends object> {
  /** What `work` receives. */
  readonly tx: Tx;
  /** Runs a text without values on its connection. Rejects with the server's error. */
  run(text: string): Promise<unknown>;
  /** Refuses what `work` sends after the end of the transaction. */
  revoke?(): void;
  /** Closes the connection. */
  close?(): void;
}

/** A library that opens transactions. */
export interface TransactionLibrary<Tx extends object> {
  /** Commits when `work` resolves; rolls back and releases the connection when it rejects. */
  begin<T>(work: (own: Tx) => Promise<T>): Promise<T>;
  /** Describes what `begin` passes to `work`. */
  describe(own: Tx): BegunTransaction<Tx>;
}

const codeOf = (cause: unknown): unknown => (cause as { readonly code?: unknown } | undefined)?.code;

/** Privileges that a host withdrew, or a function that a compatible server lacks. */
const refusals: readonly unknown[] = ['42501', '42883'];

/**
 * Ends the session on the server, behind the statements that were sent before. Until then, and if the server refuses,
 * the session is in a transaction that nobody commits. Resolves to whether the session has ended.
 */
const endSession = async ({ run }: Pick<BegunTransaction<object>, 'run'>): Promise<boolean> => {
  try {
    await run('rollback; begin; select pg_terminate_backend(pg_backend_pid())');
    return true;
  } catch (cause) {
    return !refusals.includes(codeOf(cause));
  }
};

/** A library takes the COMMIT of a failed transaction for success: the server answers it with ROLLBACK. */
const assertUsable = async ({ run }: Pick<BegunTransaction<object>, 'run'>): Promise<void> => {
  try {
    await run('select 1');
  } catch (cause) {
    throw codeOf(cause) === '25P02' ? swallowedError(cause) : cause;
  }
};

/**
 * The `transaction` of a driver. After an abort `work` may go on using its transaction, so the library gets the
 * connection back only when `work` can send nothing on it.
 */
export const openTransactions =
  <Tx extends object>({ begin, describe }: TransactionLibrary<Tx>): SqlDriver<Tx>['transaction'] =>
  (work, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const perform = async (own: Tx) => {
        const begun = describe(own);
        const working = (async () => work(begun.tx))();
        try {
          const value = await untilAborted(working, signal);
          await assertUsable(begun);
          return value;
        } catch (cause) {
          if (!signal?.aborted) throw cause;
          reject(signal.reason);
          if (begun.close) begun.close();
          // A session that cannot be ended serves nobody else until `work` is done.
          else if (!begun.revoke && !(await endSession(begun))) await working.catch(() => {});
          throw cause;
        } finally {
          begun.revoke?.();
        }
      };
      begin(perform).then(resolve, reject);
    });
