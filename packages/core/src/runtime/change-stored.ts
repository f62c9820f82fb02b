import { errAsync, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { ask, type Unavailable } from './unavailable.ts';

/** Someone else changed it at the same time, again and again. @internal */
export interface ChangedMeanwhile {
  readonly code: 'changed_meanwhile';
}

/** Racing changes of one record are rare and short: it is tried a few times before saying so. */
const tries = 5;

/**
 * Reads a record, changes it, and stores it unless it was changed meanwhile.
 * @internal
 */
export const changeStored = <T, F>(
  find: () => ResultAsync<T, F>,
  change: (record: T) => Result<T, F>,
  replace: (record: T) => Promise<boolean>,
  left = tries,
): ResultAsync<T, F | Unavailable | ChangedMeanwhile> =>
  find()
    .andThen(change)
    .andThen(
      (next): ResultAsync<T, F | Unavailable | ChangedMeanwhile> =>
        ask(() => replace(next)).andThen((won) => {
          if (won) return okAsync(next);
          return left > 1
            ? changeStored(find, change, replace, left - 1)
            : errAsync({ code: 'changed_meanwhile' as const });
        }),
    );
