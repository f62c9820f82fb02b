import { err, type Result, ResultAsync } from 'neverthrow';
import { type Unavailable, unavailable } from '../runtime/call-port.ts';
import type { Collection, RawCollection } from './collection.ts';
import type { StoredRecord } from './record.ts';

/** Turns a rejection into `unavailable`. A `TypeError`, which means a mistake of the caller, still rejects. */
const orUnavailable = <T, F>(call: () => Promise<Result<T, F>>): ResultAsync<T, F | Unavailable> => {
  const settled = async (): Promise<Result<T, F | Unavailable>> => {
    try {
      return await call();
    } catch (cause) {
      if (cause instanceof TypeError) throw cause;
      return err(unavailable(cause));
    }
  };
  return new ResultAsync(settled());
};

/**
 * The collection as hosts call it. In the host's own transaction, a failed command rejects: an ignored value would let
 * the host commit half of the command.
 * @internal
 */
export const asResults = <Tx extends object, R extends StoredRecord, New, Commands>(
  raw: RawCollection<Tx, R, New, Commands>,
): Collection<Tx, R, New, Commands> => {
  const command = <T, F>(
    tx: Tx | 'new' | undefined,
    call: () => Promise<Result<T, F>>,
  ): ResultAsync<T, F | Unavailable> => (tx === 'new' ? orUnavailable(call) : new ResultAsync(call()));
  return {
    create: (account, input, options) => command(options?.tx, () => raw.create(account, input, options)),
    perform: (account, id, name, options) =>
      command(options?.tx, () => raw.perform(account, id, name, { input: {}, ...options } as typeof options)),
    find: (account, id) => orUnavailable(() => raw.find(account, id)),
    list: (account, page, filter) => orUnavailable(() => raw.list(account, page, filter)),
    history: (account, id, page) => orUnavailable(() => raw.history(account, id, page)),
  };
};
