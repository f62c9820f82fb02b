import { err, ok, type Result, ResultAsync } from '#result';
import { isError } from './brand.ts';
import type { Failure } from './failure.ts';
import { isPortTimeout } from './port-limit.ts';

/**
 * A port failed, such as the storage, the limiter or the directory of accounts. HTTP 503.
 * @public
 */
export interface Unavailable extends Failure<'unavailable'> {
  /** What the port rejected with. A `PortTimeout` names the port that did not answer in time. */
  readonly cause: unknown;
}

/** The message of an error that partnerkit made: it names a remedy and quotes nothing foreign. */
const ownMessage = (cause: unknown): string | undefined =>
  isPortTimeout(cause) || (isError(cause) && cause.message.startsWith('partnerkit: ')) ? cause.message : undefined;

/** The failure of a port. */
export const unavailable = (cause: unknown): Unavailable => ({
  code: 'unavailable',
  message: ownMessage(cause) ?? 'A port of the platform failed: see cause, and try again.',
  cause,
});

/** Calls a port and turns a rejection or a throw into a value. */
export const tryCall = async <T>(call: () => Promise<T> | T): Promise<Result<T, Unavailable>> => {
  try {
    return ok(await call());
  } catch (cause) {
    return err(unavailable(cause));
  }
};

/** {@link tryCall} as a `ResultAsync`. */
export const callPort = <T>(call: () => Promise<T> | T): ResultAsync<T, Unavailable> => new ResultAsync(tryCall(call));
