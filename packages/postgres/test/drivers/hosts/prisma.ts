import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { inject } from 'vitest';
import { fromPrisma, type PrismaDatabase, type PrismaTransaction } from '../../../src/drivers/prisma.ts';
import { type HostTransaction, type OpenHost, openPool } from './host.ts';

/** What suites use of the client that was generated: the types that hosts get are compiled elsewhere. */
interface OwnTransaction extends PrismaTransaction {
  $transaction<T>(work: (inner: OwnTransaction) => Promise<T>): Promise<T>;
}
export interface OwnClient extends PrismaDatabase<OwnTransaction> {
  $transaction<T>(work: (tx: OwnTransaction) => Promise<T>, options?: { timeout?: number }): Promise<T>;
  $on(event: 'query', log: (entry: unknown) => void): unknown;
  $disconnect(): Promise<void>;
}

export const openPrisma = async (options: {
  readonly adapter: PrismaPg;
  readonly log?: readonly object[];
}): Promise<OwnClient> => {
  const generated: { readonly PrismaClient: new (given: object) => OwnClient } = await import(
    pathToFileURL(inject('prisma')).href
  );
  return new generated.PrismaClient(options);
};

export const prismaHost: OpenHost<OwnTransaction> = async (url, maxConnections) => {
  const pool = openPool(url, maxConnections);
  const prisma = await openPrisma({ adapter: new PrismaPg(pool) });
  const own = (tx: OwnTransaction): HostTransaction<OwnTransaction> => ({
    tx,
    run: async (statement) => tx.$executeRawUnsafe(statement),
    savepoint: (work) => tx.$transaction((inner) => work(own(inner))),
  });
  return {
    driver: fromPrisma(prisma),
    run: (tx, statement) => own(tx).run(statement),
    transaction: (work) => prisma.$transaction((tx) => work(own(tx))),
    end: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
};
