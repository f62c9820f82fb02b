import { ResultAsync } from 'neverthrow';

/**
 * A port of the host failed: the database, the limiter or the directory could not answer. HTTP 503. Nothing was decided;
 * try again.
 * @public
 */
export interface Unavailable {
  readonly code: 'unavailable';
  /** What the port rejected with. */
  readonly cause: unknown;
}

/**
 * Calls a port: the one place where a rejection (or a throw) becomes a value.
 * @internal
 */
export const ask = <T>(call: () => Promise<T>): ResultAsync<T, Unavailable> =>
  ResultAsync.fromPromise(
    // An async function, so that a port that throws before it returns a promise is caught as well.
    (async () => call())(),
    (cause): Unavailable => ({ code: 'unavailable', cause }),
  );
