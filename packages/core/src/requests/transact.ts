import { ok, type Result } from 'neverthrow';
import type { Storage } from '../storage.ts';

/** A transaction for one command: what is refused leaves nothing. Rejects when the infrastructure fails. @internal */
export const transact = async <Tx extends object, T, E>(
  storage: Pick<Storage<Tx>, 'transaction'>,
  work: (tx: Tx) => Promise<Result<T, E>>,
): Promise<Result<T, E>> => {
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
    throw cause;
  }
};
