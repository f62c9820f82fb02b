/**
 * Storage through TypeORM.
 * @module mysql/typeorm
 */
import { noTransaction } from '@partnerkit/core/ports';
import { resultOf, type SqlDriver, type SqlResult } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** The parts of a TypeORM query runner that storage calls. @public */
export interface TypeOrmQueryRunner {
  /** Whether a transaction is open. */
  readonly isTransactionActive: boolean;
  /** Runs a statement; resolves to what mysql2 returns. */
  query(text: string): Promise<unknown>;
}

/** The parts of a TypeORM entity manager that storage calls. @public */
export interface TypeOrmManager {
  /** The query runner of its transaction. */
  readonly queryRunner?: TypeOrmQueryRunner;
}

/** The parts of a TypeORM data source that storage calls. @public */
export interface TypeOrmDataSource<Tx> {
  /** Runs a statement; resolves to what mysql2 returns. */
  query(text: string): Promise<unknown>;
  /** Runs `work` in a transaction. */
  transaction<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (tx: Tx) => Promise<T>): Promise<T>;
}

const run = async (on: Pick<TypeOrmQueryRunner, 'query'>, text: string): Promise<SqlResult> => {
  try {
    return resultOf(await on.query(text));
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
  query: (text) => run(dataSource, text),
  ...openTransactions<Tx>({
    begin: (isolation, work) => dataSource.transaction(isolations[isolation], work),
    isOpen: ({ queryRunner }) => queryRunner?.isTransactionActive === true,
    run: async ({ queryRunner }, text) => {
      if (!queryRunner) throw noTransaction();
      return run(queryRunner, text);
    },
  }),
});
