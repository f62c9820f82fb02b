// Three servers of a Galera cluster lose the one that takes writes. Prints the books: docs/operations/availability.md
// has the figures of a run.
import { createPool, type PoolConnection } from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Galera, galeraNeeds, machinesLack, startGalera, takeAway } from '../../../workshop/src/machines/index.ts';
import { type PayingHost, payDuring } from '../../../workshop/src/processes/index.ts';
import { migrate, mysqlStorage } from '../../src/index.ts';

const lacks = machinesLack(galeraNeeds);
if (lacks !== undefined) console.log(`Galera is not tested: ${lacks}`);

const openHost = async ({ url }: Galera): Promise<PayingHost<PoolConnection>> => {
  const admin = createPool({ uri: url, connectionLimit: 1 });
  await admin.query('create database paid');
  await admin.end();
  const open = () => {
    const pool = createPool({ uri: `${url}/paid`, connectionLimit: 10, connectTimeout: 5_000 });
    onTestFinished(() => pool.end());
    return pool;
  };
  const pool = open();
  await migrate(pool);
  await pool.query('create table payments (id varchar(40) primary key)');
  return {
    storages: [mysqlStorage<PoolConnection>(open()), mysqlStorage<PoolConnection>(open())],
    pay: async (id, publish) => {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        await connection.query('insert into payments values (?)', [id]);
        await publish(connection);
        await connection.commit();
        connection.release();
      } catch (cause) {
        connection.destroy();
        throw cause;
      }
    },
    payments: async () => {
      const [rows] = await pool.query('select id from payments');
      return (rows as { id: string }[]).map(({ id }) => id);
    },
  };
};

describe.skipIf(lacks !== undefined)('Galera', () => {
  test.each(['killed', 'frozen', 'cut off'] as const)('nothing is lost after its writer is %s', async (what) => {
    const cluster = await startGalera();
    onTestFinished(cluster.stop);
    const [writer] = cluster.machines;
    const host = await openHost(cluster);
    const books = await payDuring(host, async () => {
      await takeAway(writer, what, cluster.start);
      await cluster.settled();
    });
    console.log(`${what}: ${JSON.stringify(books)}`);
    expect(books).toMatchObject({ lost: 0, withoutPayment: 0, undelivered: 0, otherTimestamp: 0 });
  });
});
