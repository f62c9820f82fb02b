import { err, ok, okAsync, type Result, type ResultAsync } from '#result';
import {
  type ImportedRow,
  type ImportOptions,
  type ImportReport,
  refusedBy,
  reportOf,
} from '../../base/imports/import-report.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';

/** Maximum number of rows of one call. */
const maxRows = 1_000;

/** Imports one row. A message refuses it. */
export type ImportRow = (
  row: unknown,
) => ResultAsync<Omit<ImportedRow, 'row' | 'pointer' | 'message'>, InvalidInput | Unavailable>;

/**
 * Imports rows in order, each in a write of its own: a call that fails, or a process that dies, leaves whole rows, and
 * the next call with the same rows completes them. `importer` makes the import of a row, which stores nothing in a dry
 * run.
 */
export const importRows =
  (caller: string, importer: (isDryRun: boolean) => ImportRow) =>
  (rows: readonly unknown[], options: ImportOptions = {}): ResultAsync<ImportReport, InvalidInput | Unavailable> => {
    assertOptionNames(caller, options, { dryRun: true });
    const { dryRun: isDryRun = false } = options;
    const importRow = importer(isDryRun);
    const checked: Result<readonly unknown[], InvalidInput> =
      Array.isArray(rows) && rows.length <= maxRows
        ? ok(rows)
        : err(invalidField('', `a list of at most ${maxRows} rows; import more in several calls.`));
    const one = (row: unknown, place: number): ResultAsync<ImportedRow, Unavailable> =>
      importRow(row)
        .map((imported): ImportedRow => ({ row: place, ...imported }))
        .orElse((failure) =>
          failure.code === 'unavailable' ? err(failure) : ok<ImportedRow>({ row: place, ...refusedBy(failure) }),
        );
    return checked
      .asyncAndThen((all) =>
        all.reduce<ResultAsync<readonly ImportedRow[], Unavailable>>(
          (done, row, place) => done.andThen((soFar) => one(row, place).map((next) => [...soFar, next])),
          okAsync([]),
        ),
      )
      .map((imported) => reportOf(imported, isDryRun));
  };
