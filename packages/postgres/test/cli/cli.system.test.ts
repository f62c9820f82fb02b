import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTcpProxy } from '@partnerkit/workshop/services';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrationSql, migrations } from '../../src/index.ts';
import { asUser, catalogue, emptyDatabase } from '../migrations/databases.ts';
import { commandLine, type Ended } from './command-line.ts';

const server = inject('postgres');
const steps = migrations.map(({ version, name }) => `${version} ${name}`);
const silent: Partial<Ended> = { stderr: '' };

test('migrate brings a database up to date, and status shows it before and after', async () => {
  const { url } = await emptyDatabase(server);
  const environment = { DATABASE_URL: url };
  expect(await commandLine(['status'], environment)).toEqual({
    code: 3,
    stdout: ['Schema "partnerkit":', ...steps.map((step) => `  ${step}: missing`), ''].join('\n'),
    stderr: '',
  });
  const ran = `Schema "partnerkit" ran ${steps.join(', ')}.\n`;
  expect(await commandLine(['migrate'], environment)).toEqual({ code: 0, stdout: ran, stderr: '' });
  const upToDate = 'Schema "partnerkit" is up to date.\n';
  expect(await commandLine(['migrate'], environment)).toEqual({ code: 0, stdout: upToDate, stderr: '' });
  expect(await commandLine(['status'], environment)).toEqual({
    code: 0,
    stdout: ['Schema "partnerkit":', ...steps.map((step) => `  ${step}: applied`), ''].join('\n'),
    stderr: '',
  });
});

test('a dry run changes nothing; what it prints is SQL that does what migrate would', async () => {
  const { url, pool } = await emptyDatabase(server);
  const environment = { DATABASE_URL: url };
  const dry = await commandLine(['migrate', '--dry-run', '--schema', 'other'], environment);
  expect(dry).toMatchObject({ ...silent, code: 0 });
  expect(dry.stdout).toBe(`-- Schema "other" would run ${steps.join(', ')}.\n${migrationSql({ schema: 'other' })}`);
  expect(await catalogue(pool, 'other')).toEqual([]);
  await pool.query(dry.stdout);
  await commandLine(['migrate'], environment);
  expect(await catalogue(pool, 'other')).toEqual(await catalogue(pool));
  const again = await commandLine(['migrate', '--dry-run', '--schema=other'], environment);
  expect(again).toEqual({ code: 0, stdout: '-- Schema "other" is up to date.\n', stderr: '' });
});

test('partition refuses plain tables; a dry run on partitioned ones prints SQL, and says what it is', async () => {
  const { url, pool } = await emptyDatabase(server);
  const environment = { DATABASE_URL: url };
  await commandLine(['migrate'], environment);
  const refused = await commandLine(['partition'], environment);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(
    'Not partitioned: "partnerkit".attempts, "partnerkit".dispatches, "partnerkit".events.',
  );
  for (const [table, key] of [
    ['events', 'id'],
    ['dispatches', 'event_id'],
    ['attempts', 'event_id'],
  ])
    await pool.query(`alter table partnerkit.${table} rename to plain_${table};
      create table partnerkit.${table} (like partnerkit.plain_${table}) partition by range (${key});`);
  const dry = await commandLine(['partition', '--dry-run', '--days', '0'], environment);
  expect(dry).toMatchObject({ ...silent, code: 0 });
  expect(dry.stdout).toMatch(/^-- Schema "partnerkit":\n-- \d{4}-\d\d-\d\d: would be made\nbegin;\ncreate table /);
  await pool.query(dry.stdout);
  const none = await commandLine(['partition', '--days', '0', '--keep', '48'], environment);
  expect(none).toEqual({ code: 0, stdout: 'Schema "partnerkit": nothing to do.\n', stderr: '' });
});

