import { type Plan, type RowTx, rowTables, shardOf, type Table } from '@partnerkit/core/adapter';
import type { Connection } from 'mysql2/promise';
import { createPool } from 'mysql2/promise';
import { describe, expect, test } from 'vitest';
import { fromMysql2 } from '../src/index.ts';
import { mysqlStore, storageOver } from '../src/storage.ts';
import { hasServer, useDatabase } from './support/database.ts';

const size = { endpoints: 1_000, failing: 100, waiting: 20_000, finished: 10_000, workers: 8 };
const batch = 1_000;

const accountOf = (nth: number): string => `acc_${nth % 100}`;
const idOf = (nth: number): string => `00000000-0000-7000-8000-${nth.toString(16).padStart(12, '0')}`;

const tableOf = (name: string): Table => {
  const found = rowTables.find((table) => table.name === name);
  if (!found) throw new TypeError(`There is no table ${name}.`);
  return found;
};

/** Inserts `count` rows in batches, each in a transaction of its own. */
const insert = async (
  store: { run<T>(mode: 'write', plan: (rows: RowTx) => Plan<T>): Promise<T> },
  name: string,
  count: number,
  row: (nth: number) => object,
): Promise<void> => {
  for (let from = 0; from < count; from += batch)
    await store.run('write', function* (rows) {
      const some = Array.from({ length: Math.min(batch, count - from) }, (_, at) => row(from + at));
      yield* rows.insert(tableOf(name) as never, some as never, 'fail');
    });
};

describe.skipIf(!hasServer)('health', () => {
  const database = useDatabase();

  test('takes a bounded number of statements, and reads no row of what is finished', async () => {
    await database.get().reset();
    const pool = createPool({ uri: database.get().url, connectionLimit: 1 });
    const sent: string[] = [];
    const noted = (on: Pick<Connection, 'query'>) => (statement: { readonly sql: string }) => {
      sent.push(statement.sql);
      return on.query(statement);
    };
    const counted = {
      query: noted(pool),
      getConnection: async () => {
        const connection = await pool.getConnection();
        return {
          query: noted(connection),
          release: () => connection.release(),
          destroy: () => connection.destroy(),
        };
      },
    };
    const store = mysqlStore(fromMysql2(counted as never), { pollMs: 25 } as never);
    const { log, handlers } = storageOver(store);
    const now = Date.now();
    await insert(store, 'endpoints', size.endpoints, (nth) => ({
      ...{ accountId: accountOf(nth), id: idOf(nth), since: now },
      endpoint: { id: idOf(nth), accountId: accountOf(nth), state: 'enabled' },
    }));
    await insert(store, 'health', size.failing, (nth) => ({
      ...{ accountId: accountOf(nth), endpointId: idOf(nth), failures: 9, failingSince: now - nth * 60_000 },
      ...{ isExhausted: true, openCount: 3, openUntil: now, retryAfterUntil: now },
    }));
    await insert(store, 'pending', size.waiting, (nth) => ({
      ...{
        accountId: accountOf(nth % size.failing),
        eventId: idOf(1_000_000 + nth),
        endpointId: idOf(nth % size.failing),
      },
      ...{ replay: 0, shard: shardOf(accountOf(nth % size.failing)), state: 'scheduled', dueAt: now - 3_600_000 },
      ...{ attempts: 3, logged: 3, isAbandoned: false, isUrgent: false, since: now },
    }));
    // Their accounts have dispatched events, or nothing would wait.
    await insert(store, 'dispatches', size.failing, (nth) => ({
      ...{ accountId: accountOf(nth), id: idOf(1_000_000 + nth), shard: shardOf(accountOf(nth)) },
      ...{ objectHash: `waiting ${nth}`, dispatchedAt: now - 3_600_000, timestamp: nth, endpointVersion: 0 },
      endpointIds: [],
    }));
    await insert(store, 'workers', size.workers, (nth) => ({ id: `w${nth}`, expiresAt: now * 2, isStopping: false }));
    await store.run('write', function* (rows) {
      const all = yield* rows.scan(tableOf('shards'), 'all', [{ prefix: [] as never }]);
      const owned = all.map((row) => ({
        ...row,
        owner: `w${Number(row['shard']) % size.workers}`,
        isRecovered: true,
        watermark: now,
      }));
      yield* rows.put(tableOf('shards'), owned);
    });

    const health = async () => ({
      backlog: await log.countBacklog(),
      snapshot: await log.readHealthSnapshot(),
      handlers: await handlers.listHandlers(),
    });
    /** Rows that the storage engine was asked for, by the one connection. */
    const readsOf = async () => {
      const handlerReads = async (): Promise<number> => {
        const [found] = await pool.query("show session status like 'Handler_read%'");
        return (found as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      await pool.query('analyze table partnerkit_pending, partnerkit_attempts, partnerkit_dispatches');
      const before = await handlerReads();
      sent.length = 0;
      const found = await health();
      return { ...found, statements: sent.length, read: (await handlerReads()) - before };
    };
    const first = await readsOf();
    expect(first.read).toBeLessThan(50_000);
    expect(first.backlog).toMatchObject({ waiting: 10_000, held: 0 });
    expect(first.snapshot).toMatchObject({ failingEndpoints: size.failing, freeShards: 0 });
    expect(first.snapshot.endpoints[0]).toMatchObject({ failures: 9, unfinished: size.waiting / size.failing });

    const event = (nth: number) => ({ accountId: accountOf(nth), shard: shardOf(accountOf(nth)) });
    await insert(store, 'dispatches', size.finished, (nth) => ({
      ...event(nth),
      ...{ id: idOf(2_000_000 + nth), objectHash: String(nth), dispatchedAt: now - 86_400_000, timestamp: nth },
      ...{ endpointVersion: 0, endpointIds: [idOf(nth % 1_000)] },
    }));
    await insert(store, 'attempts', size.finished, (nth) => ({
      ...{
        accountId: accountOf(nth),
        eventId: idOf(2_000_000 + nth),
        endpointId: idOf(nth % 1_000),
        replay: 0,
        number: 1,
      },
      ...{ at: now - 86_400_000, outcome: { kind: 'answered', status: 200, durationMs: 1 }, state: 'delivered' },
    }));
    const second = await readsOf();
    // None of them is of a transaction.
    expect(second.statements).toBeLessThanOrEqual(5);
    expect(second.read).toBeLessThanOrEqual(first.read + 200);
    await pool.end();
  });
});
