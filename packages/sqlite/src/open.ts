import type { Connection, SqliteConnection } from './connection.ts';
import { explained } from './errors.ts';
import { isConnection, type Library, libraryOf } from './library.ts';
import { describeOthers } from './other-libraries.ts';

/** A file, and the library that opens it. */
export interface Source<Db extends SqliteConnection> {
  readonly file: string;
  readonly library: Library<Db>;
  /** Whether other libraries of this process are known to open other files. */
  readonly isAlone: boolean;
}

const pathOf = <Db extends SqliteConnection>(library: Library<Db>, database: Db): unknown =>
  library.connection(database).prepared("select file from pragma_database_list where name = 'main'").get()?.[0];

/** The source of a storage. @throws TypeError when there is no file. */
export const sourceOf = <Db extends SqliteConnection>(
  caller: string,
  from: string | Db,
  isAlone: boolean,
): Source<Db> => {
  if (typeof from === 'string' || isConnection(from)) {
    const library = libraryOf(from);
    const file = typeof from === 'string' ? from : pathOf(library, from);
    if (typeof file === 'string' && file !== '' && !file.includes(':memory:')) return { file, library, isAlone };
  }
  throw new TypeError(
    `${caller}: the path of a file, or a connection to one (node:sqlite, better-sqlite3, libsql): workers and hosts ` +
      'need connections of their own. For tests in memory, use memoryStorage().',
  );
};

/** What other libraries of this process may do to the file. */
export const describeDanger = ({ library, isAlone }: Source<SqliteConnection>): string | undefined =>
  isAlone ? undefined : describeOthers(library.name);

/** How long opening waits for another process that creates tables, in milliseconds. */
const openTimeout = 5_000;

/** Opens a connection. It waits for no lock: that would stop the whole process. */
export const openConnection = <Db extends SqliteConnection>(
  source: Source<Db>,
  synchronous: 'full' | 'normal',
): Connection<Db> => {
  const danger = describeDanger(source);
  if (danger !== undefined) throw new Error(`partnerkit: ${danger}`);
  const { file, library } = source;
  let connection: Connection<Db> | undefined;
  try {
    connection = library.open(file);
    const read = (pragma: string): unknown => connection?.prepared(`pragma ${pragma}`).get()?.[0];
    connection.exec(`pragma busy_timeout = ${openTimeout}`);
    if (read('encoding') !== 'UTF-8')
      throw new TypeError(
        `partnerkit: the encoding of ${file} is ${read('encoding')}: texts need UTF-8 for their order.`,
      );
    if (read('journal_mode') !== 'wal') connection.exec('pragma journal_mode = wal');
    connection.exec(`pragma synchronous = ${synchronous}`);
    return connection;
  } catch (cause) {
    connection?.close();
    throw explained(cause);
  }
};

/** From now on, a call that finds the file locked fails at once. */
export const waitForNothing = (connection: Connection): void => connection.exec('pragma busy_timeout = 0');
