/**
 * Storage through TypeORM.
 * @module mysql/typeorm
 */
import { noTransaction } from '@partnerkit/core/adapter';
import { type PlainStatement, plain, resultOf, type SqlDriver, type SqlResult } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** The parts of a TypeORM query runner that storage calls. @public */
export interface TypeOrmQueryRunner {
  /** Whether a transaction is open. */
  readonly isTransactionActive: boolean;
  /** Whether its connection is back in the pool. */
  readonly isReleased: boolean;
  /** Its connection of mysql2 or mysql, with callbacks. */
  connect(): Promise<unknown>;
  /** Returns the connection. */
  release(): Promise<void>;
}

/** The parts of a TypeORM entity manager that storage calls. @public */
export interface TypeOrmManager {
  /** The query runner of its transaction. */
  readonly queryRunner?: TypeOrmQueryRunner;
}

/** The parts of a TypeORM data source that storage calls. @public */
export interface TypeOrmDataSource<Tx> {
  /** Takes a connection. */
  createQueryRunner(): TypeOrmQueryRunner;
  /** Runs `work` in a transaction. */
  transaction<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (tx: Tx) => Promise<T>): Promise<T>;
}

interface CallbackConnection {
  query(statement: PlainStatement, onResult: (cause: unknown, result: unknown) => void): void;
}

/** Runs a statement on the connection itself: `query` of a query runner passes no options. */
const run = async (runner: TypeOrmQueryRunner, text: string): Promise<SqlResult> => {
  // It would return a connection that the pool has given to others.
  if (runner.isReleased) throw noTransaction();
  try {
    const connection = (await runner.connect()) as CallbackConnection;
    return await new Promise((resolve, reject) => {
      connection.query(plain(text), (cause, result) => (cause ? reject(cause) : resolve(resultOf(result))));
    });
  } catch (cause) {
    throw serverError(cause);
  }
};

const isolations = { 'read committed': 'READ COMMITTED', 'repeatable read': 'REPEATABLE READ' } as const;

/**
 * Storage over TypeORM with its type `mysql` or `mariadb`. A transaction is the entity manager of
 * `dataSource.transaction`, also nested, or `queryRunner.manager` of a query runner on which you called
 * `startTransaction`.
 * @example
 * const storage = mysqlStorage(fromTypeOrm(dataSource));
 * await dataSource.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromTypeOrm = <Tx extends TypeOrmManager>(dataSource: TypeOrmDataSource<Tx>): SqlDriver<Tx> => ({
  query: async (text) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await run(runner, text);
    } finally {
      await runner.release();
    }
  },
  ...openTransactions<Tx>({
    begin: (isolation, work) => dataSource.transaction(isolations[isolation], work),
    isOpen: ({ queryRunner }) => queryRunner?.isTransactionActive === true,
    run: async ({ queryRunner }, text) => {
      if (!queryRunner) throw noTransaction();
      return run(queryRunner, text);
    },
  }),
});
