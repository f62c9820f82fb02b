import { ddlOf, type Table } from '@partnerkit/core/adapter';
import type { Connection } from './connection.ts';
import { type AnyRow, dialect, shapeOf } from './shape.ts';

/** The version of the tables. Each later one gets a step in {@link migrate}, for files of the one before. */
const version = 1;

/** The table of the version. Every transaction that joins writes to it first. */
export const schemaTable = `${dialect.prefix}schema`;

/** The version of the tables in a file; `undefined` when there are none. */
export const readVersion = ({ prepared }: Connection): number | undefined => {
  const found = prepared('select 1 from sqlite_master where name = ?').get(schemaTable);
  return found && Number(prepared(`select version from ${schemaTable}`).get()?.[0] ?? 0);
};

const create = ({ exec, prepared }: Connection, tables: readonly Table[]): void => {
  for (const table of tables) {
    for (const statement of ddlOf(table, dialect)) exec(statement);
    const { insert, bind } = shapeOf(table);
    for (const row of (table.seed ?? []) as readonly AnyRow[]) prepared(insert.fail).run(...bind(row, 'given'));
  }
};

const newer = (found: number): Error =>
  new Error(`partnerkit: the tables are of version ${found}, made by a newer @partnerkit/sqlite: update this process.`);

const older = (found: number): Error =>
  new Error(
    `partnerkit: the tables are of version ${found}, which this @partnerkit/sqlite cannot bring up to date: ` +
      'migrate them with a release before it, or begin with a new file.',
  );

/** Creates the tables, once. Any number of processes may call it at once. */
export const migrate = (connection: Connection, tables: readonly Table[]): void => {
  if (readVersion(connection) === version) return;
  connection.exec('begin immediate');
  try {
    const found = readVersion(connection);
    if (found !== undefined && found > version) throw newer(found);
    if (found !== undefined && found < version) throw older(found);
    if (found === undefined) {
      create(connection, tables);
      connection.exec(`create table ${schemaTable} (version integer not null) strict`);
      connection.exec(`insert into ${schemaTable} values (${version})`);
    }
    connection.exec('commit');
  } catch (cause) {
    if (connection.isInTransaction()) connection.exec('rollback');
    throw cause;
  }
};

/** What is to be done before the tables can be used. */
export const schemaFindings = (found: number | undefined): readonly string[] => {
  if (found === undefined) return ['The tables are not there: call migrateSqlite(file).'];
  if (found > version) return [newer(found).message];
  return found < version ? [older(found).message] : [];
};
