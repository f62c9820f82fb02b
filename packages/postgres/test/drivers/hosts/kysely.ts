import { type ControlledTransaction, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { type HostTransaction, type OpenHost, openPool } from './host.ts';

export const kyselyHost: OpenHost<Transaction<unknown>> = (url, maxConnections) => {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPool(url, maxConnections) }) });
  const own = (tx: ControlledTransaction<unknown, string[]>): HostTransaction<Transaction<unknown>> => ({
    tx,
    run: (statement) => sql.raw(statement).execute(tx),
    savepoint: async (work) => {
      const inner = await tx.savepoint('host').execute();
      try {
        await work(own(inner));
        await inner.releaseSavepoint('host').execute();
      } catch (cause) {
        await inner.rollbackToSavepoint('host').execute();
        throw cause;
      }
    },
  });
  return {
    driver: fromKysely(db),
    run: (tx, statement) => sql.raw(statement).execute(tx),
    transaction: async (work) => {
      const tx = await db.startTransaction().execute();
      try {
        const value = await work(own(tx));
        await tx.commit().execute();
        return value;
      } catch (cause) {
        await tx.rollback().execute();
        throw cause;
      }
    },
    end: () => db.destroy(),
  };
};
