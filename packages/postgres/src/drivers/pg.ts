import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { statementNames } from './statement-names.ts';

/** What answers a statement of `pg`: a client or a pool. @public */
export interface PgQueryable {
  query(statement: {
    readonly name?: string;
    readonly text: string;
    readonly values: SqlValue[];
  }): Promise<{ readonly rows: SqlRow[] }>;
}

/**
 * What is needed of a client of `pg`: one on which the host called `BEGIN`.
 * @public
 */
export interface PgClient extends PgQueryable {
  /** A pool is no client: each of its statements may run on another connection, outside your transaction. */
  readonly totalCount?: never;
  /** Asked where there is one (from `pg` 8.21 on): `I` is outside of a transaction. */
  getTransactionStatus?(): string | null;
}

/** A client that was taken out of a pool. @public */
export interface PgPoolClient extends PgClient {
  release(broken?: Error | boolean): void;
  on(
    event: 'notification',
    listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void,
  ): unknown;
  on(event: 'error', listener: (cause: Error) => void): unknown;
  removeListener(
    event: 'notification',
    listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void,
  ): unknown;
  removeListener(event: 'error', listener: (cause: Error) => void): unknown;
}

/**
 * What is needed of a pool of `pg`. It stays the host's: its size, its TLS, its end.
 * @public
 */
export interface PgPool extends PgQueryable {
  connect(onConnect: (cause: Error | undefined, client: PgPoolClient | undefined) => void): void;
  readonly options?: { readonly max?: number | undefined };
}

/** How {@link fromPg} uses a pool. @public */
export interface PgOptions {
  /** Name statements, so that the server plans each once a connection. `false` behind a pooler that cannot. @defaultValue true */
  readonly prepare?: boolean;
  /** Hold one connection of the pool while a worker sleeps, to be woken. @defaultValue true, unless the pool has only one */
  readonly listen?: boolean;
}

const ignore = (): void => {};

/**
 * Takes a client that an error cannot end the process from. Beside the promise that `pool.connect()` returns there is a moment in which
 * nobody listens: a server that shuts down sends its error in one packet with the greeting.
 */
const take = (pool: PgPool): Promise<PgPoolClient> =>
  new Promise((resolve, reject) => {
    pool.connect((cause, client) => {
      if (!client) return reject(cause);
      client.on('error', ignore);
      resolve(client);
    });
  });

const giveBack = (client: PgPoolClient, broken: Error | undefined): void => {
  client.removeListener('error', ignore);
  client.release(broken);
};

/** What is not in a transaction would commit an event by itself, whatever becomes of the host's change. */
const assertOpen = (tx: PgClient): void => {
  if ('totalCount' in tx)
    throw noTransaction(
      'a pool is no open transaction, since each statement may run on another connection: hand over the client of pool.connect() on which you awaited begin',
    );
  if (tx.getTransactionStatus?.() === 'I')
    throw noTransaction('no open transaction is on this client: await its begin before you publish');
  if (!('query' in tx)) throw noTransaction();
};

/**
 * Storage over a pool of `pg`; a transaction is a client on which you called `BEGIN`. `postgresStorage(pool)` is short for it.
 * @example
 * const storage = postgresStorage(fromPg(pool, { prepare: false }));
 * @public
 */
export const fromPg = (
  pool: PgPool,
  { prepare = true, listen = pool.options?.max !== 1 }: PgOptions = {},
): SqlDriver<PgClient> => {
  const nameOf = statementNames();
  const run = async (client: PgQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    // A name makes it a single statement: what binds nothing may hold several.
    (await client.query({ ...(prepare && values.length > 0 ? { name: nameOf(text) } : {}), text, values: [...values] }))
      .rows;

  const transaction: SqlDriver<PgClient>['transaction'] = async (work) => {
    const client = await take(pool);
    let broken: Error | undefined;
    // Between two statements of ours nobody else listens.
    const onError = (cause: Error): void => {
      broken = cause;
    };
    client.on('error', onError);
    const tell = (text: string): Promise<unknown> => client.query({ text, values: [] });
    try {
      await tell('begin isolation level read committed');
      const value = await work(client);
      await tell('commit');
      return value;
    } catch (cause) {
      await tell('rollback').catch((failed: Error) => {
        broken = failed;
      });
      throw cause;
    } finally {
      client.removeListener('error', onError);
      giveBack(client, broken);
    }
  };

  return {
    query: (text, values) => run(pool, text, values),
    queryIn: async (tx, text, values) => {
      assertOpen(tx);
      return run(tx, text, values);
    },
    transaction,
    ...(listen ? { listen: listenOn(pool) } : {}),
  };
};

const listenOn =
  (pool: PgPool): NonNullable<SqlDriver<PgClient>['listen']> =>
  async (channel, onNotify, onLost) => {
    const client = await take(pool);
    let ended = false;
    const onNotification = (message: { readonly channel: string; readonly payload?: string | undefined }): void => {
      if (message.channel === channel) onNotify(message.payload ?? '');
    };
    const end = (broken?: Error): void => {
      if (ended) return;
      ended = true;
      client.removeListener('notification', onNotification);
      client.removeListener('error', onError);
      giveBack(client, broken);
    };
    const onError = (cause: Error): void => {
      end(cause);
      onLost();
    };
    client.on('notification', onNotification);
    client.on('error', onError);
    const tell = (text: string): Promise<unknown> => client.query({ text, values: [] });
    try {
      await tell(`listen "${channel}"`);
    } catch (cause) {
      end(cause as Error);
      throw cause;
    }
    return async () => {
      if (ended) return;
      await tell(`unlisten "${channel}"`).then(
        () => end(),
        (cause: Error) => end(cause),
      );
    };
  };
