import { Kysely, PostgresDialect } from 'kysely';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPg, migrate, migrationSql, migrationStatus, migrations } from '../../src/index.ts';
import { commandLine } from '../cli/command-line.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { openPool } from '../support/host-transactions.ts';
import { catalogue, emptyDatabase, newUser } from './databases.ts';

const all = migrations.map(({ version, name }) => ({ version, name, applied: true }));
const none = all.map((step) => ({ ...step, applied: false }));

onEachPostgres((server) => {
  test('a database that is empty gets every step, and then has nothing left to do', async () => {
    const { pool } = await emptyDatabase(server);
    expect(await migrationStatus(pool)).toEqual(none);
    expect(await migrate(pool)).toEqual({ applied: none, sql: migrationSql() });
    expect(await migrationStatus(pool)).toEqual(all);
    const before = await catalogue(pool);
    expect(await migrate(pool)).toEqual({ applied: [], sql: '' });
    expect(await catalogue(pool)).toEqual(before);
  });

  test('a dry run changes nothing, and what it prints makes the same schema', async () => {
    const [dry, wet] = [await emptyDatabase(server), await emptyDatabase(server)];
    const { applied, sql } = await migrate(dry.pool, { dryRun: true });
    expect(applied).toEqual(none);
    expect(await catalogue(dry.pool)).toEqual([]);
    expect((await dry.pool.query("select to_regnamespace('partnerkit') as found")).rows).toEqual([{ found: null }]);
    await dry.pool.query(sql);
    await migrate(wet.pool);
    expect(await catalogue(dry.pool)).toEqual(await catalogue(wet.pool));
    expect(await migrate(dry.pool)).toEqual({ applied: [], sql: '' });
  });

  test('of simultaneous migrations one does the work, and all succeed', async () => {
    const { url, pool } = await emptyDatabase(server);
    const gate = await pool.connect();
    await gate.query("begin; select pg_advisory_xact_lock(hashtextextended('partnerkit:migrate', 0))");
    const processes = Array.from({ length: 5 }, () => commandLine(['migrate'], { DATABASE_URL: url }));
    const waiting = "select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted";
    let hasEnded = false;
    for (const each of processes) void each.then(() => (hasEnded = true));
    // One that ends before it waits has failed: the expectations below say how.
    while (!hasEnded && (await pool.query(waiting)).rows[0].count < processes.length);
    await gate.query('commit');
    gate.release();
    const ended = await Promise.all(processes);
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
    expect(ended.filter(({ stdout }) => stdout.includes(' ran '))).toHaveLength(1);
    expect(await migrationStatus(pool)).toEqual(all);
  });

  test('a step that was run with other SQL is refused, and nothing is changed', async () => {
    const { pool } = await emptyDatabase(server);
    await migrate(pool);
    await pool.query("update partnerkit.migrations set checksum = 'edited' where version = 1");
    const before = await catalogue(pool);
    await expect(migrate(pool)).rejects.toThrow('step 1 of schema "partnerkit" was run with other SQL');
    await expect(migrate(pool, { dryRun: true })).rejects.toThrow('was run with other SQL');
    await expect(migrationStatus(pool)).rejects.toThrow('was run with other SQL');
    expect(await catalogue(pool)).toEqual(before);
  });

  test('a failing migration is rolled back, and names the obstacle', async () => {
    const { pool } = await emptyDatabase(server);
    await pool.query('create schema partnerkit; create table partnerkit.seen_keys (mine text)');
    const before = await catalogue(pool);
    await expect(migrate(pool)).rejects.toThrow('that partnerkit did not make: choose another schema (42P07)');
    expect(await catalogue(pool)).toEqual(before);
    await pool.query('drop table partnerkit.seen_keys');
    expect((await migrate(pool)).applied).toEqual(none);
  });

  test('a name that PostgreSQL would quote is refused before any statement', async () => {
    const pool = openPool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    for (const schema of ['', 'Upper', '1st', 'a-b', 'a b', 'a"b', "a'b", 'a.b', 'é', 'x'.repeat(49)]) {
      await expect(migrate(pool, { schema })).rejects.toThrow(TypeError);
      await expect(migrationStatus(pool, { schema })).rejects.toThrow(TypeError);
      expect(() => migrationSql({ schema })).toThrow(TypeError);
      expect(() => migrationSql({ schema, after: migrations.length })).toThrow(TypeError);
    }
  });

  test('a schema may have any plain name, and is as any other', async () => {
    const { pool } = await emptyDatabase(server);
    await migrate(pool);
    for (const schema of ['user', 'select', '_', 'x'.repeat(48)]) {
      await migrate(pool, { schema });
      expect(await catalogue(pool, schema)).toEqual(await catalogue(pool));
      expect(await migrationStatus(pool, { schema })).toEqual(all);
    }
    await expect(migrate(pool, { schema: 'pg_mine' })).rejects.toThrow('choose another schema (42939)');
  });

  test('migrations of a later version are listed, and left alone', async () => {
    const { pool } = await emptyDatabase(server);
    await migrate(pool);
    await pool.query("insert into partnerkit.migrations values (99, 'future', 1, 'unknown')");
    expect(await migrationStatus(pool)).toEqual([...all, { version: 99, name: 'future', applied: true }]);
    expect(await migrate(pool)).toEqual({ applied: [], sql: '' });
  });

  test('only whole numbers are accepted as versions', () => {
    for (const after of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => migrationSql({ after })).toThrow(TypeError);
    expect(migrationSql({ after: migrations.length })).toBe('');
    expect(migrationSql({ after: 0 })).toBe(migrationSql());
  });

  test('a user without privileges gets the remedy; in its own schema none is needed', async () => {
    const database = await emptyDatabase(server);
    const user = `pk_migrator_${Date.now()}`;
    const pool = openPool({ connectionString: await newUser(database, user) });
    await expect(migrate(pool)).rejects.toThrow('needs create on the database (on the schema, if there is one)');
    expect(await catalogue(database.pool)).toEqual([]);
    await database.pool.query(`create schema partnerkit authorization ${user}`);
    expect((await migrate(pool)).applied).toEqual(none);
    expect(await migrationStatus(pool)).toEqual(all);
  });

  test('every driver migrates', async () => {
    const { url, pool } = await emptyDatabase(server);
    const sql = postgres(url, { onnotice: () => {} });
    onTestFinished(() => sql.end());
    const drivers = {
      of_pg: fromPg(pool),
      of_postgres_js: fromPostgresJs(sql),
      of_kysely: fromKysely(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })),
    };
    await migrate(pool);
    for (const [schema, driver] of Object.entries(drivers)) {
      expect((await migrate(driver as ReturnType<typeof fromPg>, { schema })).applied).toEqual(none);
      expect(await catalogue(pool, schema)).toEqual(await catalogue(pool));
    }
  });
});
