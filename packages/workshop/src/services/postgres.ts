import { randomBytes } from 'node:crypto';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresOptions, type PostgresServer, servePostgres, withPostgresHome } from './postgres-server.ts';

/**
 * Starts a real PostgreSQL server on a free port, with empty data in a temporary folder. As root, it runs as the user
 * `postgres` or else `nobody`. Server and folder are removed soon after the calling process ends, even if it was
 * killed. Linux and macOS.
 * @example
 * const server = await startPostgres({ settings: { fsync: 'on' } });
 * const client = new pg.Client(server.url);
 * await client.connect();
 * await client.query('create table kept as select 1 as one');
 * await client.end();
 * await server.restart();
 * await server.stop();
 * @public
 */
export const startPostgres = (options: PostgresOptions = {}): Promise<PostgresServer> =>
  withPostgresHome(options, async (opened) => {
    const { home, user, programs, data } = opened;
    const password = randomBytes(16).toString('hex');
    const passwordFile = join(home.folder, 'password');
    await writeFile(passwordFile, password);
    if (user) await chown(passwordFile, user.uid, user.gid);
    const identity = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await home.run(join(programs, 'initdb'), ['-D', data, '--no-sync', '--encoding=UTF8', '--no-locale', ...identity]);
    return servePostgres(opened, options.settings, password);
  });
