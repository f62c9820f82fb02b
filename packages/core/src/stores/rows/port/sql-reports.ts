import type { Table } from './table.ts';

/** The columns of a report: their names in SQL with the type of their values. @public */
export type ReportColumns = Readonly<Record<string, 'text' | 'number'>>;

/** A row of a report. A value is absent where it is null. @public */
export type ReportRow<C extends ReportColumns> = {
  readonly [K in keyof C]: (C[K] extends 'text' ? string : number) | undefined;
};

/**
 * The first row of each group of an index.
 * @public
 */
export interface FirstRows {
  /** The name of the common table expression. */
  readonly name: string;
  readonly table: Table;
  /** An index whose columns begin with `columns` and then `least`. Where it has a condition, only those rows. */
  readonly index: string;
  /** The columns of SQL that rows of one group agree in. */
  readonly columns: readonly string[];
  /** The column after them, of which the least value is read. */
  readonly least: string;
  /** Maximum number of groups, in the order of the index. */
  readonly limit: number;
}

/**
 * Port: reports, each one statement over many tables, where plans would take many. A report reads one moment.
 *
 * - Texts are of a dialect that `with recursive`, window functions, backticks and `limit … offset` belong to.
 * @public
 */
export interface SqlReports {
  /** Joins a table to the rows before it, in the order in which they are written. */
  readonly join: string;
  /** A literal of a text. */
  literal(text: string): string;
  /** A table under an alias, read by one of its indexes. @param index - Default: its key. */
  table(table: Table, alias: string, index?: string): string;
  /** A common table expression whose rows are read once, however often it is named. */
  once(name: string, columns: readonly string[], select: string): string;
  /** The common table expressions that find the first row of each group. The cost grows with groups, not with rows. */
  firsts(of: FirstRows): string;
  /** The text of a member of an object in JSON. */
  member(json: string, name: string): string;
  /** The texts of an array in JSON, as a table `each_text` with one column `value`. */
  texts(json: string): string;
  /**
   * Runs a statement.
   * @param values - The values of its `?`, in order; `now` is the time of the store's clock, in milliseconds.
   */
  read<C extends ReportColumns>(
    text: string,
    values: readonly (number | 'now')[],
    columns: C,
  ): Promise<readonly ReportRow<C>[]>;
}
