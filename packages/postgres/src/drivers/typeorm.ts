/**
 * Storage through TypeORM.
 * @module
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { type ListenOptions, listening } from './listening.ts';

/** What is needed of a query runner of TypeORM. @public */
export interface TypeOrmQueryRunner {
  readonly isTransactionActive: boolean;
  query(text: string, values: unknown[], useStructuredResult: true): Promise<{ readonly records: SqlRow[] }>;
  release(): Promise<void>;
}

/** What is needed of an entity manager of TypeORM. @public */
export interface TypeOrmManager {
  readonly queryRunner?: TypeOrmQueryRunner;
}

/** What is needed of a data source of TypeORM. @public */
export interface TypeOrmDataSource<Tx> {
  createQueryRunner(): TypeOrmQueryRunner;
  transaction<T>(isolation: 'READ COMMITTED', work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** TypeORM wraps what the server said, and keeps what was bound. */
const unwrapped = (cause: unknown): unknown =>
  cause instanceof Error && 'driverError' in cause && cause.driverError instanceof Error ? cause.driverError : cause;

const run = async (
  runner: TypeOrmQueryRunner,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly SqlRow[]> => {
  try {
    return (await runner.query(text, [...values], true)).records;
  } catch (cause) {
    throw unwrapped(cause);
  }
};

/**
 * Storage over TypeORM with its type `postgres`; a transaction is the entity manager that `dataSource.transaction` hands over, also a
 * nested one, or `queryRunner.manager` of a query runner on which you called `startTransaction`.
 * @example
 * const storage = postgresStorage(fromTypeOrm(dataSource));
 * await dataSource.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromTypeOrm = <Tx extends TypeOrmManager>(
  dataSource: TypeOrmDataSource<Tx>,
  options: ListenOptions = {},
): SqlDriver<Tx> => ({
  query: async (text, values) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await run(runner, text, values);
    } finally {
      await runner.release();
    }
  },
  queryIn: async ({ queryRunner }, text, values) => {
    if (!queryRunner?.isTransactionActive) throw noTransaction();
    return run(queryRunner, text, values);
  },
  transaction: (work) => dataSource.transaction('READ COMMITTED', work),
  ...listening(options),
});