test('the reader of the output may close the pipe early, as head does', async () => {
  expect(await commandLine(['sql'], {}, { stopsReading: true })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the variables of libpq name the database as well', async () => {
  const { url } = await emptyDatabase(server);
  const { hostname, port, username, password, pathname } = new URL(url);
  const environment = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  expect(await commandLine(['migrate'], environment)).toMatchObject({ ...silent, code: 0 });
  expect(await commandLine(['status'], { DATABASE_URL: url })).toMatchObject({ ...silent, code: 0 });
});

test('a later version is reported, and a changed migration fails', async () => {
  const { url, pool } = await emptyDatabase(server);
  const environment = { DATABASE_URL: url };
  await pool.query(migrationSql());
  await pool.query("insert into partnerkit.migrations values (99, 'future', 1, 'unknown')");
  const status = await commandLine(['status'], environment);
  expect(status).toMatchObject({ ...silent, code: 0 });
  expect(status.stdout).toContain('  99 future: applied by a later version of this package\n');
  await pool.query("update partnerkit.migrations set checksum = 'edited'");
  for (const command of ['status', 'migrate']) {
    const failed = await commandLine([command], environment);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('was run with other SQL than this package has');
  }
});

test('sql prints the migrations without a database', async () => {
  const all = { code: 0, stdout: migrationSql(), stderr: '' };
  expect(await commandLine(['sql'])).toEqual(all);
  expect(await commandLine(['sql', '--after', '0'])).toEqual(all);
  expect(await commandLine(['sql', '--schema', 'other'])).toEqual({
    ...all,
    stdout: migrationSql({ schema: 'other' }),
  });
  expect(await commandLine(['sql', '--after', '99'])).toEqual({ ...all, stdout: '-- There is no step after 99.\n' });
});

test('help exits with 0', async () => {
  for (const args of [['--help'], ['-h'], ['help'], ['migrate', '--help']]) {
    const { code, stdout, stderr } = await commandLine(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx @partnerkit\/postgres <command>/);
  }
});

describe('a wrong command line says what is wrong, and does nothing', () => {
  test.for<[readonly string[], string]>([
    [[], 'Which command?'],
    [['migrat'], 'Unknown command "migrat".'],
    [['migrate', 'status'], '"status" is too much'],
    [['migrate', '--shema', 'x'], "Unknown option '--shema'"],
    [['migrate', '--schema'], 'argument missing'],
    [['migrate', '--schema', 'A-b'], 'schema: 1 to 48 lower-case letters'],
    [['migrate', '--after', '1'], '--after goes with sql.'],
    [['status', '--dry-run'], '--dry-run goes with migrate and partition.'],
    [['sql', '--after', '-1'], '--after'],
    [['sql', '--after', 'one'], '--after takes a version'],
    [['sql', '--days', '7'], '--days and --keep go with partition.'],
    [['partition', '--days', 'soon'], '--days takes days: 0, 1, …'],
    [['partition', '--keep', '0'], '--keep takes days: 1, 2, …'],
  ])('%j', async ([args, problem]) => {
    const ended = await commandLine(args, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(problem);
    expect(ended.stderr).toContain('--help');
  });
});

describe('without a connection it fails, says why, and shows no password', () => {
  const password = 'pass/wörd%of mine';
  const to = (change: (address: URL) => void): string => {
    const address = new URL(asUser(server.url, 'nobody_here', password));
    change(address);
    return address.href;
  };
  const fails = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stdout, stderr } = await commandLine(['migrate'], environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const spelling of [password, encodeURIComponent(password), encodeURI(password), 'wörd', 'w%C3%B6rd'])
      expect(stderr).not.toContain(spelling);
    expect(stderr).not.toContain(' at ');
    return stderr;
  };

  test('nothing listens', async () => {
    const refused = to((address) => {
      address.port = '1';
    });
    expect(await fails({ DATABASE_URL: refused })).toMatch(/Cannot connect to the database\.\n.*ECONNREFUSED/);
  });

  test('the user is unknown', async () => {
    expect(await fails({ DATABASE_URL: to(() => {}) })).toContain('authentication failed for user "nobody_here"');
  });

  test('the password is in a variable', async () => {
    const { hostname: PGHOST, port: PGPORT } = new URL(server.url);
    expect(await fails({ PGHOST, PGPORT, PGUSER: 'nobody_here', PGPASSWORD: password })).toContain(
      'authentication failed',
    );
  });

  test('there is no such database', async () => {
    const address = new URL(server.url);
    address.pathname = 'no_such_database';
    expect(await fails({ DATABASE_URL: address.href })).toContain('database "no_such_database" does not exist');
  });

  test('the server never answers', async () => {
    const proxy = await startTcpProxy({ to: { port: Number(new URL(server.url).port) } });
    onTestFinished(() => proxy.stop());
    proxy.pause();
    const silentServer = to((address) => {
      address.port = String(proxy.port);
    });
    expect(await fails({ DATABASE_URL: silentServer, PGCONNECT_TIMEOUT: '1' })).toMatch(/timeout/);
  });

  test('the address cannot be read', async () => {
    const raw = `postgres://me:${password}@127.0.0.1:port/app`;
    expect(await fails({ DATABASE_URL: raw })).toContain('Invalid URL');
    expect(await fails({ DATABASE_URL: 'app' })).toContain('DATABASE_URL is no address');
  });

  test('none is named', async () => {
    expect(await fails({})).toContain('Which database? Set DATABASE_URL');
  });

  test('pg is not installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'partnerkit-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(fileURLToPath(new URL('../../src', import.meta.url)), join(folder, 'src'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const ended = await commandLine(['status'], { DATABASE_URL: to(() => {}) }, { file: join(folder, 'src/cli.ts') });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'The package "pg" is not installed here: npm install pg\n' });
  });
});
