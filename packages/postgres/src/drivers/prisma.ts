/**
 * Storage through Prisma.
 * @module
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { type ListenOptions, listening } from './listening.ts';

/** What runs statements of Prisma: a client or a transaction. @public */
export interface PrismaQueryable {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
}

/** A client is no transaction: each of its statements may run on another connection, outside your transaction. @public */
export interface PrismaTransaction extends PrismaQueryable {
  readonly $connect?: never;
}

/** What is needed of a client of Prisma. @public */
export interface PrismaDatabase<Tx> extends PrismaQueryable {
  $transaction<T>(
    work: (tx: Tx) => Promise<T>,
    options: { isolationLevel: 'ReadCommitted'; maxWait: number; timeout: number },
  ): Promise<T>;
}

/** Ours end by themselves, and one that waits for a lock outlives the 5 seconds that Prisma grants. In milliseconds. */
const patience = { maxWait: 30_000, timeout: 600_000 };

/** Prisma has codes of its own, and keeps that of the server. */
const unwrapped = (cause: unknown): unknown => {
  const { meta } = cause as {
    meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } };
  };
  const { originalCode: code, originalMessage } = meta?.driverAdapterError?.cause ?? {};
  return code === undefined ? cause : Object.assign(new Error(originalMessage, { cause }), { code });
};

const run = async (on: PrismaQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
  try {
    // What may hold several statements answers no rows, and Prisma expects those of one.
    if (values.length > 0 || !text.includes(';'))
      return (await on.$queryRawUnsafe(text, ...values)) as readonly SqlRow[];
    await on.$executeRawUnsafe(text);
    return [];
  } catch (cause) {
    throw unwrapped(cause);
  }
};

/**
 * Storage over Prisma 7 with `@prisma/adapter-pg`; a transaction is what an interactive `prisma.$transaction` hands over, also a
 * nested one.
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
  transaction: (work) => prisma.$transaction(work, { isolationLevel: 'ReadCommitted', ...patience }),
  ...listening(options),
});
