import { noTransaction, untilAborted } from '@partnerkit/core/adapter';
import { isUnwritable } from '../errors.ts';
import { type PlainStatement, plain, resultOf, type SqlDriver, type SqlResult } from './driver.ts';
import { serverError } from './server-error.ts';

/** Runs statements of `mysql2/promise`: a connection or a pool. @public */
export interface MysqlQueryable {
  /** Runs a statement. Resolves to its rows or its header, and the columns. */
  query(statement: PlainStatement): Promise<readonly [unknown, unknown]>;
}

/**
 * The parts of a connection of `mysql2/promise` that storage calls: one on which the host began a transaction.
 * @public
 */
export interface MysqlConnection extends MysqlQueryable {
  /** Excludes pools: each statement of a pool may run on another connection, outside your transaction. */
  readonly getConnection?: never;
}

/** A connection of a pool. @public */
export interface MysqlPoolConnection extends MysqlConnection {
  /** Returns the connection to its pool. */
  release(): void;
  /** Closes the connection. */
  destroy(): void;
}

/** The parts of a pool of `mysql2/promise` that storage calls. The host owns it: size, TLS, end. @public */
export interface MysqlPool<Connection extends MysqlConnection = MysqlConnection> extends MysqlQueryable {
  /** Takes a connection. */
  getConnection(): Promise<Connection & MysqlPoolConnection>;
  /** The pool that it wraps, with its options. */
  readonly pool?: { readonly config?: { readonly connectionLimit?: number } };
}

const run = async (on: MysqlQueryable, text: string): Promise<SqlResult> => {
  try {
    return resultOf((await on.query(plain(text)))[0]);
  } catch (cause) {
    throw serverError(cause);
  }
};

/**
 * Storage over a pool of `mysql2/promise`. A transaction is a connection on which you called `beginTransaction`.
 * `mysqlStorage(pool)` is short for it.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * const storage = mysqlStorage(fromMysql2(pool));
 * @public
 */
export const fromMysql2 = <Connection extends MysqlConnection = MysqlConnection>(
  pool: MysqlPool<Connection>,
): SqlDriver<Connection> => {
  /** Connections of ended transactions: the pool gives them to others. */
  const ended = new WeakSet<object>();
  return {
    maxTransactions: pool.pool?.config?.connectionLimit,
    query: (text) => run(pool, text),
    queryIn: async (tx, text) => {
      if ('getConnection' in tx)
        throw noTransaction(
          'a pool is no open transaction, since each statement may run on another connection: hand over the ' +
            'connection of pool.getConnection() on which you awaited beginTransaction',
        );
      if (!('query' in tx) || ended.has(tx)) throw noTransaction();
      return run(tx, text);
    },
    transaction: async (work, { isolation, signal }) => {
      const connection = await pool.getConnection();
      let isBroken = false;
      try {
        // The next transaction only. Both are sent at once; a failure of the first would be that of the second.
        await Promise.all([
          run(connection, `set transaction isolation level ${isolation}`),
          run(connection, 'start transaction'),
        ]);
        const value = await untilAborted(work(connection), signal);
        await run(connection, 'commit');
        return value;
      } catch (cause) {
        // `work` may still send statements; or a proxy left the connection where nothing can be written.
        if (signal?.aborted || isUnwritable(cause)) isBroken = true;
        else
          await run(connection, 'rollback').catch(() => {
            isBroken = true;
          });
        throw cause;
      } finally {
        ended.add(connection);
        if (isBroken) connection.destroy();
        else connection.release();
      }
    },
  };
};
