import { Kysely, MysqlDialect, sql, type Transaction } from 'kysely';
import { createPool } from 'mysql2';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import type { OpenHost } from './host.ts';

export const kyselyHost: OpenHost<Transaction<unknown>> = (uri, connectionLimit = 10) => {
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: createPool({ uri, connectionLimit }) }) });
  return {
    driver: fromKysely(db),
    transaction: (work) =>
      db.transaction().execute((tx) => work({ tx, run: (statement) => sql.raw(statement).execute(tx) })),
    end: () => db.destroy(),
  };
};
