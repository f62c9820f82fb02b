import type { InvalidInput } from '../runtime/failure.ts';

/**
 * What became of one row.
 * @public
 */
export interface ImportedRow {
  /** Its place in the list, from 0. Of requests: the place of the object's line. */
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
  /** JSON Pointer (RFC 6901) of the first wrong field of a refused row. Empty: the whole row. */
  readonly pointer?: string;
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

/** The outcome of a row with wrong fields. */
export const refusedBy = ({ errors: [{ pointer }], message }: InvalidInput) =>
  ({ outcome: 'refused', pointer, message }) as const;

/** The report of these rows. */
export const reportOf = (rows: readonly ImportedRow[], isDryRun: boolean): ImportReport => {
  const counts = { created: 0, unchanged: 0, differs: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return { isDryRun, counts, rows };
};
