import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { statementNames } from './statement-names.ts';
import { swallowedError } from './swallowed-error.ts';
import { untilAborted } from './until-aborted.ts';

/** Runs statements of `pg`: a client or a pool. @public */
export interface PgQueryable {
  /** Runs a statement. */
  query(statement: {
    /** Name of a prepared statement. Absent: not prepared. */
    readonly name?: string;
    /** Text with `$1`, `$2`, …. */
    readonly text: string;
    readonly values: SqlValue[];
  }): Promise<{
    /** The rows, by column name. */
    readonly rows: SqlRow[];
    /** The command tag, such as `COMMIT`. */
    readonly command?: string;
  }>;
}

/**
 * The parts of a `pg` client that storage calls: a client on which the host called `BEGIN`.
 * @public
 */
export interface PgClient extends PgQueryable {
  /** Excludes pools: each statement of a pool may run on another connection, outside your transaction. */
  readonly totalCount?: never;
  /** Status of the transaction (`pg` 8.21 and later): `I` means none. */
  getTransactionStatus?(): string | null;
}

/** A client of a pool. @public */
export interface PgPoolClient extends PgClient {
  /** Returns the client to its pool; `broken` destroys it. */
  release(broken?: Error | boolean): void;
  /** Listens to notifications (`NOTIFY`). */
  on(
    event: 'notification',
    listener: (message: {
      readonly channel: string;
      /** The payload; empty when none was given. */
      readonly payload?: string | undefined;
    }) => void,
  ): unknown;
  /** Listens to errors of the connection. */
  on(event: 'error', listener: (cause: Error) => void): unknown;
  /** Removes a listener of notifications. */
  removeListener(
    event: 'notification',
    listener: (message: {
      readonly channel: string;
      /** The payload; empty when none was given. */
      readonly payload?: string | undefined;
    }) => void,
  ): unknown;
  /** Removes a listener of errors. */
  removeListener(event: 'error', listener: (cause: Error) => void): unknown;
}

/**
 * The parts of a `pg` pool that storage calls. The host owns it: size, TLS, end.
 * @public
 */
export interface PgPool<Client extends PgClient = PgClient> extends PgQueryable {
  /** Takes a client. */
  connect(onConnect: (cause: Error | undefined, client: PgPoolClient | undefined) => void): void;
  /** The pool's options. */
  readonly options?: {
    /** Maximum number of clients. */
    readonly max?: number | undefined;
    /** The class of its clients. */
    readonly Client?:
      | {
          /** Makes a client. */
          new (): Client;
        }
      | undefined;
    /** Maximum duration of a statement, in milliseconds. */
    readonly query_timeout?: number | undefined;
    /** Maximum wait for a connection, in milliseconds. */
    readonly connectionTimeoutMillis?: number | undefined;
  };
}

/** Options of {@link fromPg}. @public */
export interface PgOptions {
  /**
   * Names statements, so that the server plans each once per connection. `false` behind a pooler without support for
   * prepared statements.
   * @defaultValue true
   */
  readonly prepare?: boolean;
  /**
   * Holds one connection of the pool while a worker is idle, to wake it.
   * @defaultValue true, unless the pool has only one
   */
  readonly listen?: boolean;
}

const ignore = (): void => {};

/**
 * Takes a client with an error listener. With the promise of `pool.connect()`, there is a moment without a listener: a
 * server that shuts down sends its error in one packet with the greeting, which would end the process.
 */
const take = (pool: PgPool): Promise<PgPoolClient> =>
  new Promise((resolve, reject) => {
    pool.connect((cause, client) => {
      if (!client) return reject(cause);
      client.on('error', ignore);
      resolve(client);
    });
  });

const releaseClient = (client: PgPoolClient, broken: Error | undefined): void => {
  client.removeListener('error', ignore);
  client.release(broken);
};

/** A primary that became a standby keeps its connections where a proxy does not end them. */
const isReadOnly = (cause: unknown): boolean => (cause as { readonly code?: unknown } | undefined)?.code === '25006';

/** Outside a transaction, a statement would commit the event by itself, whatever happens to the host's change. */
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
 * Storage over a pool of `pg`. A transaction is a client on which you called `BEGIN`. `postgresStorage(pool)` is short
 * for it.
 * @example
 * const storage = postgresStorage(fromPg(pool, { prepare: false }));
 * @public
 */
