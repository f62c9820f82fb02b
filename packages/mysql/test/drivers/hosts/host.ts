import type { SqlDriver } from '../../../src/index.ts';

/** A transaction that the host began. */
interface HostTransaction<Tx extends object> {
  readonly tx: Tx;
  /** A statement of the host's own. */
  run(statement: string): Promise<unknown>;
}

/** An application as hosts write them. */
export interface Host<Tx extends object> {
  readonly driver: SqlDriver<Tx>;
  /** Commits when `work` resolves; rolls back when it rejects, and rejects with the same. */
  transaction<T>(work: (own: HostTransaction<Tx>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Opens one. @param maxConnections - of its pool. */
export type OpenHost<Tx extends object> = (url: string, maxConnections?: number) => Host<Tx> | Promise<Host<Tx>>;
