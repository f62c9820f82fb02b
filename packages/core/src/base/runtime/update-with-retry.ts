import { errAsync, okAsync, type Result, type ResultAsync } from '#result';
import { callPort, type Unavailable } from './call-port.ts';
import { type Failure, failure } from './failure.ts';

/** Other calls changed the record in each of the attempts. */
export type ConcurrentUpdate = Failure<'changed_meanwhile'>;

/** Simultaneous changes of one record are rare and short. */
const maxAttempts = 5;

/** Reads a record, changes it and stores it by compare-and-swap. Retries when the record was changed meanwhile. */
export const updateWithRetry = <T, F>(
  find: () => ResultAsync<T, F>,
  change: (record: T) => Result<T, F>,
  replace: (changed: T, before: T) => Promise<boolean>,
  left = maxAttempts,
): ResultAsync<T, F | Unavailable | ConcurrentUpdate> =>
  find()
    .andThen((before) => change(before).map((next) => ({ before, next })))
    .andThen(
      ({ before, next }): ResultAsync<T, F | Unavailable | ConcurrentUpdate> =>
        callPort(() => replace(next, before)).andThen((won) => {
          if (won) return okAsync(next);
          return left > 1 ? updateWithRetry(find, change, replace, left - 1) : errAsync(failure('changed_meanwhile'));
        }),
    );
