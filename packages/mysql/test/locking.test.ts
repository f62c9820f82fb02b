import { randomUUID } from 'node:crypto';
import type { PoolConnection } from 'mysql2/promise';
import { beforeEach, describe, expect, test } from 'vitest';
import { fromMysql2, mysqlStorage, type SqlDriver } from '../src/index.ts';
import { hasServer, useDatabase } from './support/database.ts';
import { addEndpoint, arrivals, openKit, payed } from './support/kit.ts';

describe.skipIf(!hasServer)('locks', () => {
  const database = useDatabase();
  beforeEach(() => database.get().reset());

  /** Runs work on a connection with a transaction of this isolation level. */
  const inTransaction = async <T>(isolation: string, work: (tx: PoolConnection) => Promise<T>): Promise<T> => {
    const connection = await database.get().pool.getConnection();
    try {
      await connection.query(`set transaction isolation level ${isolation}`);
      await connection.beginTransaction();
      const value = await work(connection);
      await connection.commit();
      return value;
    } catch (cause) {
      await connection.rollback();
      throw cause;
    } finally {
      connection.release();
    }
  };

  /** The statements of a driver, with those that a pattern fits failing once. */
  const failingOnce = (pattern: RegExp, errno: number) => {
    const driver = fromMysql2<PoolConnection>(database.get().pool);
    const sent: string[] = [];
    let hasFailed = false;
    const failing: SqlDriver<PoolConnection> = {
      ...driver,
      queryIn: async (tx, text) => {
        sent.push(text);
        if (!hasFailed && pattern.test(text)) {
          hasFailed = true;
          throw Object.assign(new Error('from the server'), { errno });
        }
        return driver.queryIn(tx, text);
      },
    };
    return { driver: failing, sent };
  };

  test.each(['repeatable read', 'read committed', 'serializable'])(
    'publishers in %s wait for no other one, with keys or without',
    async (isolation) => {
      const kit = openKit(mysqlStorage(database.get().pool), arrivals());
      await inTransaction(isolation, async (first) => {
        await kit.events.publish(payed('acc', 'p1'), { tx: first, idempotencyKey: 'b' });
        await inTransaction(isolation, async (second) => {
          await kit.events.publish(payed('acc', 'p2'), { tx: second, idempotencyKey: 'a' });
          await kit.events.publish(payed('acc', 'p3'), { tx: second, idempotencyKey: 'c' });
          await kit.events.publish(payed('acc', 'p4'), { tx: second });
        });
        await kit.events.publish(payed('acc', 'p5'), { tx: first, idempotencyKey: 'bb' });
      });
      const [rows] = await database.get().pool.query('select count(*) as count from partnerkit_outbox');
      expect(rows).toEqual([{ count: 5 }]);
    },
  );

  test('a publisher goes on while the worker dispatches, and the worker while a publisher is open', async () => {
    const sender = arrivals();
    const kit = openKit(mysqlStorage(database.get().pool), sender);
    await addEndpoint(kit, 'acc', 'hook');
    await kit.events.publish(payed('acc', 'before'), { tx: 'new' });
    await inTransaction('repeatable read', async (tx) => {
      await kit.events.publish(payed('acc', 'inside'), { tx, idempotencyKey: 'key' });
      await kit.worker().drain();
      expect([...sender.objects]).toEqual(['before']);
      await kit.events.publish(payed('acc', 'late'), { tx });
    });
    await kit.worker().drain();
    expect([...sender.objects].sort()).toEqual(['before', 'inside', 'late']);
  });

  test('simultaneous replays of one key are all told of its event, and end no transaction', async () => {
    const kit = openKit(mysqlStorage(database.get().pool), arrivals());
    const first = await kit.events.publish(payed('acc', 'p1'), { tx: 'new', idempotencyKey: 'key' });
    const again = await Promise.all(
      Array.from({ length: 8 }, () =>
        inTransaction('repeatable read', (tx) => kit.events.publish(payed('acc', 'p1'), { tx, idempotencyKey: 'key' })),
      ),
    );
    expect(again).toEqual(Array(8).fill({ eventId: first.eventId, replayed: true }));
  });

  test('a key that another transaction used since this one began to read is known', async () => {
    const kit = openKit(mysqlStorage(database.get().pool), arrivals());
    await inTransaction('repeatable read', async (tx) => {
      // Takes the snapshot.
      await tx.query('select count(*) from partnerkit_idempotency_keys');
      const other = await kit.events.publish(payed('acc', 'p1'), { tx: 'new', idempotencyKey: 'late' });
      const again = await kit.events.publish(payed('acc', 'p1'), { tx, idempotencyKey: 'late' });
      expect(again).toEqual({ ...other, replayed: true });
    });
  });

  test('a transaction of storage that the server ended rejects, although its work swallowed the error', async () => {
    const storage = mysqlStorage<PoolConnection>(database.get().pool);
    const work = storage.transaction(async (tx) => {
      // As a deadlock does.
      await tx.query('rollback');
    });
    await expect(work).rejects.toThrow(/the transaction ended before its work did/);
  });

  test('after a deadlock the plan runs again; a joined one fails, and names the remedy', async () => {
    const { driver, sent } = failingOnce(/insert into partnerkit_outbox/, 1213);
    const kit = openKit(mysqlStorage(driver), arrivals());
    await kit.events.publish(payed('acc', 'p1'), { tx: 'new' });
    expect(sent.filter((text) => text.includes('insert into partnerkit_outbox'))).toHaveLength(2);
    const joined = openKit(mysqlStorage(failingOnce(/insert into partnerkit_outbox/, 1213).driver), arrivals());
    const failure = await inTransaction('repeatable read', (tx) =>
      joined.events.publish(payed('acc', 'p2'), { tx }),
    ).catch((cause: Error) => cause);
    expect(String((failure as Error).cause)).toMatch(/deadlock.*begin it again/);
  });

  test('a transaction that the server ended is no transaction: nothing is stored by itself', async () => {
    const kit = openKit(mysqlStorage(database.get().pool), arrivals());
    const connection = await database.get().pool.getConnection();
    await connection.beginTransaction();
    // As a deadlock does.
    await connection.query('rollback');
    await expect(kit.events.publish(payed('acc', 'p1'), { tx: connection })).rejects.toMatchObject({
      code: 'no_transaction',
    });
    connection.release();
    const [rows] = await database.get().pool.query('select count(*) as count from partnerkit_outbox');
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('texts of any length arrive, or are refused before they are cut', async () => {
    const storage = mysqlStorage(database.get().pool);
    const sender = arrivals();
    const kit = openKit(storage, sender);
    await addEndpoint(kit, 'acc', 'hook');
    const large = 'é'.repeat(100_000);
    await kit.events.publish({ ...payed('acc', 'p1'), data: { id: 'p1', large } as never }, { tx: 'new' });
    await kit.worker().drain();
    expect(sender.posts).toHaveLength(1);
    const tooLong = storage.clients.revokeToken('x'.repeat(5_000), 1);
    await expect(tooLong).rejects.toThrow(/revoked_tokens\.jti: .* more than \d+ bytes/);
  });

  test('statements search in indexes, and sort nothing', async () => {
    const { pool } = database.get();
    const driver = fromMysql2<PoolConnection>(pool);
    const sent: string[] = [];
    const noted: SqlDriver<PoolConnection> = {
      ...driver,
      queryIn: (tx, text) => {
        sent.push(text);
        return driver.queryIn(tx, text);
      },
    };
    const kit = openKit(mysqlStorage(noted), arrivals());
    for (const nth of Array(20).keys()) {
      await addEndpoint(kit, `acc_${nth}`, 'hook');
      await kit.events.publishMany(
        Array.from({ length: 10 }, (_, at) => ({ ...payed(`acc_${nth}`, `p${at}`), idempotencyKey: randomUUID() })),
        { tx: 'new' },
      );
    }
    sent.length = 0;
    await kit.worker().drain();
    const scans: string[] = [];
    for (const text of new Set(sent.filter((each) => /^\(?(select|delete|update)/.test(each)))) {
      const [rows] = await pool.query(`explain ${text}`);
      // Tables with a row for each shard or worker are read whole.
      for (const { type, Extra, table } of rows as { type: string; Extra: string; table: string | null }[])
        if (
          (type === 'ALL' && table !== null && !table.startsWith('<')) ||
          (type === 'index' && !/shards|versions|workers/.test(table ?? '') && !text.includes(' limit ')) ||
          /filesort/.test(Extra ?? '')
        )
          scans.push(`${type} ${Extra}: ${text.slice(0, 300)}`);
    }
    expect(scans).toEqual([]);
  });
});
