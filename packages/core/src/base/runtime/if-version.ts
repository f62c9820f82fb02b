import { err, type Result } from '#result';
import { type Failure, failure } from './failure.ts';

/**
 * The versions that a change is meant for: one of several, or any but those in `not`.
 * @public
 */
export type VersionCondition = readonly number[] | { readonly not: readonly number[] };

/** The versions that a change is meant for. `undefined`: any. */
export type Versions = number | VersionCondition | undefined;

/** Whether a condition names the versions that it allows. */
export const namesVersion = (versions: Versions): boolean => typeof versions === 'number' || Array.isArray(versions);

/** Whether a record has a version that the condition allows. */
export const matchesVersion = ({ version }: { readonly version: number }, versions: Versions): boolean => {
  if (versions === undefined) return true;
  if (typeof versions === 'number') return versions === version;
  return 'not' in versions ? !versions.not.includes(version) : versions.includes(version);
};

/** Wraps a change of a record: it is refused unless the record has one of the versions. */
export const ifVersion =
  <T extends { readonly version: number }, F>(
    versions: Versions,
    change: (record: T) => Result<T, F>,
  ): ((record: T) => Result<T, F | Failure<'version_mismatch'>>) =>
  (record) =>
    matchesVersion(record, versions) ? change(record) : err(failure('version_mismatch'));
