import type { ResultAsync } from 'neverthrow';
import type { Unavailable } from '../runtime/unavailable.ts';
import { errorName, type Observer, type Signal } from '../signals/signal.ts';

/** A worker goes on when its storage fails, and says so. @internal */
export interface Trouble {
  /** The answer of the storage; or, after a signal, `otherwise`. */
  orElse<T>(
    during: Extract<Signal, { readonly kind: 'worker_trouble' }>['during'],
    call: ResultAsync<T, Unavailable>,
    otherwise: T,
  ): Promise<T>;
  /** The last error of the storage. */
  last(): unknown;
  forget(): void;
}

/** @internal */
export const createTrouble = (observe: Observer): Trouble => {
  let last: unknown;
  return {
    orElse: (during, call, otherwise) =>
      call.match(
        (value) => value,
        ({ cause }) => {
          last = cause ?? new Error('The storage failed.');
          observe({ kind: 'worker_trouble', during, error: errorName(cause) });
          return otherwise;
        },
      ),
    last: () => last,
    forget: () => {
      last = undefined;
    },
  };
};
