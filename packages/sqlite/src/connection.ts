import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlValue } from './values.ts';

/**
 * The parts of a connection of `better-sqlite3` that storage calls. One of `libsql` has them, too.
 * @public
 */
export interface BetterSqlite3Database {
  /** Whether it is open. */
  readonly open: boolean;
  /** Whether a transaction is open on it. */
  readonly inTransaction: boolean;
  /** Runs statements. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): object;
  /** Closes the connection. */
  close(): unknown;
}

/**
 * A connection of the host to a file of SQLite, of `node:sqlite`, `better-sqlite3` or `libsql`.
 * @public
 */
export type SqliteConnection = DatabaseSync | BetterSqlite3Database;

/** A prepared statement. Rows are arrays and integers are numbers, whatever the connection is set to. */
interface Statement {
  get(...values: readonly SqlValue[]): readonly unknown[] | undefined;
  all(...values: readonly SqlValue[]): readonly (readonly unknown[])[];
  run(...values: readonly SqlValue[]): { readonly changes: number };
}

/** A connection of any library, as storage uses it. */
export interface Connection<Db extends SqliteConnection = SqliteConnection> {
  readonly database: Db;
  exec(sql: string): void;
  /** Prepares each text once. */
  prepared(sql: string): Statement;
  isOpen(): boolean;
  /** `false` when it is closed. */
  isInTransaction(): boolean;
  /** Does nothing when it is closed. */
  close(): void;
}

/** What differs between libraries. */
export interface ConnectionApi<Db extends SqliteConnection> {
  isOpen(database: Db): boolean;
  /** Called for an open connection: `libsql` ends the process for a closed one. */
  isInTransaction(database: Db): boolean;
  prepare(database: Db, sql: string): Statement;
}

export const nodeSqliteApi: ConnectionApi<DatabaseSync> = {
  isOpen: (database) => database.isOpen,
  isInTransaction: (database) => database.isTransaction,
  prepare: (database, sql) => {
    const statement: StatementSync = database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(false);
    // The types of Node.js do not know that rows are arrays now.
    return statement as unknown as Statement;
  },
};

interface BetterSqlite3Statement extends Statement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  /** Rows are arrays. */
  raw(isRaw: boolean): Statement;
  /** Integers are `bigint`. */
  safeIntegers(isSafe: boolean): unknown;
}

export const betterSqlite3Api: ConnectionApi<BetterSqlite3Database> = {
  isOpen: (database) => database.open,
  isInTransaction: (database) => database.inTransaction,
  prepare: (database, sql) => {
    const statement = database.prepare(sql) as BetterSqlite3Statement;
    statement.safeIntegers(false);
    return statement.reader ? statement.raw(true) : statement;
  },
};

export const connectionOf = <Db extends SqliteConnection>(api: ConnectionApi<Db>, database: Db): Connection<Db> => {
  const statements = new Map<string, Statement>();
  const isOpen = (): boolean => api.isOpen(database);
  return {
    database,
    exec: (sql) => {
      database.exec(sql);
    },
    prepared: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const made = api.prepare(database, sql);
      statements.set(sql, made);
      return made;
    },
    isOpen,
    isInTransaction: () => isOpen() && api.isInTransaction(database),
    close: () => {
      if (isOpen()) database.close();
    },
  };
};
