/**
 * Real services for tests: PostgreSQL, PgBouncer, MariaDB, Redis, nginx, and a TCP proxy that injects failures. For any
 * test runner.
 */

export { createDatabase, createTemplate, type DatabaseTemplate, type TestDatabase } from './databases.ts';
export { type MariadbOptions, type MariadbServer, startMariadb } from './mariadb.ts';
export { type Nginx, type NginxOptions, startNginx } from './nginx.ts';
export { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './pgbouncer.ts';
export { startPostgres } from './postgres.ts';
export { debianPostgres } from './postgres-binaries.ts';
export type { PostgresOptions, PostgresServer } from './postgres-server.ts';
export { type PostgresStandby, type PostgresStandbyOptions, startPostgresStandby } from './postgres-standby.ts';
export { type RedisOptions, type RedisServer, startRedis } from './redis.ts';
export { type SharedService, sharedMariadb, sharedPostgres, sharedRedis } from './shared.ts';
export { startTcpProxy, type TcpProxy, type TcpProxyOptions } from './tcp-proxy.ts';
