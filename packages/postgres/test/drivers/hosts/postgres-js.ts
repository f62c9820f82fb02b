import postgres from 'postgres';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import type { HostTransaction, OpenHost } from './host.ts';

export const postgresJsHost: OpenHost<postgres.TransactionSql> = (url, maxConnections = 10) => {
  const sql = postgres(url, { onnotice: () => {}, max: maxConnections });
  const own = (tx: postgres.TransactionSql): HostTransaction<postgres.TransactionSql> => ({
    tx,
    run: (statement) => tx.unsafe(statement),
    savepoint: (work) => tx.savepoint((inner) => work(own(inner))),
  });
  return {
    driver: fromPostgresJs(sql),
    run: (tx, statement) => own(tx).run(statement),
    transaction: async <T>(work: (transaction: HostTransaction<postgres.TransactionSql>) => Promise<T>) =>
      (await sql.begin((tx) => work(own(tx)))) as T,
    end: () => sql.end(),
  };
};
