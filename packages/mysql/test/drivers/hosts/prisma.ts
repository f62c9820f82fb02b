import { pathToFileURL } from 'node:url';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { inject } from 'vitest';
import { fromPrisma, type PrismaDatabase, type PrismaTransaction } from '../../../src/drivers/prisma.ts';
import { isMariadb } from '../../support/database.ts';
import type { Host, OpenHost } from './host.ts';

/** What suites use of the client that was generated. */
interface OwnClient extends PrismaDatabase<PrismaTransaction> {
  $transaction<T>(work: (tx: PrismaTransaction) => Promise<T>, options?: object): Promise<T>;
  $disconnect(): Promise<void>;
}

/** A client of Prisma. On MySQL, it needs the text protocol. */
const openPrisma = async (
  url: string,
  connectionLimit: number,
  useTextProtocol: boolean,
): Promise<Host<PrismaTransaction>> => {
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  const generated: { readonly PrismaClient: new (given: object) => OwnClient } = await import(
    pathToFileURL(inject('mysqlPrisma') ?? '').href
  );
  const adapter = new PrismaMariaDb(
    { host, port: Number(port), user, password, connectionLimit, database: pathname.slice(1) },
    { useTextProtocol },
  );
  const prisma = new generated.PrismaClient({ adapter });
  return {
    driver: fromPrisma(prisma),
    transaction: (work) =>
      prisma.$transaction((tx) => work({ tx, run: async (statement) => tx.$executeRawUnsafe(statement) }), {
        timeout: 600_000,
      }),
    end: () => prisma.$disconnect(),
  };
};

/** As the documentation asks: MariaDB prepares savepoints, MySQL does not. */
export const prismaHost: OpenHost<PrismaTransaction> = async (url, connectionLimit = 10) =>
  openPrisma(url, connectionLimit, !(await isMariadb(url)));

/** With prepared statements, whatever the server. */
export const preparedPrismaHost: OpenHost<PrismaTransaction> = (url) => openPrisma(url, 10, false);
