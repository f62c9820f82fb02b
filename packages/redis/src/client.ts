/**
 * What partnerkit calls of a node-redis client (`createClient`, `createCluster`, `createClientPool`, `createSentinel`; version 5 or 6).
 * @public
 */
export interface NodeRedisClient {
  set(
    key: string,
    value: string,
    options: {
      readonly condition: 'NX';
      readonly GET: true;
      readonly expiration: { readonly type: 'PX'; readonly value: number };
    },
  ): Promise<unknown>;
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/**
 * What partnerkit calls of an ioredis client (`Redis`, `Cluster`; version 5 or 6).
 * @public
 */
export interface IoredisClient {
  call(command: string, args: string[]): Promise<unknown>;
}

/**
 * The host's own client: connected, configured and ended by the host. Nothing here opens a connection.
 * @public
 */
export type RedisClient = NodeRedisClient | IoredisClient;
