import type { Storage } from '@partnerkit/core/adapter';
import type { Pool, PoolConnection } from 'mysql2/promise';
import { beforeEach, describe, expect, test } from 'vitest';
import { type MysqlPool, mysqlStorage, type PlainStatement } from '../src/index.ts';
import { hasServer, useDatabase } from './support/database.ts';

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

  test('the backlog of 128 shards takes five in a transaction', async () => {
    expect(await statementsOf(({ log }) => log.countBacklog())).toHaveLength(8);
  });
});
