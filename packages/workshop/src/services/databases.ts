import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

/**
 * A database for one test file.
 * @public
 */
export interface TestDatabase {
  /** URL of the database, with the password. */
  readonly url: string;
  /** Drops it. Terminates connections that are still open after half a second. */
  drop(): Promise<void>;
}

/**
 * A database to copy others from. It accepts no connections.
 * @public
 */
export interface DatabaseTemplate {
  /** Name to pass to {@link createDatabase}. */
  readonly name: string;
  /** Drops it; its copies stay. */
  drop(): Promise<void>;
}

/** A server may live long: the name says what the database is for, and is unique. */
const newName = (purpose: string) => `${purpose}_${randomUUID().replaceAll('-', '')}`;

/** Works on a connection, and closes it. */
export const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const runSql = (url: string, ...statements: readonly string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

const inDatabase = (url: string, name: string) => {
  const address = new URL(url);
  address.pathname = name;
  return address.href;
};

const isLeft = 'select from pg_stat_activity where datname = $1 limit 1';

/** The connections of an ended pool close a little later. If one is terminated, nobody handles its error. */
const drop = (url: string, name: string) =>
  withClient(url, async (client) => {
    for (let tries = 0; tries < 50 && (await client.query(isLeft, [name])).rowCount; tries++) await setTimeout(10);
    await client.query(`drop database if exists ${name} with (force)`);
  });

/**
 * Creates a database on a server: empty, or a copy of a template. Needs the package `pg` and PostgreSQL 14.
 * @param server - Its user may create databases.
 * @param template - Name of a {@link DatabaseTemplate}.
 * @example
 * const server = await startPostgres();
 * const database = await createDatabase(server);
 * const pool = new pg.Pool({ connectionString: database.url });
 * await pool.end();
 * await database.drop();
 * @public
 */
export const createDatabase = async (
  server: {
    /** `postgres://` URL of the server. */
    readonly url: string;
  },
  template?: string,
): Promise<TestDatabase> => {
  const name = newName('test');
  await withClient(server.url, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int as version");
    // PostgreSQL 14 has no other strategy, and no option for it.
    const strategy = rows[0].version < 150_000 ? '' : 'strategy file_copy';
    await client.query(`create database ${name} template ${template ?? 'template0'} ${strategy}`);
  });
  return { url: inDatabase(server.url, name), drop: () => drop(server.url, name) };
};

/**
 * Creates a database to copy from, once for all tests. A copy takes tens of milliseconds, however long the migrations
 * take. Its name is plain text, so other processes can use it.
 * @param server - Its user may create databases.
 * @param migrate - Migrates the empty database, and closes its connections.
 * @example
 * const server = await startPostgres();
 * const template = await createTemplate(server, async (url) => {
 *   const client = new pg.Client(url);
 *   await client.connect();
 *   await client.query('create table payments (id text primary key)');
 *   await client.end();
 * });
 * await server.stop();
 * @public
 */
export const createTemplate = async (
  server: {
    /** `postgres://` URL of the server. */
    readonly url: string;
  },
  migrate: (url: string) => Promise<unknown>,
): Promise<DatabaseTemplate> => {
  const name = newName('template');
  await runSql(server.url, `create database ${name} template template0`);
  try {
    await migrate(inDatabase(server.url, name));
    await runSql(server.url, `alter database ${name} allow_connections false`);
  } catch (cause) {
    await drop(server.url, name);
    throw cause;
  }
  return { name, drop: () => drop(server.url, name) };
};
