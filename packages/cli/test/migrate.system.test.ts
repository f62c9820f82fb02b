import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileCache } from '../../../tools/tests/compile-cache.ts';
import { fileOf, newFolder } from './command-line.ts';

describe('migrate', () => {
  const command = fileURLToPath(new URL('../src/partnerkit.ts', import.meta.url));
  const migrate = (cwd: string, ...args: readonly string[]) => migrateTo(undefined, cwd, ...args);
  const migrateTo = (url: string | undefined, cwd: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, ['--conditions=source', command, 'migrate', ...args], {
      cwd,
      env: { ...compileCache, ...(url === undefined ? {} : { DATABASE_URL: url }) },
      encoding: 'utf8',
    });

  test('runs the command of the package that is installed where it is called, with its exit code', () => {
    const folder = fileURLToPath(new URL('../../postgres/', import.meta.url));
    expect(migrate(folder, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--dry-run') });
    expect(migrate(folder, '--after', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--after goes with sql.'),
    });
  });

  test('names the package that is missing, by the database', () => {
    expect(migrate(newFolder())).toMatchObject({
      status: 1,
      stderr: '@partnerkit/postgres is not installed here: npm install @partnerkit/postgres pg\n',
    });
    for (const protocol of ['mysql', 'mariadb'])
      expect(migrateTo(`${protocol}://root@localhost/db`, newFolder())).toMatchObject({
        status: 1,
        stderr: '@partnerkit/mysql is not installed here: npm install @partnerkit/mysql mysql2\n',
      });
    expect(migrateTo('sqlite:platform.db', newFolder())).toMatchObject({
      status: 1,
      stderr: '@partnerkit/sqlite is not installed here: npm install @partnerkit/sqlite\n',
    });
  });

  test('runs the command of @partnerkit/mysql for MariaDB and MySQL', () => {
    const folder = fileURLToPath(new URL('../../mysql/', import.meta.url));
    expect(migrateTo('mariadb://root@localhost/db', folder, '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: npx @partnerkit/mysql'),
    });
  });

  test('creates the tables in a file of SQLite, once or again, and passes on why not', () => {
    const folder = fileURLToPath(new URL('../../sqlite/', import.meta.url));
    const file = join(newFolder(), 'platform.db');
    for (let times = 0; times < 2; times++)
      expect(migrateTo(`sqlite:${file}`, folder)).toMatchObject({ status: 0, stdout: `The tables are in ${file}.\n` });
    const none = fileOf('this is no file of SQLite, but long enough to be one: its beginning is another text.');
    expect(migrateTo(`sqlite:${none}`, folder)).toMatchObject({ status: 1, stdout: '' });
    expect(migrateTo(`sqlite:${file}`, folder, '--dry-run')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('migrate takes no options for a file of SQLite: --dry-run.'),
    });
  });
});
