/** A row, by column name. Texts are bytes. @public */
export type SqlRow = Readonly<Record<string, unknown>>;

/** What a statement did. @public */
export interface SqlResult {
  /** The rows of a query; none for other statements. */
  readonly rows: readonly SqlRow[];
  /** How many rows the server says were affected; 0 for a query. */
  readonly affectedRows: number;
  /** Whether the connection is in a transaction after it. Absent: the library does not tell. */
  readonly isInTransaction?: boolean;
}

/** How a transaction of storage is opened. @public */
export interface SqlTransactionOptions {
  /** Isolation level, whatever the default of the server. */
  readonly isolation: 'read committed' | 'repeatable read';
  /** Gives the transaction up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Port: how storage reaches MariaDB or MySQL. `Tx` is the host's type of a transaction. Statements have no
 * placeholders: texts are in them as hexadecimal literals, which no SQL mode and no character set changes.
 * @public
 */
export interface SqlDriver<Tx extends object> {
  /** Runs a statement on any connection, in a transaction of its own. */
  query(text: string): Promise<SqlResult>;
  /**
   * Runs a statement on the connection of this transaction only.
   *
   * - Rejects when `tx` is known to be no open transaction: `code` is `no_transaction`.
   */
  queryIn(tx: Tx, text: string): Promise<SqlResult>;
  /**
   * Runs `work` in a transaction. Commits when `work` resolves, rolls back when it rejects.
   *
   * - When `signal` aborts, rejects with its reason at once. `work` may still send statements: nothing of them is
   *   committed, and no other transaction gets the connection.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options: SqlTransactionOptions): Promise<T>;
  /** Number of connections, so of transactions at the same time. @defaultValue not known */
  readonly maxTransactions?: number | undefined;
}

/**
 * A statement with options of mysql2 that a pool may have set otherwise: it is sent as it is, rows are objects, and
 * values are as the server sent them.
 * @public
 */
export interface PlainStatement {
  /** The statement. */
  readonly sql: string;
  /** Has no placeholders. Without `null`, mysql2 searches the whole text for them. */
  readonly values: null;
  /** Leaves each value as mysql2 reads it. */
  readonly typeCast: (field: unknown, next: () => unknown) => unknown;
  /** Rows are no arrays. */
  readonly rowsAsArray: false;
  /** Columns are not grouped by table. */
  readonly nestTables: false;
}

/**
 * Options that give rows the form of {@link SqlRow}. Only a function replaces the `typeCast` of a pool: mysql2 takes
 * `true` for none given.
 */
export const plainRows: Omit<PlainStatement, 'sql'> = {
  values: null,
  typeCast: (_, next) => next(),
  rowsAsArray: false,
  nestTables: false,
};

/** A statement whose rows have the form of {@link SqlRow}. */
export const plain = (sql: string): PlainStatement => ({ sql, ...plainRows });

/** `SERVER_STATUS_IN_TRANS` of the protocol. */
const inTransaction = 1;

/** The result of a library that returns what mysql2 does: rows, or a header. */
export const resultOf = (result: unknown): SqlResult => {
  if (Array.isArray(result)) return { rows: result as readonly SqlRow[], affectedRows: 0 };
  const { affectedRows = 0, serverStatus } = (result ?? {}) as { affectedRows?: number; serverStatus?: number };
  return {
    rows: [],
    affectedRows,
    ...(serverStatus === undefined ? {} : { isInTransaction: (serverStatus & inTransaction) !== 0 }),
  };
};
