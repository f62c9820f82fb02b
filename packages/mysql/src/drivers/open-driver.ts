import type { SqlDriver } from './driver.ts';
import { fromMysql2, type MysqlPool } from './mysql2.ts';

const remedy =
  "hand over your pool of mysql2/promise, createPool(url) of 'mysql2/promise', or what fromKysely, fromDrizzle, " +
  'fromKnex, fromPrisma or fromTypeOrm makes of yours.';

const hasMethods = (from: unknown, names: readonly string[]): boolean =>
  typeof from === 'object' &&
  from !== null &&
  names.every((name) => typeof (from as Readonly<Record<string, unknown>>)[name] === 'function');

interface WithPromises {
  promise(): MysqlPool;
}

/**
 * The driver of a storage.
 * @throws TypeError when `from` is no pool and no driver; the message names the remedy.
 */
export const openDriver = <Tx extends object>(caller: string, from: MysqlPool | SqlDriver<Tx>): SqlDriver<Tx> => {
  if (hasMethods(from, ['query', 'queryIn', 'transaction'])) return from as SqlDriver<Tx>;
  if (!hasMethods(from, ['query', 'getConnection']))
    throw new TypeError(
      hasMethods(from, ['query', 'beginTransaction'])
        ? `${caller}: this is one connection, and workers need more: ${remedy}`
        : `${caller}: this is no pool and no driver: ${remedy}`,
    );
  if (hasMethods(from, ['batch', 'getConnection']))
    throw new TypeError(`${caller}: this is a pool of mariadb, whose results differ: ${remedy}`);
  // A pool of `mysql2` with callbacks; transactions are connections of its promises.
  const pool = hasMethods(from, ['promise']) ? (from as object as WithPromises).promise() : (from as MysqlPool);
  return fromMysql2(pool) as SqlDriver<object> as SqlDriver<Tx>;
};
