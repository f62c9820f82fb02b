import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rowTables } from '@partnerkit/core/rows';
import { createPool } from 'mysql2/promise';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { fromMysql2, migrate, migrationSql, migrationStatus, mysqlStorage, type SqlDriver } from '../src/index.ts';
import { createDatabase, hasServer } from './support/database.ts';

const emptyDatabase = async () => {
  const database = await createDatabase(inject('mysql') ?? '', []);
  onTestFinished(database.drop);
  await database.pool.query('drop table partnerkit_migrations').catch(() => undefined);
  return database;
};

const command = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const commandLine = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...compileCache, ...environment };
    const child = execFile(
      process.execPath,
      ['--conditions=source', command, ...args],
      { env },
      (_failed, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** What the database has: tables, columns and indexes. */
const catalogue = async (pool: Awaited<ReturnType<typeof emptyDatabase>>['pool']): Promise<string> => {
  const [columns] = await pool.query(
    'select table_name, column_name, column_type, is_nullable from information_schema.columns ' +
      'where table_schema = database() order by table_name, ordinal_position',
  );
  const [indexes] = await pool.query(
    'select table_name, index_name, seq_in_index, column_name, collation, non_unique from ' +
      'information_schema.statistics where table_schema = database() order by 1, 2, 3',
  );
  return JSON.stringify([columns, indexes]);
};

/** A driver whose process ends before or after its nth statement. */
const endingAt = (driver: SqlDriver<object>, nth: number, when: 'before' | 'after'): SqlDriver<object> => {
  let count = 0;
  return {
    ...driver,
    queryIn: async (tx, text) => {
      if (/(get|release)_lock\(/.test(text)) return driver.queryIn(tx, text);
      count += 1;
      if (count === nth && when === 'before') throw new Error('killed');
      const result = await driver.queryIn(tx, text);
      if (count === nth) throw new Error('killed');
      return result;
    },
  };
};

describe.skipIf(!hasServer)('migrations', () => {
  test('a migration that ended at any statement goes on there, and makes the same tables', async () => {
    const [broken, whole] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(whole.pool);
    const driver = fromMysql2(broken.pool) as SqlDriver<object>;
    // Two reads and the table of steps come first, then a step and its record. The last end of the four goes forward.
    const ends = [
      [4, 'before'],
      [4, 'after'],
      [5, 'before'],
      [5, 'after'],
    ] as const;
    await expect(migrate(endingAt(driver, 2, 'before'))).rejects.toThrow('killed');
    let tries = 0;
    for (let isDone = false; !isDone; tries++) {
      const [nth, when] = ends[tries % ends.length] ?? ends[0];
      isDone = await migrate(endingAt(driver, nth, when)).then(
        ({ applied }) => applied.length === 0,
        () => false,
      );
    }
    expect(tries).toBeGreaterThan(rowTables.length);
    expect(await catalogue(broken.pool)).toBe(await catalogue(whole.pool));
    expect((await migrationStatus(broken.pool)).every(({ applied }) => applied)).toBe(true);
    const [shards] = await broken.pool.query('select count(*) as count from partnerkit_shards');
    expect(shards).toEqual([{ count: 128 }]);
  });

  test('of simultaneous migrations, one does the work', async () => {
    const { pool } = await emptyDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => migrate(pool)));
    expect(all.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });

  test('the printed SQL does the same, may run again, and both ways may be mixed', async () => {
    const [printed, whole] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(whole.pool);
    await printed.pool.query(migrationSql());
    await printed.pool.query(migrationSql());
    expect(await catalogue(printed.pool)).toBe(await catalogue(whole.pool));
    expect(await migrate(printed.pool)).toEqual({ applied: [], sql: '' });
  });

  test('the check names what is missing, and each step that is', async () => {
    const { pool } = await emptyDatabase();
    const check = mysqlStorage(pool).check;
    expect(await check?.()).toMatchObject({
      findings: [expect.stringMatching(/run `npx @partnerkit\/mysql migrate`/)],
    });
    await migrate(pool);
    const now = Date.now();
    const state = await check?.();
    // Tests let the server not wait for the disk.
    expect(state).toMatchObject({ findings: [], warnings: [expect.stringMatching(/innodb_flush_log_at_trx_commit/)] });
    expect(Math.abs((state?.now ?? 0) - now)).toBeLessThan(3_600_000);
  });

  test('the check refuses SQL modes in which statements mean something else', async () => {
    const { url } = await emptyDatabase();
    const pool = createPool({ uri: url, connectionLimit: 1 });
    onTestFinished(() => pool.end());
    await migrate(pool);
    await pool.query("set session sql_mode = 'NO_UNSIGNED_SUBTRACTION'");
    const state = await mysqlStorage(pool).check?.();
    expect(state?.findings).toEqual([expect.stringMatching(/sql_mode .* NO_UNSIGNED_SUBTRACTION: remove it/)]);
    expect(state?.warnings).toContainEqual(expect.stringMatching(/not strict/));
  });

  test('a store without tables says what to run', async () => {
    const { pool } = await emptyDatabase();
    await expect(mysqlStorage(pool).clients.findClient('none')).rejects.toThrow(/npx @partnerkit\/mysql migrate/);
  });

  test('the command line migrates, and shows the steps before and after', async () => {
    const { url } = await emptyDatabase();
    const environment = { DATABASE_URL: url };
    expect(await commandLine(['status'], environment)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^create workers: missing\n/),
    });
    const dry = await commandLine(['migrate', '--dry-run'], environment);
    expect(dry.stdout).toContain(migrationSql());
    expect(await commandLine(['migrate'], environment)).toMatchObject({ code: 0, stderr: '' });
    expect(await commandLine(['migrate'], environment)).toEqual({
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    });
    expect(await commandLine(['status'], environment)).toMatchObject({ code: 0 });
  });

  test('a wrong command line and a wrong address are told, without the password', async () => {
    expect(await commandLine(['migrat'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/Unknown command/) });
    expect(await commandLine(['status', '--dry-run'])).toMatchObject({ code: 2 });
    expect(await commandLine(['migrate'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/DATABASE_URL/) });
    const { url } = await emptyDatabase();
    const wrong = new URL(url);
    wrong.password = 'not-the-password';
    const refused = await commandLine(['migrate'], { DATABASE_URL: wrong.href });
    expect(refused.code).toBe(1);
    expect(refused.stderr).not.toContain('not-the-password');
  });
});
