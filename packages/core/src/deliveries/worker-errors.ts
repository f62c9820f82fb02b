import type { ResultAsync } from 'neverthrow';
import type { Unavailable } from '../runtime/unavailable.ts';
import { type ErrorListener, errorName, type Observer, type Signal } from '../signals/signal.ts';

/** What a worker was doing when something failed. */
type During = Extract<Signal, { readonly kind: 'worker_error' }>['during'];

/** A worker goes on when its storage fails: each error is signalled by name, and given in full to `onError`. @internal */
export interface WorkerErrors {
  /** Signals and reports an error. */
  note(during: During, cause: unknown): void;
  /** The answer of the storage; or, after the error was noted, `otherwise`. */
  orElse<T, O>(during: During, call: ResultAsync<T, Unavailable>, otherwise: O): Promise<T | O>;
  /** The last error of the storage. */
  last(): unknown;
  forget(): void;
}

/** @internal */
export const createWorkerErrors = (observe: Observer | undefined, tellError: ErrorListener): WorkerErrors => {
  let last: unknown;
  const note: WorkerErrors['note'] = (during, cause) => {
    observe?.({ kind: 'worker_error', during, error: errorName(cause) });
    tellError(cause, { during });
  };
  return {
    note,
    orElse: async <T, O>(during: During, call: ResultAsync<T, Unavailable>, otherwise: O): Promise<T | O> =>
      call.match<T | O>(
        (value) => value,
        ({ cause }) => {
          last = cause ?? new Error('The storage failed.');
          note(during, cause);
          return otherwise;
        },
      ),
    last: () => last,
    forget: () => {
      last = undefined;
    },
  };
};
