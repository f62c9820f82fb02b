/**
 * What partnerkit calls of a node-redis client (`createClient`, `createCluster`, `createClientPool`, `createSentinel`; version 5 or 6).
 * @public
 */
export interface NodeRedisClient {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/**
 * What partnerkit calls of an ioredis client (`Redis`, `Cluster`; version 5 or 6).
 * @public
 */
export interface IoredisClient {
  readonly isCluster?: boolean;
  call(command: string, args: string[]): Promise<unknown>;
}

/**
 * The host's own client: connected, configured and ended by the host. Nothing here opens a connection.
 * @public
 */
export type RedisClient = NodeRedisClient | IoredisClient;
