import { findMariadb, type MariadbOptions, startMariadb } from './mariadb.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresOptions } from './postgres-server.ts';
import { type RedisOptions, startRedis } from './redis.ts';

/**
 * A server for many tests at once. It cannot be restarted, because it may belong to somebody else.
 * @public
 */
export interface SharedService {
  /** URL of the server, with the password. */
  readonly url: string;
  /** Ends the server, unless it comes from the environment variable. */
  stop(): Promise<void>;
}

const shared = async (given: string | undefined, start: () => Promise<SharedService>): Promise<SharedService> => {
  if (given) return { url: given, stop: async () => {} };
  const { url, stop } = await start();
  return { url, stop };
};

/**
 * The PostgreSQL server of the environment variable `DATABASE_URL`, or else a new one. Tests create their own databases
 * on it. Tests that restart or kill a server use {@link startPostgres}.
 * @example
 * const server = await sharedPostgres();
 * const database = await createDatabase(server);
 * await database.drop();
 * await server.stop();
 * @public
 */
export const sharedPostgres = (options?: PostgresOptions): Promise<SharedService> =>
  shared(process.env['DATABASE_URL'], () => startPostgres(options));

/**
 * The MariaDB or MySQL server of the environment variable `MYSQL_URL`, or else a new MariaDB. Undefined where there is
 * neither. Tests create their own databases on it.
 * @example
 * const server = await sharedMariadb();
 * if (server === undefined) console.error('MariaDB is not installed: its tests are skipped.');
 * await server?.stop();
 * @public
 */
export const sharedMariadb = async (options?: MariadbOptions): Promise<SharedService | undefined> => {
  const given = process.env['MYSQL_URL'];
  if (!given && !(await findMariadb())) return undefined;
  return shared(given, () => startMariadb(options));
};

/**
 * The Redis server of the environment variable `REDIS_URL`, or else a new one. Tests use their own key prefix and never
 * flush it. Tests that flush, restart or kill a server use {@link startRedis}.
 * @example
 * const server = await sharedRedis({ install: true });
 * await server.stop();
 * @public
 */
export const sharedRedis = (options?: RedisOptions): Promise<SharedService> =>
  shared(process.env['REDIS_URL'], () => startRedis(options));
