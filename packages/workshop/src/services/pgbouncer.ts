import { chown, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, onFreePort } from './free-port.ts';
import { findProgram } from './program.ts';
import { openServiceHome } from './service-home.ts';
import { unprivilegedUser } from './system-user.ts';

/**
 * Options of PgBouncer.
 * @public
 */
export interface PgBouncerOptions {
  /** The PostgreSQL server behind it: `postgres://user:password@host:port/…`. All its databases are reachable. */
  readonly server: string;
  /** Pool mode. @defaultValue 'transaction' */
  readonly poolMode?: 'session' | 'transaction' | 'statement';
  /** Connections per database. @defaultValue 8 */
  readonly poolSize?: number;
  /** Seconds between two tries to reach a server that refused. @defaultValue 15, as PgBouncer's own */
  readonly serverLoginRetry?: number;
  /** Allow `apt-get install` when there is no `pgbouncer` and this process is root on Debian. @defaultValue false */
  readonly install?: boolean;
}

/**
 * A started PgBouncer.
 * @public
 */
export interface PgBouncer {
  /** The URL of a database of the server, through PgBouncer. */
  urlOf(database: string): string;
  /** Stops PgBouncer. */
  stop(): Promise<void>;
}

const findPgBouncer = (install: boolean): Promise<string> =>
  findProgram({
    title: 'PgBouncer',
    names: ['pgbouncer'],
    debianPackage: 'pgbouncer',
    installed: '/usr/sbin/pgbouncer',
    install,
  });

/**
 * Starts a real PgBouncer on a free port, in front of a running server. Every client is the user of the server URL. It
 * stops soon after the calling process ends, even if it was killed. Linux and macOS.
 * @example
 * const server = await startPostgres();
 * const bouncer = await startPgBouncer({ server: server.url, install: true });
 * const pool = new pg.Pool({ connectionString: bouncer.urlOf('postgres') });
 * await pool.query('select 1');
 * await pool.end();
 * await bouncer.stop();
 * await server.stop();
 * @public
 */
export const startPgBouncer = async ({
  server,
  poolMode = 'transaction',
  poolSize = 8,
  serverLoginRetry = 15,
  install = false,
}: PgBouncerOptions): Promise<PgBouncer> => {
  const program = await findPgBouncer(install);
  const user = await unprivilegedUser();
  const home = await openServiceHome({ name: 'pgbouncer', parent: tmpdir(), user, quit: 'SIGKILL' });
  const { hostname, port: serverPort, username, password } = new URL(server);
  const file = join(home.folder, 'pgbouncer.ini');
  const start = async (port: number): Promise<void> => {
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${poolMode}`,
      `default_pool_size = ${poolSize}`,
      `server_login_retry = ${serverLoginRetry}`,
      'max_client_conn = 200',
      'ignore_startup_parameters = extra_float_digits',
    ];
    await writeFile(file, `${settings.join('\n')}\n`, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
    await home.start(program, [file], { ready: () => accepts(port) });
  };
  try {
    const port = await onFreePort(start);
    return {
      urlOf: (database) => `postgres://${username}@127.0.0.1:${port}/${database}`,
      stop: home.close,
    };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
