// The storage of processes that `npm run prove -- mariadb` kills. They open it by its address.
import { randomUUID } from 'node:crypto';
import type { Storage } from '@partnerkit/core/adapter';
import { sharedMariadb } from '@partnerkit/workshop/services';
import { createPool, type PoolConnection } from 'mysql2/promise';
import { migrate, mysqlStorage } from '../../src/index.ts';

/** Opens it in one process, which loads this file by its path. @public */
export const openStorage = async (url: string): Promise<Storage<PoolConnection> & { close(): void }> => {
  const pool = createPool({ uri: url, connectionLimit: 10 });
  return { ...mysqlStorage<PoolConnection>(pool), close: () => void pool.end() };
};

/** Makes it, on a server that ends with it. `undefined`: there is no server. */
export const createStorage = async (): Promise<{ url: string; remove(): Promise<void> } | undefined> => {
  const server = await sharedMariadb();
  if (server === undefined) return undefined;
  const name = `prove_${randomUUID().replaceAll('-', '')}`;
  const address = new URL(server.url);
  address.pathname = name;
  const admin = createPool({ uri: server.url, connectionLimit: 1 });
  await admin.query(`create database ${name}`);
  const pool = createPool({ uri: address.href, connectionLimit: 1 });
  await migrate(pool);
  await pool.end();
  return {
    url: address.href,
    remove: async () => {
      await admin.query(`drop database ${name}`);
      await admin.end();
      await server.stop();
    },
  };
};
