import { err, ok, okAsync, type Result, type ResultAsync } from '#result';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';

/**
 * What became of one row.
 * @public
 */
export interface ImportedRow {
  /** Its place in the list, from 0. */
  readonly row: number;
  /** The id in partnerkit. Absent: the row is refused. */
  readonly id?: string;
  /**
   * - `created`: stored now; in a dry run, it would be.
   * - `unchanged`: stored before, with the same content.
   * - `differs`: stored before, with other content, which stays. It was changed in partnerkit, or in the row.
   * - `refused`: not stored; `message` says why.
   */
  readonly outcome: 'created' | 'unchanged' | 'differs' | 'refused';
  /** Why it is refused. It quotes no secret. */
  readonly message?: string;
}

/**
 * The report of an import.
 * @public
 */
export interface ImportReport {
  /** Whether nothing was stored. */
  readonly isDryRun: boolean;
  /** Number of rows of each outcome. */
  readonly counts: Readonly<Record<ImportedRow['outcome'], number>>;
  /** Every row, in order. */
  readonly rows: readonly ImportedRow[];
}

/**
 * Options of an import.
 * @public
 */
export interface ImportOptions {
  /** Reports what the same call would do now, and stores nothing. @defaultValue false */
  readonly dryRun?: boolean;
}

/** Maximum number of rows of one call. */
const maxRows = 1_000;

/** Imports one row. A message refuses it. */
export type ImportRow = (row: unknown) => ResultAsync<Omit<ImportedRow, 'row' | 'message'>, InvalidInput | Unavailable>;

const report = (rows: readonly ImportedRow[], isDryRun: boolean): ImportReport => {
  const counts = { created: 0, unchanged: 0, differs: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return { isDryRun, counts, rows };
};

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
          failure.code === 'unavailable'
            ? err(failure)
            : ok<ImportedRow>({ row: place, outcome: 'refused', message: failure.message }),
        );
    return checked
      .asyncAndThen((all) =>
        all.reduce<ResultAsync<readonly ImportedRow[], Unavailable>>(
          (done, row, place) => done.andThen((soFar) => one(row, place).map((next) => [...soFar, next])),
          okAsync([]),
        ),
      )
      .map((imported) => report(imported, isDryRun));
  };
