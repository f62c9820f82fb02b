import { type ExtractTablesWithRelations, sql } from 'drizzle-orm';
import { drizzle as overPg } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { fromDrizzle } from '../../../src/drivers/drizzle.ts';
import { type Host, type HostTransaction, openPool } from './host.ts';

type Schema = Record<string, never>;

const hostOf = <Result extends PgQueryResultHKT>(
  db: PgDatabase<Result, Schema>,
  end: () => Promise<void>,
): Host<PgTransaction<Result, Schema, ExtractTablesWithRelations<Schema>>> => {
  type Transaction = PgTransaction<Result, Schema, ExtractTablesWithRelations<Schema>>;
  const own = (tx: Transaction): HostTransaction<Transaction> => ({
    tx,
    run: (statement) => tx.execute(sql.raw(statement)),
    savepoint: (work) => tx.transaction((inner) => work(own(inner))),
  });
  return {
    driver: fromDrizzle(db),
    run: (tx, statement) => own(tx).run(statement),
    transaction: (work) => db.transaction((tx) => work(own(tx))),
    end,
  };
};

export const drizzlePgHost = (url: string, maxConnections?: number) => {
  const pool = openPool(url, maxConnections);
  return hostOf(overPg(pool), () => pool.end());
};

export const drizzlePostgresJsHost = (url: string, maxConnections = 10) => {
  const client = postgres(url, { onnotice: () => {}, max: maxConnections });
  return hostOf(overPostgresJs(client), () => client.end());
};
