// The storage of processes that `npm run prove -- postgres-processes` kills. They open it by its address.
import { randomUUID } from 'node:crypto';
import type { Storage } from '@partnerkit/core/adapter';
import { sharedPostgres } from '@partnerkit/workshop/services';
import { type ClientBase, Pool } from 'pg';
import { migrate, postgresStorage } from '../../src/index.ts';

/** Opens it in one process, which loads this file by its path. @public */
export const openStorage = async (url: string): Promise<Storage<ClientBase> & { close(): void }> => {
  const pool = new Pool({ connectionString: url, max: 5 });
  return { ...postgresStorage(pool), close: () => void pool.end() };
};

/** Makes it, on a server that ends with it. */
export const createStorage = async (): Promise<{ url: string; remove(): Promise<void> }> => {
  const server = await sharedPostgres();
  const name = `prove_${randomUUID().replaceAll('-', '')}`;
  const address = new URL(server.url);
  address.pathname = name;
  const admin = new Pool({ connectionString: server.url, max: 1 });
  await admin.query(`create database ${name}`);
  const pool = new Pool({ connectionString: address.href, max: 1 });
  await migrate(pool);
  await pool.end();
  return {
    url: address.href,
    remove: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await server.stop();
    },
  };
};
