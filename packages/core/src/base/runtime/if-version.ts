import { err, type Result } from 'neverthrow';
import { type Failure, failure } from './failure.ts';

/**
 * Wraps a change of a record: it is refused unless the record has one of the versions. `undefined`: any version.
 * @internal
 */
export const ifVersion =
  <T extends { readonly version: number }, F>(
    versions: readonly number[] | undefined,
    change: (record: T) => Result<T, F>,
  ): ((record: T) => Result<T, F | Failure<'version_mismatch'>>) =>
  (record) =>
    versions === undefined || versions.includes(record.version) ? change(record) : err(failure('version_mismatch'));
