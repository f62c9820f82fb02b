import pg from 'pg';
import type { SqlDriver } from '../../../src/index.ts';

/** A transaction that the host began. */
export interface HostTransaction<Tx extends object> {
  readonly tx: Tx;
  /** A statement of the host's own. */
  run(statement: string): Promise<unknown>;
  /** Rolls back to where it began when `work` rejects, and rejects with the same. */
  savepoint(work: (inner: HostTransaction<Tx>) => Promise<void>): Promise<void>;
}

/** An application as hosts write them. */
export interface Host<Tx extends object> {
  readonly driver: SqlDriver<Tx>;
  /** A statement of the host's own, in a transaction that the driver began. */
  run(tx: Tx, statement: string): Promise<unknown>;
  /** Commits when `work` resolves; rolls back when it rejects, and rejects with the same. */
  transaction<T>(work: (own: HostTransaction<Tx>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Opens one. @param maxConnections - of its pool. */
export type OpenHost<Tx extends object> = (url: string, maxConnections?: number) => Host<Tx> | Promise<Host<Tx>>;

/** A pool as hosts open it: who hears no error of a connection is ended by the first one. */
export const openPool = (url: string, maxConnections = 10): pg.Pool =>
  new pg.Pool({ connectionString: url, max: maxConnections })
    .on('error', () => {})
    .on('connect', (client) => client.on('error', () => {}));
