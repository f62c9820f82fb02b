/**
 * Storage through TypeORM.
 * @module postgres/typeorm
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { openTransactions } from './transactions.ts';

/** The parts of a TypeORM query runner that storage calls. @public */
export interface TypeOrmQueryRunner {
  /** Whether a transaction is open. */
  readonly isTransactionActive: boolean;
  /** Runs a statement. */
  query(
    text: string,
    values: unknown[],
    useStructuredResult: true,
  ): Promise<{
    /** The rows, by column name. */
    readonly records: SqlRow[];
  }>;
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
  transaction<T>(isolation: 'READ COMMITTED', work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** TypeORM wraps the server's error and quotes bound values; this returns the server's error. */
const unwrapped = (cause: unknown): unknown =>
  (cause as { readonly driverError?: unknown } | undefined)?.driverError ?? cause;

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
 * Storage over TypeORM with its type `postgres`. A transaction is the entity manager of `dataSource.transaction`, also
 * nested, or `queryRunner.manager` of a query runner on which you called `startTransaction`.
 * @example
 * const storage = postgresStorage(fromTypeOrm(dataSource));
 * await dataSource.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromTypeOrm = <Tx extends TypeOrmManager>(
  dataSource: TypeOrmDataSource<Tx>,
  options: ListenOptions = {},
): SqlDriver<Tx> => {
  const queryIn: SqlDriver<Tx>['queryIn'] = async ({ queryRunner }, text, values) => {
    if (!queryRunner?.isTransactionActive) throw noTransaction();
    return run(queryRunner, text, values);
  };
  return {
    query: async (text, values) => {
      const runner = dataSource.createQueryRunner();
      try {
        return await run(runner, text, values);
      } finally {
        await runner.release();
      }
    },
    queryIn,
    transaction: openTransactions({
      begin: (work) => dataSource.transaction('READ COMMITTED', work),
      describe: (tx) => ({ tx, run: (text) => queryIn(tx, text, []) }),
    }),
    ...listening(options),
  };
};
