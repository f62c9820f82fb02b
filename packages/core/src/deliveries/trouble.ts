import type { ResultAsync } from 'neverthrow';
import type { Unavailable } from '../runtime/unavailable.ts';
import { type ErrorListener, errorName, type Observer, type Signal } from '../signals/signal.ts';

/** What a worker was doing when something failed. @internal */
type During = Extract<Signal, { readonly kind: 'worker_trouble' }>['during'];

/** A worker goes on when its storage fails: each error is signalled by name, and told in full to `onError`. @internal */
export interface Trouble {
  /** Signals and tells an error. */
  note(during: During, cause: unknown): void;
  /** The answer of the storage; or, after the error was noted, `otherwise`. */
  orElse<T>(during: During, call: ResultAsync<T, Unavailable>, otherwise: T): Promise<T>;
  /** The last error of the storage. */
  last(): unknown;
  forget(): void;
}

/** @internal */
export const createTrouble = (observe: Observer, tellError: ErrorListener): Trouble => {
  let last: unknown;
  const note: Trouble['note'] = (during, cause) => {
    observe({ kind: 'worker_trouble', during, error: errorName(cause) });
    tellError(cause, { during });
  };
  return {
    note,
    orElse: (during, call, otherwise) =>
      call.match(
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
