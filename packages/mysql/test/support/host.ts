// A process of a host with a pool, which its storage shares.
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { type PaymentTask, readTask, runPaymentHost } from '../../../workshop/src/processes/index.ts';
import { fromMysql2 } from '../../src/index.ts';
import { mysqlStore, storageOver } from '../../src/storage.ts';
import { turnedTime } from './turned-time.ts';

const task = readTask<PaymentTask>();
const pool = createPool({ uri: task.at, connectionLimit: 10 });
const connection = await pool.getConnection();

await runPaymentHost(task, {
  storage: storageOver(mysqlStore(fromMysql2(pool), { pollMs: 25, now: turnedTime })),
  pay: async (id, publish, isRolledBack) => {
    await connection.beginTransaction();
    await connection.query('insert into payments values (?)', [id]);
    await publish(connection as never);
    await (isRolledBack ? connection.rollback() : connection.commit());
  },
  payments: async () => {
    const [rows] = await pool.query<RowDataPacket[]>('select id from payments');
    return rows.map(({ id }) => id);
  },
});
