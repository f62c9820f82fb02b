import { err, ok, type Result } from 'neverthrow';
import type { Storage } from '../storage/storage.ts';
import { CommandRejection } from './command-rejection.ts';
import type { Refusal } from './refusal.ts';

/**
 * Runs one command in a transaction of its own. A refusal or `CommandRejection` rolls it back. Rejects when the
 * infrastructure fails.
 * @internal
 */
export const transact = async <Tx extends object, T, E>(
  storage: Pick<Storage<Tx>, 'transaction'>,
  work: (tx: Tx) => Promise<Result<T, E>>,
): Promise<Result<T, E | Extract<Refusal, { readonly code: 'rejected' }>>> => {
  let refused: Result<T, E> | undefined;
  try {
    return ok(
      await storage.transaction(async (tx) => {
        const result = await work(tx);
        if (result.isOk()) return result.value;
        refused = result;
        throw new Error('Refused: rolled back.');
      }),
    );
  } catch (cause) {
    if (refused) return refused;
    if (cause instanceof CommandRejection)
      return err({ code: 'rejected', message: `${cause.code}: ${cause.detail}`, rejection: cause });
    throw cause;
  }
};
