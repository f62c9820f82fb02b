/**
 * Storage through Prisma.
 * @module postgres/prisma
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Prisma: a client or a transaction. @public */
export interface PrismaQueryable {
  /** Runs a query. */
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
  /** Runs statements without rows. */
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
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
      isolationLevel: 'ReadCommitted';
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

/** Prisma has its own error codes; this returns the server's error. */
const unwrapped = (cause: unknown): unknown => {
  const { meta } = cause as {
    meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } };
  };
  const { originalCode: code, originalMessage } = meta?.driverAdapterError?.cause ?? {};
  return code === undefined ? cause : Object.assign(new Error(originalMessage, { cause }), { code });
};

const run = async (on: PrismaQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
  try {
    // Several statements return no rows; Prisma expects those of one.
    if (values.length > 0 || !text.includes(';'))
      return (await on.$queryRawUnsafe(text, ...values)) as readonly SqlRow[];
    await on.$executeRawUnsafe(text);
    return [];
  } catch (cause) {
    throw unwrapped(cause);
  }
};

/**
 * Storage over Prisma 7 with `@prisma/adapter-pg`. A transaction is the argument of the callback of an interactive
 * `prisma.$transaction`, also nested.
 * @example
 * const storage = postgresStorage(fromPrisma(prisma));
 * await prisma.$transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromPrisma = <Tx extends PrismaQueryable>(
  prisma: PrismaDatabase<Tx>,
  options: ListenOptions = {},
): SqlDriver<Tx & PrismaTransaction> => ({
  query: (text, values) => run(prisma, text, values),
  queryIn: async (tx, text, values) => {
    if ('$connect' in tx || !('$queryRawUnsafe' in tx)) throw noTransaction();
    return run(tx, text, values);
  },
  transaction: openTransactions<Tx & PrismaTransaction>({
    begin: (work) => prisma.$transaction(work, { isolationLevel: 'ReadCommitted', ...timeouts }),
    describe: (tx) => ({ tx, run: (text) => run(tx, text, []) }),
  }),
  ...listening(options),
});
