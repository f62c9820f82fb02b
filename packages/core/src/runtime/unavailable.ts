import { err, ok, type Result, ResultAsync } from 'neverthrow';

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
export const outcomeOf = async <T>(call: () => Promise<T>): Promise<Result<T, Unavailable>> => {
  try {
    return ok(await call());
  } catch (cause) {
    return err({ code: 'unavailable', cause });
  }
};

/** {@link outcomeOf} for a chain. @internal */
export const ask = <T>(call: () => Promise<T>): ResultAsync<T, Unavailable> => new ResultAsync(outcomeOf(call));
