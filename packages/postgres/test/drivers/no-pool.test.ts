import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { fromPg, postgresInbox, postgresSeenKeys, postgresStorage } from '../../src/index.ts';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { openPool } from '../support/host-transactions.ts';

const server = inject('postgres');
type Make = (from: pg.Pool, options?: { readonly schema?: string }) => unknown;
const makers: Readonly<Record<string, Make>> = { postgresStorage, postgresSeenKeys, postgresInbox };

describe.each(Object.entries(makers))('%s', (name, make) => {
  test('anything but a pool or driver is refused, with a remedy', () => {
    for (const wrong of [undefined, null, server.url, {}, { query: () => undefined }, { queryIn: () => undefined }])
      expect(() => make(wrong as never)).toThrow(
        new RegExp(`^${name}: this is no pool and no driver: hand over your pool of pg, new pg\\.Pool`),
      );
  });

  test('a client is no pool', async () => {
    const client = new pg.Client(server.url);
    expect(() => make(client as never)).toThrow(
      `${name}: this is a client, which has one connection: hand over your pool`,
    );
    const taken = await openPool({ connectionString: server.url }).connect();
    onTestFinished(() => taken.release());
    expect(() => make(taken as never)).toThrow(`${name}: this is a client`);
  });

  test('an unknown option is named', () => {
    const pool = openPool({ connectionString: server.url });
    expect(() => make(pool, { shema: 'other' } as never)).toThrow(
      new TypeError(`${name}: there is no option 'shema'; did you mean 'schema'?`),
    );
    expect(() => make(pool, 'partnerkit' as never)).toThrow(new TypeError(`${name}: options are an object.`));
    make(fromPg(pool) as never, { schema: 'other' });
  });
});

describe('kit.check() warns', () => {
  const warningsOf = async (options: pg.PoolConfig) =>
    (await postgresStorage(openPool({ connectionString: server.url, ...options })).check?.())?.warnings;

  test.each([
    [{}, 'the pool has no query_timeout and no connectionTimeoutMillis: '],
    [{ query_timeout: 30_000 }, 'the pool has no connectionTimeoutMillis: '],
    [{ connectionTimeoutMillis: 5_000 }, 'the pool has no query_timeout: '],
  ])('of a pool without time-outs: %o', async (options, begins) => {
    expect(await warningsOf(options)).toEqual([expect.stringContaining(begins)]);
  });

  test('of no pool with both', async () => {
    expect(await warningsOf({ query_timeout: 30_000, connectionTimeoutMillis: 5_000 })).toEqual([]);
  });
});

test('storage knows how many transactions its pool runs at once: handlers leave half of them', () => {
  const pool = openPool({ connectionString: server.url, max: 7 });
  expect(postgresStorage(pool).maxTransactions).toBe(7);
  expect(postgresRowStorage(pool).maxTransactions).toBe(7);
});
