import type { DatabaseSync } from 'node:sqlite';
import { ddlOf, type Table } from '@partnerkit/core/rows';
import { type AnyRow, dialect, shapeOf } from './shape.ts';

/** The version of the tables. Each later one gets a step in {@link migrate}, for files of the one before. */
const version = 1;

/** The table of the version. Every transaction that joins writes to it first. @internal */
export const schemaTable = `${dialect.prefix}schema`;

/** The version of the tables in a file; `undefined` when there are none. @internal */
export const readVersion = (database: DatabaseSync): number | undefined => {
  const found = database.prepare('select 1 from sqlite_master where name = ?').get(schemaTable);
  if (!found) return undefined;
  const row = database.prepare(`select version from ${schemaTable}`).get();
  return Number(row?.['version'] ?? 0);
};

const create = (database: DatabaseSync, tables: readonly Table[]): void => {
  for (const table of tables) {
    for (const statement of ddlOf(table, dialect)) database.exec(statement);
    const { insert, bind } = shapeOf(table);
    for (const row of (table.seed ?? []) as readonly AnyRow[]) database.prepare(insert.fail).run(...bind(row, 'given'));
  }
};

const newer = (found: number): Error =>
  new Error(`partnerkit: the tables are of version ${found}, made by a newer @partnerkit/sqlite: update this process.`);

const older = (found: number): Error =>
  new Error(
    `partnerkit: the tables are of version ${found}, which this @partnerkit/sqlite cannot bring up to date: ` +
      'migrate them with a release before it, or begin with a new file.',
  );

/** Creates the tables, once. Any number of processes may call it at once. @internal */
export const migrate = (database: DatabaseSync, tables: readonly Table[]): void => {
  if (readVersion(database) === version) return;
  database.exec('begin immediate');
  try {
    const found = readVersion(database);
    if (found !== undefined && found > version) throw newer(found);
    if (found !== undefined && found < version) throw older(found);
    if (found === undefined) {
      create(database, tables);
      database.exec(`create table ${schemaTable} (version integer not null) strict`);
      database.exec(`insert into ${schemaTable} values (${version})`);
    }
    database.exec('commit');
  } catch (cause) {
    if (database.isTransaction) database.exec('rollback');
    throw cause;
  }
};

/** What is to be done before the tables can be used. @internal */
export const schemaFindings = (found: number | undefined): readonly string[] => {
  if (found === undefined) return ['The tables are not there: call migrateSqlite(file).'];
  if (found > version) return [newer(found).message];
  return found < version ? [older(found).message] : [];
};
