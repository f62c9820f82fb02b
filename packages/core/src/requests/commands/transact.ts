import { err, ok, type Result } from '#result';
import { isPortTimeout } from '../../base/runtime/port-limit.ts';
import type { Transactions } from '../../base/transactions/transactions.ts';
import { isCommandRejection } from '../record/command-rejection.ts';
import type { CommandRefusal } from '../record/refusal.ts';

/** A transaction of a command, until its work is done. */
interface CommandTransaction {
  readonly abort: AbortController;
  /** Called in this order after the commit. */
  readonly afterCommit: (() => void)[];
}

const transactions = new WeakMap<object, CommandTransaction>();

/**
 * Gives up the transaction of a command: a function of the host may go on using `tx`. The command rejects with
 * `reason` even if another function of the host swallows it. The host's own transactions are left to the host.
 */
export const giveUp = (tx: object, reason: Error): void => transactions.get(tx)?.abort.abort(reason);

/**
 * Calls `act` after the commit of a command's transaction; never after a rollback. In the host's own transaction it
 * calls `act` at once, because core does not learn when that transaction ends.
 */
export const afterCommit = (tx: object, act: () => void): void => {
  const own = transactions.get(tx);
  if (own) own.afterCommit.push(act);
  else act();
};

/** Runs work in a transaction of its own. A refusal or `CommandRejection` rolls it back. */
export const transact = async <Tx extends object, T, E>(
  storage: Transactions<Tx>,
  work: (tx: Tx) => Promise<Result<T, E>>,
): Promise<Result<T, E | Extract<CommandRefusal, { readonly code: 'rejected' }>>> => {
  const own: CommandTransaction = { abort: new AbortController(), afterCommit: [] };
  const { signal } = own.abort;
  let refused: Result<T, E> | undefined;
  try {
    const value = await storage.transaction(
      async (tx) => {
        // The storage may run it again after a conflict: what the earlier try noted did not happen.
        own.afterCommit.length = 0;
        transactions.set(tx, own);
        const result = await work(tx)
          .catch((cause: unknown) => {
            // A statement of it may still run: its connection cannot be used again.
            if (isPortTimeout(cause)) giveUp(tx, cause);
            throw cause;
          })
          .finally(() => transactions.delete(tx));
        signal.throwIfAborted();
        if (result.isOk()) return result.value;
        refused = result;
        throw new Error('Refused: rolled back.');
      },
      { signal },
    );
    for (const act of own.afterCommit) act();
    return ok(value);
  } catch (cause) {
    if (refused) return refused;
    if (isCommandRejection(cause))
      return err({ code: 'rejected', message: `${cause.code}: ${cause.detail}`, rejection: cause });
    throw cause;
  }
};

/** One of the tries of a command. */
export interface Try {
  /** The key that functions of the host receive: the same in each try. */
  readonly idempotencyKey: string;
  /** Whether one before it lost a race: it locks what it changes before it reads it. */
  readonly isAgain: boolean;
}

/** Whether another command committed first. */
export const isLostRace = (failure: {
  readonly code: string;
  readonly problem?: { readonly code?: string };
}): boolean => (failure.problem?.code ?? failure.code) === 'changed_meanwhile';

/** After the first try, only a command on other rows can come first. */
const maxTries = 5;

/**
 * Runs one command in a transaction of its own. A refusal or `CommandRejection` rolls it back. A command that lost a
 * race reads again and is applied again, at most 5 times in all. Rejects when the infrastructure fails.
 */
export const transactUntilWon = async <Tx extends object, T, E extends Parameters<typeof isLostRace>[0]>(
  storage: Transactions<Tx>,
  idempotencyKey: string,
  work: (tx: Tx, given: Try) => Promise<Result<T, E>>,
): Promise<Result<T, E | Extract<CommandRefusal, { readonly code: 'rejected' }>>> => {
  for (let tries = 1; ; tries++) {
    const result = await transact(storage, (tx) => work(tx, { idempotencyKey, isAgain: tries > 1 }));
    if (result.isOk() || tries >= maxTries || !isLostRace(result.error)) return result;
  }
};
