import type { ResultAsync } from 'neverthrow';
import type { Unavailable } from '../runtime/call-port.ts';
import { type ErrorListener, errorName, type Observer, type Signal } from '../signals/signal.ts';

/** What a worker was doing when something failed. */
type During = Extract<Signal, { readonly kind: 'worker_error' }>['during'];

/** Signals each error by name and passes it to `onError`; the worker continues. @internal */
export interface WorkerErrors {
  /** Signals and reports an error. */
  note(during: During, cause: unknown): void;
  /** The result of the storage call; after an error, which is noted, `otherwise`. */
  orElse<T, O>(during: During, call: ResultAsync<T, Unavailable>, otherwise: O): Promise<T | O>;
  /** The last error of the storage. */
  last(): unknown;
  /** Clears the last error. */
  forget(): void;
}

/** Creates the error handling of a worker. @internal */
export const createWorkerErrors = (observe: Observer | undefined, onError: ErrorListener): WorkerErrors => {
  let last: unknown;
  const note: WorkerErrors['note'] = (during, cause) => {
    observe?.({ kind: 'worker_error', during, error: errorName(cause) });
    onError(cause, { during });
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
