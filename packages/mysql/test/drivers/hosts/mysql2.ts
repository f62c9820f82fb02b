import { createPool, type PoolConnection } from 'mysql2/promise';
import { fromMysql2 } from '../../../src/index.ts';
import type { OpenHost } from './host.ts';

export const mysql2Host: OpenHost<PoolConnection> = (uri, connectionLimit = 10) => {
  const pool = createPool({ uri, connectionLimit });
  return {
    driver: fromMysql2<PoolConnection>(pool),
    transaction: async (work) => {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        const value = await work({ tx: connection, run: (statement) => connection.query(statement) });
        await connection.commit();
        return value;
      } catch (cause) {
        await connection.rollback();
        throw cause;
      } finally {
        connection.release();
      }
    },
    end: () => pool.end(),
  };
};
