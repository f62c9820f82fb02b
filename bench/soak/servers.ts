import {
  type PostgresStandby,
  startMariadb,
  startPostgres,
  startPostgresStandby,
  startRedis,
  startTcpProxy,
} from '@partnerkit/workshop/services';
import { createPool } from 'mysql2/promise';
import { createTables } from './stores.ts';

const throughPort = (url: string, port: number): string => {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
};

/** PostgreSQL with a synchronous standby, at one address that follows the primary, as a virtual IP does. */
const startPostgresPair = async () => {
  let primary = await startPostgres({ settings: { max_connections: '200' } });
  const started = [primary];
  const proxy = await startTcpProxy({ to: primary });
  const url = throughPort(primary.url, proxy.port);
  await createTables('postgres', url);
  const follow = async (): Promise<PostgresStandby> => {
    const standby = await startPostgresStandby({
      ...{ of: primary, synchronous: true, settings: { max_connections: '200' } },
    });
    started.push(standby);
    return standby;
  };
  let standby = await follow();
  return {
    url,
    restart: () => primary.restart('immediate'),
    /** The primary dies, its standby takes its place, and gets a standby of its own. */
    promote: async () => {
      await primary.kill();
      await standby.promote();
      primary = standby;
      proxy.redirect(primary);
      proxy.cut();
      standby = await follow();
    },
    stop: async () => {
      await proxy.stop();
      for (const server of started.toReversed()) await server.stop();
    },
  };
};

const startMariadbDatabase = async () => {
  const server = await startMariadb();
  const admin = createPool({ uri: server.url, connectionLimit: 1 });
  await admin.query('create database soak');
  await admin.end();
  const address = new URL(server.url);
  address.pathname = 'soak';
  await createTables('mariadb', address.href);
  return {
    url: address.href,
    restart: async () => {
      await server.kill();
      await server.restart();
    },
    stop: server.stop,
  };
};

/** The servers of a soak. */
export const startServers = async () => {
  const redis = await startRedis();
  const mariadb = await startMariadbDatabase();
  const postgres = await startPostgresPair();
  return {
    ...{ redis, mariadb, postgres },
    stop: async () => {
      for (const server of [postgres, mariadb, redis]) await server.stop();
    },
  };
};
export type Servers = Awaited<ReturnType<typeof startServers>>;
