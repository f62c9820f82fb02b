import type { DatabaseSync } from 'node:sqlite';
import {
  type BetterSqlite3Database,
  betterSqlite3Api,
  type Connection,
  type ConnectionApi,
  connectionOf,
  nodeSqliteApi,
  type SqliteConnection,
} from './connection.ts';

/** One copy of a library for SQLite. A process opens a file with one. */
export interface Library<Db extends SqliteConnection> {
  readonly name: string;
  /** Whether a value is a connection of this copy. */
  isConnection(value: unknown): value is Db;
  connection(database: Db): Connection<Db>;
  open(file: string): Connection<Db>;
}

/** Libraries whose connections storage uses, each by members that no connection of those above it has. */
const libraries: readonly (readonly [string, readonly string[]])[] = [
  ['node:sqlite', ['isTransaction', 'location']],
  ['libsql', ['inTransaction', 'prepare', 'syncUntil']],
  ['better-sqlite3', ['inTransaction', 'prepare']],
];
/** Libraries above a connection, by members of their databases and transactions. */
const layers: readonly (readonly [string, readonly string[]])[] = [
  ['Kysely', ['executeQuery', 'withoutPlugins']],
  ['Drizzle', ['session', 'dialect']],
  ['Prisma', ['$queryRawUnsafe']],
  ['TypeORM', ['getRepository']],
  ['Knex', ['client', 'raw']],
  ['@libsql/client', ['execute', 'batch']],
];

const nameIn = (known: typeof libraries, value: unknown): string | undefined =>
  // A database of Knex is a function.
  (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? known.find(([, members]) => members.every((member) => member in value))?.[0]
    : undefined;

/** Whether a value is a connection of one of the libraries. */
export const isConnection = (value: unknown): value is SqliteConnection => nameIn(libraries, value) !== undefined;

/** What a `tx` is that is no connection of this library, and the remedy; `undefined` when it is unknown. */
export const describeForeign = (value: unknown, name: string): string | undefined => {
  const other = nameIn(libraries, value);
  if (other !== undefined)
    return (
      `this is a connection of ${other === name ? `another copy of ${name}` : other}, and this storage uses ${name}: ` +
      'one process must open a file with one library, so make the storage of your connection, sqliteStorage(database)'
    );
  const layer = nameIn(layers, value);
  return layer && `this is an object of ${layer}: hand over the connection of ${name} that has its transaction`;
};

/** The prototype that all connections of a copy have, those of a subclass, too: the last before that of objects. */
const rootOf = (value: object): object => {
  let root: object = Object.getPrototypeOf(value) ?? value;
  for (;;) {
    const next: object | null = Object.getPrototypeOf(root);
    if (next === null || Object.getPrototypeOf(next) === null) return root;
    root = next;
  }
};

const createLibrary = <Db extends SqliteConnection>(
  name: string,
  api: ConnectionApi<Db>,
  Database: { new (file: string): Db; readonly prototype: object },
): Library<Db> => ({
  name,
  isConnection: (value): value is Db =>
    typeof value === 'object' && value !== null && rootOf(value) === Database.prototype,
  connection: (database) => connectionOf(api, database),
  open: (file) => connectionOf(api, new Database(file)),
});

/** `node:sqlite`. Not imported: an import would fail with a message that names no remedy. */
const loadNodeSqlite = (): Library<DatabaseSync> => {
  const sqlite = process.getBuiltinModule?.('node:sqlite') as typeof import('node:sqlite') | undefined;
  if (sqlite && 'location' in sqlite.DatabaseSync.prototype)
    return createLibrary('node:sqlite', nodeSqliteApi, sqlite.DatabaseSync);
  throw new Error(
    `partnerkit: this Node.js (${process.versions.node}) has no usable node:sqlite: use 22.16 or newer of 22, or ` +
      '24 or newer; or hand over a connection of better-sqlite3 or libsql.',
  );
};

/** The library of a connection; `node:sqlite` for a path. */
export const libraryOf = <Db extends SqliteConnection>(from: string | Db): Library<Db> => {
  const name = typeof from === 'string' ? 'node:sqlite' : nameIn(libraries, from);
  if (typeof from === 'string' || name === undefined || name === 'node:sqlite')
    return loadNodeSqlite() as Library<SqliteConnection> as Library<Db>;
  const Database = rootOf(from).constructor as new (file: string) => BetterSqlite3Database;
  return createLibrary(name, betterSqlite3Api, Database) as Library<SqliteConnection> as Library<Db>;
};
