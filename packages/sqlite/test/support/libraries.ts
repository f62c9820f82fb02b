import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/** A library for SQLite beside that of Node.js. `libsql` has the interface of `better-sqlite3`. */
export type LibraryName = 'better-sqlite3' | 'libsql';

/** How a host opens files with a library; `undefined` when it has no binary for this machine. */
export const loadLibrary = (name: LibraryName): ((file: string) => BetterSqlite3.Database) | undefined => {
  try {
    const Database = require(name) as typeof BetterSqlite3;
    new Database(':memory:').close();
    return (file) => new Database(file);
  } catch (cause) {
    console.error(`${name} does not run on this machine: its tests are skipped. ${cause}`);
    return undefined;
  }
};
