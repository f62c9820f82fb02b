import { drizzle } from 'drizzle-orm/mysql2';
import { createPool } from 'mysql2/promise';
import { fromDrizzle } from '../../../src/drivers/drizzle.ts';
import type { OpenHost } from './host.ts';

const open = (uri: string, connectionLimit: number) => {
  const pool = createPool({ uri, connectionLimit });
  return { pool, db: drizzle({ client: pool }) };
};
type Db = ReturnType<typeof open>['db'];
type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

export const drizzleHost: OpenHost<Transaction> = (uri, connectionLimit = 10) => {
  const { pool, db } = open(uri, connectionLimit);
  return {
    driver: fromDrizzle<Transaction>(db),
    transaction: (work) => db.transaction((tx) => work({ tx, run: async (statement) => tx.execute(statement) })),
    end: () => pool.end(),
  };
};