export const fromPg = <Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  { prepare = true, listen = pool.options?.max !== 1 }: PgOptions = {},
): SqlDriver<Client> => {
  const nameOf = statementNames();
  const run = async (client: PgQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    // A named statement must be single; a text without values may contain several.
    (await client.query({ ...(prepare && values.length > 0 ? { name: nameOf(text) } : {}), text, values: [...values] }))
      .rows;

  const transaction: SqlDriver<Client>['transaction'] = async (work, { signal } = {}) => {
    const client = await take(pool);
    let broken: Error | undefined;
    // Between two statements there is no other error listener.
    const onError = (cause: Error): void => {
      broken = cause;
    };
    client.on('error', onError);
    const execute = (text: string) => client.query({ text, values: [] });
    try {
      await execute('begin isolation level read committed');
      const value = await untilAborted(work(client as PgClient as Client), signal);
      const { command } = await execute('commit');
      if (command === 'ROLLBACK') throw swallowedError();
      return value;
    } catch (cause) {
      // `work` may still send statements: the client is destroyed.
      if (signal?.aborted) broken = signal.reason;
      else if (isReadOnly(cause)) broken = cause as Error;
      else
        await execute('rollback').catch((failed: Error) => {
          broken = failed;
        });
      throw cause;
    } finally {
      client.removeListener('error', onError);
      releaseClient(client, broken);
    }
  };

  return {
    query: (text, values) => run(pool, text, values),
    queryIn: async (tx, text, values) => {
      assertOpen(tx);
      return run(tx, text, values);
    },
    transaction,
    maxTransactions: pool.options?.max,
    warnings: missingTimeouts(pool),
    ...(listen ? { listen: listenOn(pool) } : {}),
  };
};

/** Without them, a server that dies silently keeps its connections open, and those of the pool run out. */
const missingTimeouts = ({ options }: PgPool): readonly string[] => {
  if (!options) return [];
  const missing = (['query_timeout', 'connectionTimeoutMillis'] as const).filter((name) => !options[name]);
  if (missing.length === 0) return [];
  return [
    `the pool has no ${missing.join(' and no ')}: a statement on a connection that stays open and silent never ends, and holds its client; set query_timeout, connectionTimeoutMillis and keepAlive.`,
  ];
};

/** Who listens on a channel. */
interface Listener {
  readonly channel: string;
  readonly onNotify: (payload: string) => void;
  readonly onLost: () => void;
}

/** A connection on which any number of listeners listen; it is released after the last one. */
const openListening = async (pool: PgPool, onEnd: () => void) => {
  const client = await take(pool);
  const listeners = new Set<Listener>();
  let isOpen = true;
  const onNotification = (message: { readonly channel: string; readonly payload?: string | undefined }): void => {
    for (const { channel, onNotify } of listeners) if (channel === message.channel) onNotify(message.payload ?? '');
  };
  const end = (broken?: Error): void => {
    if (!isOpen) return;
    isOpen = false;
    onEnd();
    client.removeListener('notification', onNotification);
    client.removeListener('error', fail);
    releaseClient(client, broken);
  };
  const fail = (cause: Error): void => {
    end(cause);
    for (const { onLost } of listeners) onLost();
    listeners.clear();
  };
  const execute = (text: string): Promise<unknown> => client.query({ text, values: [] });
  client.on('notification', onNotification);
  client.on('error', fail);
  return {
    isOpen: () => isOpen,
    listen: async (listener: Listener): Promise<() => Promise<void>> => {
      listeners.add(listener);
      try {
        await execute(`listen "${listener.channel}"`);
      } catch (cause) {
        listeners.delete(listener);
        fail(cause as Error);
        throw cause;
      }
      return async () => {
        if (!listeners.delete(listener)) return;
        try {
          if (![...listeners].some(({ channel }) => channel === listener.channel))
            await execute(`unlisten "${listener.channel}"`);
          if (listeners.size === 0) end();
        } catch (cause) {
          fail(cause as Error);
        }
      };
    },
  };
};

/** Listens by one connection, whatever the number of channels: storages over many schemas share a driver. */
const listenOn = (pool: PgPool): NonNullable<SqlDriver<PgClient>['listen']> => {
  let current: ReturnType<typeof openListening> | undefined;
  const forget = (): void => {
    current = undefined;
  };
  return async (channel, onNotify, onLost) => {
    for (;;) {
      const opening = current ?? openListening(pool, forget);
      current = opening;
      const opened = await opening.catch((cause) => {
        if (current === opening) forget();
        throw cause;
      });
      if (opened.isOpen()) return opened.listen({ channel, onNotify, onLost });
    }
  };
};
