import type { Storage } from '@partnerkit/core';
import { type ControlledTransaction, Kysely, PostgresDialect, type Transaction, sql as text } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { type PgClient, postgresStorage } from '../../src/index.ts';

/** A transaction that the host began. */
interface HostTransaction<Tx extends object> {
  readonly tx: Tx;
  /** A statement of the host's own. */
  run(statement: string): Promise<unknown>;
  /** Rolls back to where it began when `work` rejects, and rejects with the same. */
  savepoint(work: (inner: HostTransaction<Tx>) => Promise<void>): Promise<void>;
}

const openPool = (url: string): pg.Pool => new pg.Pool({ connectionString: url }).on('error', () => {});

/** An application as hosts write them. */
export interface Host<Tx extends object> {
  readonly storage: Storage<Tx>;
  /** Commits when `work` resolves; rolls back when it rejects, and rejects with the same. */
  transaction<T>(work: (own: HostTransaction<Tx>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export const pgHost = (url: string): Host<PgClient> => {
  const pool = openPool(url);
  const own = (client: pg.PoolClient): HostTransaction<PgClient> => ({
    tx: client,
    run: (statement) => client.query(statement),
    savepoint: async (work) => {
      await client.query('savepoint host');
      try {
        await work(own(client));
        await client.query('release savepoint host');
      } catch (cause) {
        await client.query('rollback to savepoint host');
        throw cause;
      }
    },
  });
  return {
    storage: postgresStorage(pool),
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const value = await work(own(client));
        await client.query('commit');
        return value;
      } catch (cause) {
        await client.query('rollback');
        throw cause;
      } finally {
        client.release();
      }
    },
    end: () => pool.end(),
  };
};

export const postgresJsHost = (url: string): Host<postgres.TransactionSql> => {
  const sql = postgres(url, { onnotice: () => {} });
  const own = (tx: postgres.TransactionSql): HostTransaction<postgres.TransactionSql> => ({
    tx,
    run: (statement) => tx.unsafe(statement),
    savepoint: (work) => tx.savepoint((inner) => work(own(inner))),
  });
  return {
    storage: postgresStorage(fromPostgresJs(sql)),
    transaction: async <T>(work: (transaction: HostTransaction<postgres.TransactionSql>) => Promise<T>) =>
      (await sql.begin((tx) => work(own(tx)))) as T,
    end: () => sql.end(),
  };
};

export const kyselyHost = (url: string): Host<Transaction<unknown>> => {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPool(url) }) });
  const own = (tx: ControlledTransaction<unknown, string[]>): HostTransaction<Transaction<unknown>> => ({
    tx,
    run: (statement) => text.raw(statement).execute(tx),
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
    storage: postgresStorage(fromKysely(db)),
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
