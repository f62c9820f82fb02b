import { type PostgresOptions, startPostgres } from './postgres.ts';
import { type RedisOptions, startRedis } from './redis.ts';

/**
 * A server that many tests use at once. It cannot be restarted: it may be somebody's.
 * @public
 */
export interface SharedService {
  readonly url: string;
  /** Ends the server if it was started here. */
  stop(): Promise<void>;
}

const shared = async (given: string | undefined, start: () => Promise<SharedService>): Promise<SharedService> => {
  if (given) return { url: given, stop: async () => {} };
  const { url, stop } = await start();
  return { url, stop };
};

/**
 * The PostgreSQL server that the environment variable `DATABASE_URL` names, or else one of its own. Tests make their own databases
 * on it; tests that restart or kill a server start one with {@link startPostgres}.
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
 * The Redis server that the environment variable `REDIS_URL` names, or else one of its own. Tests keep to a key prefix of their own
 * and never flush it; tests that flush, restart or kill a server start one with {@link startRedis}.
 * @example
 * const server = await sharedRedis({ install: true });
 * await server.stop();
 * @public
 */
export const sharedRedis = (options?: RedisOptions): Promise<SharedService> =>
  shared(process.env['REDIS_URL'], () => startRedis(options));
