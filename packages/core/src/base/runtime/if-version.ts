import { err, type Result } from '#result';
import { type Failure, failure } from './failure.ts';

/** The versions that a change is meant for. `undefined`: any. */
export type Versions = number | readonly number[] | undefined;

/** Whether a record has one of the versions. */
export const matchesVersion = ({ version }: { readonly version: number }, versions: Versions): boolean =>
  versions === undefined || (typeof versions === 'number' ? versions === version : versions.includes(version));

/** Wraps a change of a record: it is refused unless the record has one of the versions. */
export const ifVersion =
  <T extends { readonly version: number }, F>(
    versions: Versions,
    change: (record: T) => Result<T, F>,
  ): ((record: T) => Result<T, F | Failure<'version_mismatch'>>) =>
  (record) =>
    matchesVersion(record, versions) ? change(record) : err(failure('version_mismatch'));
