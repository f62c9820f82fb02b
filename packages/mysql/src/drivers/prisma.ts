/**
 * Storage through Prisma.
 * @module mysql/prisma
 */
import type { SqlDriver, SqlResult, SqlRow } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Prisma: a client or a transaction. @public */
export interface PrismaQueryable {
  /** Runs a query. */
  $queryRawUnsafe(text: string): PromiseLike<unknown>;
  /** Runs a statement without rows; resolves to the number of affected rows. */
  $executeRawUnsafe(text: string): PromiseLike<number>;
}

/**
 * A transaction of Prisma. Excludes clients: each statement of a client may run on another connection, outside your
 * transaction.
 * @public
 */
export interface PrismaTransaction extends PrismaQueryable {
  /** Only clients have it. */
  readonly $connect?: never;
}

/** The parts of a Prisma client that storage calls. @public */
export interface PrismaDatabase<Tx> extends PrismaQueryable {
  /** Runs `work` in an interactive transaction. */
  $transaction<T>(
    work: (tx: Tx) => Promise<T>,
    options: {
      /** Isolation level of the transaction. */
      isolationLevel: 'ReadCommitted' | 'RepeatableRead';
      /** Maximum time to wait for a connection, in milliseconds. */
      maxWait: number;
      /** Maximum duration of the transaction, in milliseconds. */
      timeout: number;
    },
  ): Promise<T>;
}

/**
 * Milliseconds. Transactions of storage end by themselves; one that waits for a lock may exceed Prisma's default of 5
 * seconds.
 */
const timeouts = { maxWait: 30_000, timeout: 600_000 };

const isQuery = (text: string): boolean => /^\(?select\b/.test(text);

const run = async (on: PrismaQueryable, text: string): Promise<SqlResult> => {
  try {
    if (isQuery(text)) return { rows: (await on.$queryRawUnsafe(text)) as readonly SqlRow[], affectedRows: 0 };
    return { rows: [], affectedRows: await on.$executeRawUnsafe(text) };
  } catch (cause) {
    throw serverError(cause);
  }
};

const isolations = { 'read committed': 'ReadCommitted', 'repeatable read': 'RepeatableRead' } as const;

/**
 * Storage over Prisma 7 with `@prisma/adapter-mariadb`. A transaction is the argument of the callback of an interactive
 * `prisma.$transaction`. On MySQL, which prepares no savepoints, make the adapter with `useTextProtocol: true`; MariaDB
 * takes either.
 * @example
 * const storage = mysqlStorage(fromPrisma(prisma));
 * await prisma.$transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromPrisma = <Tx extends PrismaQueryable>(
  prisma: PrismaDatabase<Tx>,
): SqlDriver<Tx & PrismaTransaction> => ({
  query: (text) => run(prisma, text),
  ...openTransactions<Tx & PrismaTransaction>({
    begin: (isolation, work) => prisma.$transaction(work, { isolationLevel: isolations[isolation], ...timeouts }),
    isOpen: (tx) => !('$connect' in tx) && '$queryRawUnsafe' in tx,
    run,
  }),
});
