import type { Storage } from '@partnerkit/core/adapter';
import type { Pool, PoolConnection } from 'mysql2/promise';
import { beforeEach, describe, expect, test } from 'vitest';
import { type MysqlPool, mysqlStorage, type PlainStatement } from '../src/index.ts';
import { hasServer, useDatabase } from './support/database.ts';
import { addEndpoint, arrivals, openKit, payed } from './support/kit.ts';

/** A pool that notes the statements that it sends. */
const notedPool = (pool: Pool, sent: string[]): MysqlPool => {
  const noted = (on: Pool | PoolConnection) => (statement: PlainStatement) => {
    sent.push(statement.sql);
    return on.query(statement);
  };
  return {
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
};

describe.skipIf(!hasServer)('statements', () => {
  const database = useDatabase();
  beforeEach(() => database.get().reset());

  /** The statements of a call. */
  const statementsOf = async (call: (storage: Storage<object>) => Promise<unknown>): Promise<readonly string[]> => {
    const sent: string[] = [];
    await call(mysqlStorage(notedPool(database.get().pool, sent)) as Storage<object>);
    return sent;
  };

  const account = { id: 'acc', environment: 'prod' };
  test.each<[string, (storage: Storage<object>) => Promise<unknown>]>([
    ['client', ({ clients }) => clients.findClient('client')],
    ['revoked token', ({ clients }) => clients.isTokenRevoked('token')],
    ['page of clients', ({ clients }) => clients.listClients('acc', {})],
    ['endpoint', ({ endpoints }) => endpoints.findEndpoint('acc', 'endpoint')],
    ['page of endpoints', ({ endpoints }) => endpoints.listEndpoints('acc', {})],
    ['payment request', ({ requests }) => requests.payments.find(account, 'request')],
    ['page of transactions', ({ requests }) => requests.transactions.list(account, {})],
  ])('to read a %s takes one', async (_, call) => {
    expect(await statementsOf(call)).toEqual([expect.stringMatching(/^select /)]);
  });

  test('reads of two tables are in one transaction, which reads one moment', async () => {
    const event = 'f3f1c5a0-0000-7000-8000-000000000000';
    expect(await statementsOf(({ events }) => events.findEvent('acc', event))).toEqual([
      'set transaction isolation level repeatable read',
      'start transaction',
      expect.stringMatching(/^select .* from partnerkit_events /),
      expect.stringMatching(/^select .* from partnerkit_dispatches /),
      'commit',
    ]);
  });

  test('a delivery of many events searches each table once, and deletes without locking first', async () => {
    const sent: string[] = [];
    const kit = openKit(mysqlStorage(notedPool(database.get().pool, sent)), arrivals());
    await addEndpoint(kit, 'acc', 'hook');
    const events = Array.from({ length: 20 }, (_, nth) => payed('acc', `p${nth}`));
    await kit.events.publishMany(events, { tx: 'new' });
    sent.length = 0;
    await kit.worker().drain();
    const of = (pattern: RegExp) => sent.filter((text) => pattern.test(text));
    const searches = of(/partnerkit_dispatches force index \(`timestamp`\)/);
    expect(searches.map((text) => text.split('force index').length - 1)).toEqual([1]);
    expect(of(/^delete .*partnerkit_outbox/)).toHaveLength(1);
    expect(of(/partnerkit_outbox.* for update/)).toEqual([]);
  });

  test('the backlog of 128 shards takes two, and no transaction', async () => {
    expect(await statementsOf(({ log }) => log.countBacklog())).toHaveLength(2);
  });
});
