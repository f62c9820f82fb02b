import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { onFreePort } from './free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { openServiceHome } from './service-home.ts';
import { unprivilegedUser } from './system-user.ts';

/**
 * Options of a MariaDB server.
 * @public
 */
export interface MariadbOptions {
  /**
   * Parent of its data folder; as root, a folder that every user may enter. Name one on the disk to measure that disk.
   * @defaultValue `/dev/shm`, in memory, if it has 2 GiB free; otherwise the temporary folder of the system
   */
  readonly folder?: string;
  /**
   * Server settings, by name, with hyphens.
   * @defaultValue those of MariaDB, with `innodb-flush-log-at-trx-commit` 2: rows survive a crash of the server, not of
   * the machine
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A started MariaDB server.
 * @public
 */
export interface MariadbServer {
  /** URL of the server as a user with all privileges, with the password; it names no database. */
  readonly url: string;
  /** Port on 127.0.0.1; the same after a restart. */
  readonly port: number;
  /** Version, for example `10.11.19`. */
  readonly version: string;
  /** Stops the server and starts it again with its data and port; after {@link MariadbServer.kill}, only starts it. */
  restart(): Promise<void>;
  /** Ends the server like `kill -9`, and keeps its data for a restart. */
  kill(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** The programs of MariaDB, `undefined` where they are not installed. */
export const findMariadb = async (): Promise<{ readonly server: string; readonly install: string } | undefined> => {
  // Debian installs servers where only root looks.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const find = async (name: string): Promise<string | undefined> => {
    for (const file of folders.filter(Boolean).map((folder) => join(folder, name)))
      if (
        await access(file, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return file;
    return undefined;
  };
  const [server, install] = [await find('mariadbd'), await find('mariadb-install-db')];
  return server === undefined || install === undefined ? undefined : { server, install };
};

/** Whether a server greets on this port, as one of MariaDB does at once. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (value: boolean) => () => {
      socket.destroy();
      resolve(value);
    };
    socket.once('data', answer(true)).once('error', answer(false)).once('close', answer(false));
  });

/**
 * Starts a real MariaDB server on a free port, with empty data in a temporary folder. As root, it runs as the user
 * `postgres` or else `nobody`. Server and folder are removed soon after the calling process ends, even if it was
 * killed. Linux and macOS, with `mariadbd` and `mariadb-install-db` on the PATH.
 * @example
 * import { createConnection } from 'mysql2/promise';
 *
 * const server = await startMariadb({ settings: { 'max-connections': '400' } });
 * const connection = await createConnection(server.url);
 * await connection.query('create database kept');
 * await connection.end();
 * await server.restart();
 * await server.stop();
 * @throws Error when MariaDB is not installed.
 * @public
 */
export const startMariadb = async ({ folder, settings }: MariadbOptions = {}): Promise<MariadbServer> => {
  const programs = await findMariadb();
  if (!programs)
    throw new Error(
      'There is no MariaDB to start. Put mariadbd and mariadb-install-db on the PATH, as the package mariadb-server ' +
        'does; tests that may share a server also take the one that MYSQL_URL names.',
    );
  const user = await unprivilegedUser();
  const home = await openServiceHome({
    name: 'mariadb',
    parent: folder ?? (await memoryFolder()),
    user,
    quit: 'SIGKILL',
  });
  const data = join(home.folder, 'data');
  const password = randomBytes(16).toString('hex');
  const init = join(home.folder, 'init.sql');

  const start = (port: number) => {
    const all = {
      'bind-address': '127.0.0.1',
      'innodb-flush-log-at-trx-commit': '2',
      ...settings,
      datadir: data,
      socket: join(home.folder, 'socket'),
      'pid-file': join(home.folder, 'pid'),
      'init-file': init,
      port: String(port),
    };
    const args = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
    return home.start(programs.server, ['--no-defaults', '--skip-name-resolve', ...args], {
      ready: () => greets(port),
    });
  };

  try {
    // In a file, because every user of the system can read arguments.
    await writeFile(
      init,
      [
        `alter user root@localhost identified by '${password}';`,
        `create user if not exists partnerkit@'127.0.0.1' identified by '${password}';`,
        "grant all on *.* to partnerkit@'127.0.0.1' with grant option;",
      ].join('\n'),
      { mode: 0o600 },
    );
    if (user) await chown(init, user.uid, user.gid);
    const identity = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'];
    await home.run(programs.install, ['--no-defaults', `--datadir=${data}`, ...identity]);
    const printed = await home.run(programs.server, ['--no-defaults', '--version']);
    const port = await onFreePort(start);
    return {
      url: `mysql://partnerkit:${password}@127.0.0.1:${port}`,
      port,
      version: /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? '',
      restart: async () => {
        await home.end('SIGTERM');
        await start(port);
      },
      kill: () => home.end('SIGKILL'),
      stop: home.close,
    };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
