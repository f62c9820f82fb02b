import { DatabaseSync } from 'node:sqlite';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { sqliteStorage } from '@partnerkit/sqlite';
import { startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';

/** One entry of the ledger of the platform: what its payment processor did. */
export interface LedgerLine {
  readonly transactionId: string;
  readonly kind: string;
  readonly cents: number;
}

/** The database of the platform: its payments and ledger, and the data of partnerkit. */
export interface Database<Tx extends object> {
  readonly name: string;
  readonly storage: Storage<Tx>;
  markPaid(tx: Tx, paymentId: string): Promise<void>;
  isPaid(paymentId: string): Promise<boolean>;
  book(tx: Tx, line: LedgerLine): Promise<void>;
  ledger(): Promise<readonly LedgerLine[]>;
  close(): Promise<void>;
}

/** Loses its data when the process ends. */
export const memoryDatabase = (): Database<object> => {
  const paid = new Set<string>();
  const lines: LedgerLine[] = [];
  return {
    name: 'memory',
    storage: memoryStorage() as Storage<object>,
    markPaid: async (_tx, paymentId) => {
      paid.add(paymentId);
    },
    isPaid: async (paymentId) => paid.has(paymentId),
    book: async (_tx, line) => {
      lines.push(line);
    },
    ledger: async () => lines,
    close: async () => {},
  };
};

/** Keeps its data in one file, beside the tables of the platform. */
export const sqliteDatabase = (file: string): Database<DatabaseSync> => {
  const storage = sqliteStorage(file);
  const reader = new DatabaseSync(file, { timeout: 5_000 });
  reader.exec(`
    create table if not exists payments (id text primary key, paid_at integer not null) strict;
    create table if not exists bookings (
      transaction_id text primary key, kind text not null, cents integer not null
    ) strict`);
  return {
    name: `SQLite ${process.versions['sqlite']}`,
    storage,
    markPaid: async (tx, paymentId) => {
      tx.prepare('insert into payments (id, paid_at) values (?, unixepoch())').run(paymentId);
    },
    isPaid: async (paymentId) => reader.prepare('select 1 from payments where id = ?').get(paymentId) !== undefined,
    book: async (tx, { transactionId, kind, cents }) => {
      tx.prepare('insert into bookings (transaction_id, kind, cents) values (?, ?, ?)').run(transactionId, kind, cents);
    },
    ledger: async () =>
      reader
        .prepare('select transaction_id as "transactionId", kind, cents from bookings')
        .all() as unknown as readonly LedgerLine[],
    close: async () => {
      reader.close();
      storage.close();
    },
  };
};

/** Starts a PostgreSQL server for this process, with a table of the platform. */
export const postgresDatabase = async (): Promise<Database<pg.ClientBase>> => {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  await migrate(pool);
  await pool.query(`
    create table payments (id text primary key, paid_at timestamptz not null);
    create table bookings (transaction_id text primary key, kind text not null, cents integer not null)`);
  return {
    name: `PostgreSQL ${server.version}`,
    storage: postgresStorage(pool),
    markPaid: async (tx, paymentId) => {
      await tx.query('insert into payments (id, paid_at) values ($1, now())', [paymentId]);
    },
    isPaid: async (paymentId) => (await pool.query('select from payments where id = $1', [paymentId])).rows.length > 0,
    book: async (tx, { transactionId, kind, cents }) => {
      await tx.query('insert into bookings values ($1, $2, $3)', [transactionId, kind, cents]);
    },
    ledger: async () =>
      (await pool.query<LedgerLine>('select transaction_id as "transactionId", kind, cents from bookings')).rows,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
};
